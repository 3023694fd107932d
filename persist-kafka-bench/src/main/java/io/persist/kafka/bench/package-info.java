/**
 * {@code bin/persist kafka}: the state of a workflow engine in Kafka Streams, on the store of Persist and on RocksDB.
 *
 * <pre>
 *   KafkaProgram (KafkaFlags): a Verb
 *         |
 *         v
 *      KafkaRun --→ KafkaComparison --→ Trial: one engine, one round --→ TrialResult --→ KafkaReport
 *         |                |                |
 *         |              Broker           ServerProcess --→ (JVM) server: executes the commands
 *         v              in this process  ServerClient  ←-- what was measured, over HTTP
 *      KafkaSteps: by hand
 *   threads: one; those of Kafka's broker and clients
 * </pre>
 */
package io.persist.kafka.bench;
