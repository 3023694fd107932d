/**
 * {@code bin/persist kafka}: the state of a workflow engine in Kafka Streams, on the store of Persist and on RocksDB.
 *
 * <p>{@link io.persist.kafka.bench.KafkaProgram} has a broker in its own process, or uses one that is there, and sends
 * commands to it. {@link io.persist.kafka.bench.WorkflowServer} is the application that executes them; it is a process
 * of its own, so that its memory can be looked at and it can be killed. What it answers over HTTP is what is measured.
 */
package io.persist.kafka.bench;
