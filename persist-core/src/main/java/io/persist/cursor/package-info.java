/**
 * Named cursors: where a reader goes on after a restart, in a file of its own in the log's directory. Here are the
 * files, their names and their locks; what a position means is up to {@code io.persist.log}.
 */
@NullMarked
package io.persist.cursor;

import org.jspecify.annotations.NullMarked;
