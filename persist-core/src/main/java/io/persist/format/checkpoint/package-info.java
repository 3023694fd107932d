/**
 * The bytes of a store's checkpoint. Pure functions: no files, no threads.
 *
 * <pre>
 *   CheckpointName   CheckpointHeader | nodes of the index | CheckpointDirectory | CheckpointFooter
 *   the position     whose log it is    4 KiB each           which node is where   which tree it is
 * </pre>
 */
@NullMarked
package io.persist.format.checkpoint;

import org.jspecify.annotations.NullMarked;
