/**
 * The state of a process on top of a log: its checkpoints, which are the index at one moment, and what paces the work
 * in the background.
 */
@NullMarked
package io.persist.store;

import org.jspecify.annotations.NullMarked;
