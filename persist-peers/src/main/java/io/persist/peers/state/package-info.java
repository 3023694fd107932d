/**
 * A {@code StoreLogger} beside RocksDB, as stores of keys and values. Here are both engines, behind
 * {@link io.persist.peers.state.StateEngine}, and the keys and values that they get.
 *
 * <pre>
 *    compare    bin/persist compare-rocksdb: recovery, space, a workload; and JMH: 'State(Read|Write)Benchmark'
 *    growth     bin/persist workflow: that workload, round after round in one store
 *    workflow   the workload: state of a workflow engine
 *    (here)     StateEngine: StoreStateEngine, RocksStateEngine; StateData: keys and values
 *    threads: one, and what the engines have
 * </pre>
 *
 * <p>The package is not {@code @NullMarked}: an engine that is closed, or has no transaction, has null in its fields.
 */
package io.persist.peers.state;
