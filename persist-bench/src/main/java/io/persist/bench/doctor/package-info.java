/**
 * What a synced commit costs on a disk, and whether to believe it: the command and its reports. {@code Fingerprint} and
 * {@code DeviceWrites} are for the headers of benchmarks.
 *
 * <pre>
 *   files of the system --→ Facts (room machine) --------+
 *                                                        +--→ Examination (room diagnosis) --→ TextReport, JsonReport
 *   a directory --→ DiskProbe: Measurements (room disk) -+
 *   threads: main
 * </pre>
 *
 * <p>Whatever cannot be read is unknown and no error. Nothing here needs to be root.
 */
@NullMarked
package io.persist.bench.doctor;

import org.jspecify.annotations.NullMarked;
