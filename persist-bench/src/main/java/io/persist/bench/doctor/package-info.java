/**
 * What a synced commit costs on a disk, and whether to believe it. {@code DoctorCommand} tells the whole of it in
 * order: {@code Facts} are read from files of the system, {@code DiskProbe} measures, {@code Diagnosis} judges both
 * without touching anything, and the reports print. {@code Fingerprint} is the short version for the headers of
 * benchmarks.
 *
 * <p>Whatever cannot be read is unknown and no error. Nothing here needs to be root.
 */
@NullMarked
package io.persist.bench.doctor;

import org.jspecify.annotations.NullMarked;
