/**
 * The log and the index of a store, which change together under one lock; and the memory that an operation works with.
 *
 * <pre>
 *    StagedChanges --→ StoreCommits.commit, LargeCommits --→ StoreCore --→ LogWriter.append, commit
 *                           |    under StoreLock                        LogSpace: waits for space without it
 *                           v
 *    key --→ KeyFinder: without the lock, or
 *            Lookups --→ StoreState      Settler: brings the index to where the log is, in steps
 *                |
 *                v  place, and the segment held
 *            Workspace ←--→ WorkspacePool
 *    threads: any; one at a time has the lock
 * </pre>
 */
@NullMarked
package io.persist.store.core;

import org.jspecify.annotations.NullMarked;
