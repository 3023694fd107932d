/**
 * {@code bin/persist compare-rocksdb}, and JMH's benchmarks of single reads and writes.
 *
 * <pre>
 *    StateComparison (ComparisonSettings) --→ RecoveryComparison, SpaceComparison, WorkflowComparison --→ a row each
 *    StateReadBenchmark, StateWriteBenchmark --→ LoadedEngine: holds all keys
 *    threads: one
 * </pre>
 *
 * <p>The package is not {@code @NullMarked}: JMH fills the fields of a state, and JCommander the flags, in methods that
 * NullAway does not know.
 */
package io.persist.peers.state.compare;
