/**
 * Backups of earlier times, beside the newest one.
 *
 * <pre>
 *   BACKUP/                     the newest one: a run replaces its files, and writes to none of them
 *     | hard links
 *     v
 *   BACKUP/kept/TIME.tmp/ --→ synced --→ BACKUP/kept/TIME/      KeptBackups; then the oldest one goes
 *   threads: the one that calls, while it has the lock of the backup
 * </pre>
 */
@NullMarked
package io.persist.backup.kept;

import org.jspecify.annotations.NullMarked;
