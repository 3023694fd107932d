/**
 * {@code bin/persist rows}: what sqlite-bench does, with its flags and its four lines: by a log, a store and SQLite.
 *
 * <pre>
 *   RowsFlags --→ RowsCommand --→ RowRun: batches of rows into a RowTable --→ its Result --→ text, RowRuns: report
 *                     ↑ RowEngines: message, store; others by ServiceLoader       |
 *                     |   promise: what a commit of theirs is worth            BatchModel: n / (sync + n·w)
 *   threads: main
 * </pre>
 */
@NullMarked
package io.persist.bench.rows;

import org.jspecify.annotations.NullMarked;
