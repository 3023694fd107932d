/**
 * Reads a tree of the index: in order, as it was at one moment, or a single key beside the thread that changes it.
 *
 * <pre>
 *    ReadableTree: that of a snapshot, or the one that changes (index)
 *       ^   |
 *       |   +--→ IndexCursor (KeyCursor): keys in order, by a TreePath
 *    IndexSnapshot ←-- OpenSnapshots: which nodes are still read --→ IndexMemory: those that are not needed
 *    key --→ OptimisticLookup --→ Location: where the value lies; without the lock
 *    threads: a snapshot is read by one without the lock; OptimisticLookup by any; the rest under it
 * </pre>
 */
@NullMarked
package io.persist.index.read;

import org.jspecify.annotations.NullMarked;
