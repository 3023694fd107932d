/**
 * Backups: all that is needed to go on with a log or store from one position, in a zip file or in a directory that the
 * next backup brings up to date. Programs use {@link io.persist.backup.DiskBackup}, and beside it {@link
 * io.persist.backup.DiskArchive}: a backup, and an archive, at a path.
 *
 * <pre>
 *   take                                        verify, restore
 *     | Backup                                    | Backup
 *     v                                           v
 *   BackupRun: which files, up to where         BackupReader, by parts of io.persist.archive: all as it was written?
 *     |          SegmentCopy: checked bytes       ^
 *     |          held: would it open?             |  LogCut: what stays before a RestorePoint
 *     v                                           |
 *   BackupSink: BackupZip or BackupDirectory  --→  files and a BackupManifest
 *                 kept: as it was after earlier runs
 *   threads: the one that calls; a writer may go on meanwhile
 * </pre>
 */
@NullMarked
package io.persist.backup;

import org.jspecify.annotations.NullMarked;
