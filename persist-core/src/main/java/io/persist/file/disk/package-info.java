/**
 * Files of the operating system: preallocate, map, write, force, rename, lock. The only importer of file APIs.
 *
 * <pre>
 *   Storage      StorageFile     Mapping       WriterLock        what the log sees
 *      │             │              │              │
 *   Directory-   DiskFile ───→ DiskMapping     ProcessLock       FileReason: why the system refused
 *   Storage          │              │              │
 *                Interrupts      Unmapper      LockRegistry      one lock for a file in a process
 *                ChannelReads: into direct memory                 RealPath: where a path leads
 * </pre>
 */
@NullMarked
package io.persist.file.disk;

import org.jspecify.annotations.NullMarked;
