/**
 * Reads a store as it was at one moment, and its changes as they come, while commits go on.
 *
 * <pre>
 *    StoreCore: index of this moment --→ Snapshots --→ StoreSnapshot --→ StoreScan --→ keys in order, values
 *    log, from a position or a name  --→ ChangeReaders --→ ChangeReader --→ puts and removes as committed
 *    StoreReads: what StoreSnapshot, Transaction and io.persist.StoreLogger have in common
 *    threads: one at a time for each; none of them holds up a commit
 * </pre>
 */
@NullMarked
package io.persist.store.read;

import org.jspecify.annotations.NullMarked;
