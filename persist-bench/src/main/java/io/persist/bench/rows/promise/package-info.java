/**
 * What SQLite is told about commits, and what a commit is worth then, of SQLite and of others.
 *
 * <pre>
 *   JournalMode, Synchronous --→ RowPromise: the level, and its words
 *                                WalPages: when SQLite would sync a WAL that its commits do not
 *   threads: any
 * </pre>
 */
@NullMarked
package io.persist.bench.rows.promise;

import org.jspecify.annotations.NullMarked;
