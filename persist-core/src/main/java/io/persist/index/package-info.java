/**
 * An ordered map off the heap from keys to where their values lie in the log: a B+tree whose snapshots stay as they are
 * while it changes.
 *
 * <pre>
 *    key --→ KeyIndex --→ Tree: get, put, remove ----→ node: search, insert, merge
 *               |           |  nodes that it replaces
 *               v           v
 *         IndexSnapshot ←- OpenSnapshots --→ IndexMemory: nodes that nobody needs
 *               |
 *          IndexCursor: keys in order
 *    key --→ OptimisticLookup: get of other threads, without the lock
 *    threads: one at a time; a snapshot is read by one other, without the lock
 * </pre>
 */
@NullMarked
package io.persist.index;

import org.jspecify.annotations.NullMarked;
