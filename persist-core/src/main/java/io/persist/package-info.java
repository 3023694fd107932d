/**
 * Persist: an embeddable journal. Begin with one of its three loggers: {@link io.persist.MessageLogger} for messages,
 * {@link io.persist.PacketLogger} for groups of messages, {@link io.persist.StoreLogger} for keys and values. The
 * packages that an application names:
 *
 * <pre>
 *   io.persist           the loggers, and what looks at a log or a store from another process
 *   io.persist.log       how a log is kept: configuration, levels, retention, the report of recovery
 *   io.persist.log.read  tailers and named cursors
 *   io.persist.packet    packets: several messages and metadata as one record
 *   io.persist.store     how a store is kept, ranges of keys, numbers
 *     .transaction       transactions
 *     .read              scans, snapshots, changes
 *   io.persist.codec     objects as bytes, and back
 *   io.persist.monitor   counters
 *   io.persist.error     what can go wrong
 *   io.persist.file      storages, for tests
 * </pre>
 *
 * <p>For those who change Persist, its priorities, ranked; every trade-off is settled by them:
 *
 * <ol>
 *   <li>What was acknowledged is never lost within the stated contract; a damaged log never yields a wrong record.
 *   <li>No surprise on the append path: bounded work, no allocation, no page fault, no lock shared with readers.
 *   <li>A newcomer finds the way: {@code docs/reading.md} is the route through the source.
 *   <li>Everything else.
 * </ol>
 *
 * <p>The critical paths are {@code Appender.append}, {@code Commits.commit} and {@code Tailer.next}. Everything off
 * these paths is written for clarity first.
 */
@NullMarked
package io.persist;

import org.jspecify.annotations.NullMarked;
