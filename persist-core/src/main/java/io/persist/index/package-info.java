/**
 * An ordered map off the heap from keys to where their values lie in the log: a B+tree whose snapshots stay as they are
 * while it changes.
 *
 * <pre>
 *    key --→ KeyIndex --→ Tree: put, remove ----→ node: search, insert, merge
 *               |           |  nodes that it replaces, and snapshots need
 *               |           v
 *               |       room read: gets, cursors, snapshots
 *               +--→ MemoryBudget: is there memory for a commit, beside what is promised to others?
 *               +--→ IndexImage: what a checkpoint writes; TreeState (read): what it is opened from
 *    threads: one at a time; to read see the room
 * </pre>
 */
@NullMarked
package io.persist.index;

import org.jspecify.annotations.NullMarked;
