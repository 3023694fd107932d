/**
 * How far readers may look into a log, and where a repair has cut it.
 *
 * <pre>
 *    FrameCursor, SequenceSearch: may I look here? is it missing, or the end?
 *         |              |
 *         |           EndOrDamage: of a place without a whole record
 *         v              v
 *    Visibility --→ control block: what is published, what is synced, whether the writer lives
 *         |
 *         +--→ ExpectedEnd: where recovery will have a log end that nobody has recovered
 *         +--→ RepairCut: where a repair has cut the log
 *    threads: the one of the tailer
 * </pre>
 */
@NullMarked
package io.persist.log.read.visible;

import org.jspecify.annotations.NullMarked;
