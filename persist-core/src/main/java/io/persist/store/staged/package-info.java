/**
 * Changes that are gathered and are not in the log yet: those of a transaction, of a single operation, of a move by
 * compaction.
 *
 * <pre>
 *    put, remove, removeRange --→ StagedChanges: the record, as it will be appended --→ store.state, log
 *                                     |    StagedKeys: the newest change of a key      StagedRanges: removed ones
 *                                     v
 *                      ChangedKeys: in order --→ Layer, for a transaction's own scans
 *                      OwnPuts: the values that it has put, for neighbours
 *                      ScannedRange: what one of these scans has read, if the commit depends on it
 *    threads: the one that stages
 * </pre>
 */
@NullMarked
package io.persist.store.staged;

import org.jspecify.annotations.NullMarked;
