/**
 * The bytes of what lies beside the segments: the control block, through which a writer says how far it is and who it
 * is, and the cursors of readers. Pure functions: no files, no threads.
 *
 * <pre>
 *   ControlBlock   state | positions | the writer: HolderBlock | what it counts: CounterBlock
 *   CursorSlot     two slots in turn: a torn write leaves the other
 * </pre>
 */
@NullMarked
package io.persist.format.control;

import org.jspecify.annotations.NullMarked;
