/**
 * Archives: the sealed segments of a log, packed into a zip file or copied into a directory, with a manifest that says
 * what belongs there. Also the parts that backups are made of too.
 *
 * <pre>
 *   pack                                        verify, restore
 *     | Archive                                   | Archive: Restorer
 *     v                                           v
 *   SegmentPacker: each record checked          ArchiveReader: each segment and the manifest checked
 *     |                                           ^
 *     v                                           |
 *   ArchiveSink: ZipSink or DirectorySink  --→  zip file or directory  --→  ArchiveSource
 *                          | StorageOutput, a BlockOutput: no zeros
 *                          v
 *                       file
 *   threads: the one that calls
 * </pre>
 */
@NullMarked
package io.persist.archive;

import org.jspecify.annotations.NullMarked;
