/**
 * What is read of a log: while it is written, in the same process or another one; as a whole; and after a kill.
 *
 * <pre>
 *    Listening --→ Listener: how late is each message?       (JVM) PeerListener
 *    Replay    --→ all messages, once more
 *    Reopening --→ (JVM) LogFiller, killed --→ opened: how long did that take?
 *    threads: one that reads, beside those that append
 * </pre>
 */
@NullMarked
package io.persist.peers.trial.read;

import org.jspecify.annotations.NullMarked;
