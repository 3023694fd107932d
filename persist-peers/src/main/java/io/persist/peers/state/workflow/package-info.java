/**
 * The state that a workflow engine keeps, as LittleHorse's benchmark has it: which commands read and write what.
 *
 * <pre>
 *    WorkflowPlan, WorkflowSize --→ WorkflowRun --→ StateEngine: gets, puts, scans       WorkflowTimes: of each part
 *                                      |  WorkflowKeys, WorkflowValues
 *                                      +--→ TimerPunctuator: scans and deletes what is due
 *    WorkflowCheck: is it there?  WorkflowState: by arithmetic, for the comparison and to restore; StateDigest of it
 *    threads: one
 * </pre>
 */
@NullMarked
package io.persist.peers.state.workflow;

import org.jspecify.annotations.NullMarked;
