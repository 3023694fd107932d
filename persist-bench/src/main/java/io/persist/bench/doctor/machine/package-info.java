/**
 * What Linux tells of the machine, the file system and the device below a directory. It only reads.
 *
 * <pre>
 *   /proc, /sys --→ SystemFiles --→ MountTable: Mount --→ BlockDevices: BlockDevice --+--→ Facts
 *                              --→ Host, Cgroup: CPUs, memory, load ------------------+
 *   Figures: numbers as people read them
 *   threads: the one that calls
 * </pre>
 */
@NullMarked
package io.persist.bench.doctor.machine;

import org.jspecify.annotations.NullMarked;
