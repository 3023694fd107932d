/**
 * A consensus in a store of Persist's own: one sync for each compare-and-set, which those of other keys share.
 *
 * <pre>
 *    compareAndSet --turn of the key--→ compare with NewestVersion --→ StoreLogger.put, synced --→ publish, wake
 *    key of the store: 'v' key 0 number      one process at a time has the directory
 * </pre>
 */
@NullMarked
package io.persist.shard.location.journal;

import org.jspecify.annotations.NullMarked;
