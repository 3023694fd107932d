/**
 * A store that is open: puts the rooms together and takes them apart; and looks at stores from outside.
 *
 * <pre>
 *    StoreConfig --→ StoreOpener --→ Log.open, StoreLoader --→ StoreEngine --→ io.persist.StoreLogger
 *    a thread --→ StoreThreads --→ its StoreThread
 *    another process: ReadStore reads it, for StoreView; StoreOutlook says what opening would do
 *    threads: one opens; StoreEngine any
 * </pre>
 */
@NullMarked
package io.persist.store.engine;

import org.jspecify.annotations.NullMarked;
