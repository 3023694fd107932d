/**
 * {@code bin/persist workflow}: each engine grows from empty in a process of its own, and that is shown over time.
 *
 * <pre>
 *    WorkflowProgram (WorkflowFlags) --→ GrowthProcess --→ (JVM) GrowthTrial --→ GrowthRun --→ rounds, GrowthWatch
 *          |                                  GrowthSpec, a file --→   |
 *          v                                                           v
 *    GrowthReport, GrowthFiles  ←-------------------------------  GrowthResult, a file
 *    threads: one in each process
 * </pre>
 *
 * <p>The package is not {@code @NullMarked}: JCommander fills the flags in a way that NullAway does not know.
 */
package io.persist.peers.state.growth;
