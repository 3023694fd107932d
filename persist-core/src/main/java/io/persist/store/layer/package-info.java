/**
 * What lies over the index of a store while the index has not got it: the changes of a large transaction, or of the end
 * of the log when the store was opened, and ranges that are removed. All threads see it, also those that go through the
 * keys in order. What a transaction has changed lies over both, for its own scans.
 *
 * <pre>
 *    IndexSnapshot: the index of a moment --→ LayeredSnapshot --→ get, size
 *    Layer: what lay over it then ----------→        |
 *      ChangeOrder, RemovedRange                     v
 *    Layer: what a transaction has changed --→ LayeredCursor --→ scans, neighbours
 *    threads: made by the one that has the store's lock, read by one at a time without it
 * </pre>
 */
@NullMarked
package io.persist.store.layer;

import org.jspecify.annotations.NullMarked;
