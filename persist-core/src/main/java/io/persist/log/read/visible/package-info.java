/**
 * How far readers may look into a log, and where a repair has cut it.
 *
 * <pre>
 *    FrameCursor, SequenceSearch: may I look here? is it missing, or the end?
 *         |              |
 *         |           EndOrDamage: of a place without a whole record
 *         v              v
 *    Visibility --→ CurrentControl: what is published, what is synced, whether the writer lives
 *         |              |
 *         |              +--→ RepairCut: where a repair has cut the log
 *         v
 *    ExpectedEnd: where recovery will have a log end that nobody has recovered
 *    threads: the one of the tailer
 * </pre>
 */
@NullMarked
package io.persist.log.read.visible;

import org.jspecify.annotations.NullMarked;
