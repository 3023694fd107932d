/**
 * What is compared: {@link io.persist.peers.engine.Engine} is a log of messages. Here is what the trials ask of each;
 * the rooms below have the engines.
 *
 * <pre>
 *                        all         Engines: the list; and those of one class: Persist, Chronicle, RocksDB, SQLite
 *              +----------+----------+
 *            bare       aeron     artemis
 *              +----------+----------+
 *                      (here)        Engine, Producer, MessageReader; EngineKind: what it is and how it is opened
 *    threads: a producer and a reader have one each
 * </pre>
 */
@NullMarked
package io.persist.peers.engine;

import org.jspecify.annotations.NullMarked;
