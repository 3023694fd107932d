/**
 * What a store knows in memory, and how it changes: by what a transaction has staged, or by records that are read back
 * from the log.
 *
 * <pre>
 *    StagedChanges (room staged) --→ record --→ log
 *                          |                     |
 *                          v                     v
 *                      StoreState ←- Replay ←- EntryCursor: for recovery, compaction, readers of changes
 *                      |        |
 *                  KeyIndex  LiveBytes: what of each segment is needed ←- SegmentSurvey: how that fills it
 *                            RecentChanges: what commits that have scanned ask for
 *    threads: one at a time, the one that has the store's lock
 * </pre>
 */
@NullMarked
package io.persist.store.state;

import org.jspecify.annotations.NullMarked;
