/**
 * The log and the index of a store, which change together under one lock; and the memory that an operation works with.
 *
 * <pre>
 *    StagedChanges --→ StoreCore.commit --→ LogWriter.append, commit
 *                           |    under StoreTurn
 *                           v
 *    key --→ Lookups --→ StoreState      RangeRemovals: takes removed ranges out, in small steps
 *                |
 *                v  place, and the segment held
 *            Workspace ←--→ WorkspacePool
 *    threads: any; one at a time has the lock
 * </pre>
 */
@NullMarked
package io.persist.store.core;

import org.jspecify.annotations.NullMarked;
