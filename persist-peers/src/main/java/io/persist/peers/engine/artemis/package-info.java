/**
 * The journal of ActiveMQ Artemis, without its broker.
 *
 * <pre>
 *    message --→ ArtemisRecord --→ journal --→ ArtemisCompletions: how many are written
 *    files   --→ ArtemisLoading: what is there when it is opened
 *    threads: Artemis has its own; a record is encoded in one of them
 * </pre>
 */
@NullMarked
package io.persist.peers.engine.artemis;

import org.jspecify.annotations.NullMarked;
