/**
 * What a store knows in memory, and how changes look in a record: staged by a transaction, or read back from the log.
 *
 * <pre>
 *    put, remove --→ StagedChanges --→ record --→ log
 *                          |                       |
 *                          v                       v
 *                      StoreState ←- Replay ←- EntryCursor     recovery, compaction, readers of changes
 *                      |        |
 *                  KeyIndex  LiveBytes: what of each segment is needed
 *    threads: one at a time, the one that has the store's lock
 * </pre>
 */
@NullMarked
package io.persist.store.state;

import org.jspecify.annotations.NullMarked;
