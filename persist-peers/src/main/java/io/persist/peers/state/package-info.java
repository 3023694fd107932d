/**
 * A {@code StoreLogger} beside RocksDB, as stores of keys and values.
 * {@link io.persist.peers.state.StateComparison} is the program {@code bin/persist compare-rocksdb}: it measures
 * recovery, space and a whole workload. {@link io.persist.peers.state.WorkflowProgram} is
 * {@code bin/persist workflow}: that workload, round after round in one store. JMH measures single reads and writes,
 * {@code bin/persist jmh 'State(Read|Write)Benchmark'}. Both engines are behind
 * {@link io.persist.peers.state.StateEngine}.
 *
 * <p>The package is not {@code @NullMarked}: JMH fills the fields of a state, and JCommander the flags, in methods that
 * NullAway does not know.
 */
package io.persist.peers.state;
