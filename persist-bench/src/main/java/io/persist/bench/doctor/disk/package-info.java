/**
 * How long each way to write and sync takes on a disk, measured with files that go away again.
 *
 * <pre>
 *   a directory --→ Scratch: files that are deleted, also at Ctrl-C
 *                     |
 *                     v
 *                   DiskProbe --→ Probe: one Operation in one Space, again and again --→ Series --→ Measurements
 *   threads: the one that calls; at Ctrl-C one that deletes the files
 * </pre>
 */
@NullMarked
package io.persist.bench.doctor.disk;

import org.jspecify.annotations.NullMarked;
