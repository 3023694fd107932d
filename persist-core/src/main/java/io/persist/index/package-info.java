/**
 * An ordered map off the heap from keys to where their values lie in the log: a B+tree whose snapshots stay as they are
 * while it changes.
 */
@NullMarked
package io.persist.index;

import org.jspecify.annotations.NullMarked;
