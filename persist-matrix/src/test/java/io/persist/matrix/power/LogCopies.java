package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.archive.Archive;
import io.persist.archive.ArchiveManifest;
import io.persist.backup.Backup;
import io.persist.backup.BackupManifest;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.matrix.Follower;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.testkit.CrashableStorage;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Backups and archives of a log that is written meanwhile. One that is there is whole: what was safe before it was
 * begun is in it, and a log goes on from it. Else the call says that the writer was faster.
 *
 * <p><b>Threads:</b> one.
 */
final class LogCopies {

    private static final String ZIP = "copy.zip";

    private final Subject subject;
    private final Storage log;
    private final Work work;
    private final Supplier<Storage> empty;

    /** A backup that is brought up to date again and again. */
    private final Storage directory;

    /** Copies of the log that {@code work} writes to {@code log}, in places that are {@code empty} before. */
    LogCopies(Subject subject, Storage log, Work work, Supplier<Storage> empty) {
        this.subject = subject;
        this.log = log;
        this.work = work;
        this.empty = empty;
        this.directory = empty.get();
    }

    /** Returns what the backup was restored to, nothing if the writer was faster. */
    Optional<Storage> backUpAgain() {
        return backUp(Backup.directory(directory));
    }

    Optional<Storage> backUpToZip() {
        return backUp(Backup.zip(empty.get(), ZIP));
    }

    private Optional<Storage> backUp(Backup backup) {
        long flushed = work.flushed();
        BackupManifest taken;
        try {
            taken = backup.take(log, log).manifest();
        } catch (RetiredException overtaken) {
            return Optional.empty();
        }
        CrashableStorage restored = new CrashableStorage();
        assertThat(backup.restore(restored)).isEqualTo(taken);
        try (Life life = subject.open(restored)) {
            assertThat(life.verify(work.entries()))
                    .as("the last entry of a backup")
                    .isBetween(flushed, work.entries().last());
        }
        return Optional.of(restored);
    }

    void archive() {
        Archive archive = Archive.zip(empty.get(), ZIP);
        ArchiveManifest packed;
        try {
            packed = archive.pack(log);
        } catch (RetiredException overtaken) {
            return;
        }
        if (!packed.segments().isEmpty()) {
            CrashableStorage restored = new CrashableStorage();
            assertThat(archive.restore(restored)).isEqualTo(packed);
            try (Follower records = Follower.open(subject, restored, ReadScope.PUBLISHED, ReadMode.FILE)) {
                records.readOn();
                records.checkAllIsIn(work.entries());
            }
        }
    }
}
