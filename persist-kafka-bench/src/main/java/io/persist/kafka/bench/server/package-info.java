/**
 * The application that executes commands on one store with a changelog. It is a process of its own, so that its memory
 * can be looked at and it can be killed.
 *
 * <pre>
 *   ServerSpec --→ ServerMain --→ WorkflowServer: Kafka Streams
 *                                      |
 *   input topic: WorkflowCommand --→ WorkflowProcessor --→ TimedStore (EngineKind): WorkflowState
 *                                      |
 *                                 RunMeasures, WorkflowWindow --→ RunResultJson, over HTTP
 *   threads: the stream thread executes; those of HTTP look
 * </pre>
 */
package io.persist.kafka.bench.server;
