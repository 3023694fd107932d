/**
 * {@code bin/persist device}: what each way to reach a disk costs there, with fio beside it.
 *
 * <pre>
 *   DeviceFlags --→ Matrix --→ Cell --→ CellRun (a Worker per TestFile) --→ CellResult --→ DeviceTable: text, CSV, JSON
 *                                         ↑ engines of the room access         |         DeviceRuns: for the report
 *                                       Fio: the same job, in turns -----------+
 *   threads: main; one for each file that is measured
 * </pre>
 */
@NullMarked
package io.persist.bench.device;

import org.jspecify.annotations.NullMarked;
