/**
 * {@code bin/persist kafka}: the state of a workflow engine in Kafka Streams, on the store of Persist and on RocksDB.
 *
 * <pre>
 *   KafkaProgram (KafkaFlags) --→ KafkaComparison --→ Trial: one engine, one round --→ TrialResult --→ KafkaReport
 *         |                            |                |
 *         +--→ KafkaSteps: by hand     Broker           ServerProcess --→ (JVM) server: executes the commands
 *                                      in this process  ServerClient  ←-- what was measured, over HTTP
 *   threads: one; those of Kafka's broker and clients
 * </pre>
 */
package io.persist.kafka.bench;
