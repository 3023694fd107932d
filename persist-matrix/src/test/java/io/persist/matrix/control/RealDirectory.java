package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.LogLockedException;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.OwnThreads;
import io.persist.support.Resources;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lives in a directory of the file system, by a thread that is interrupted: they go on all the same. Nobody else opens
 * the log meanwhile, for the operating system too. After a life there is no descriptor, mapping, thread or lock left.
 */
public final class RealDirectory implements Exercise {

    private static final int APPENDS = 60;

    @Override
    public Row row() {
        return Row.MANY_LIVES;
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        try (ScratchDirectory directory = ScratchDirectory.create()) {
            Entries entries = new Entries();
            for (int i = 1; i <= effort.times(2, 50); i++) {
                int number = i;
                OwnThreads.run(() -> live(subject, directory.path(), entries, number));
                Resources open = Resources.of(directory.path());
                assertThat(open.descriptors()).as("open after life %d", i).isEmpty();
                assertThat(open.mappings()).as("mapped after life %d", i).isEmpty();
                assertThat(isLocked(directory.path()))
                        .as("locked after life %d", i)
                        .isFalse();
                effort.tried(1);
            }
        }
    }

    private static void live(Subject subject, Path directory, Entries entries, int number) throws IOException {
        Thread.currentThread().interrupt();
        try (Life life = subject.open(directory)) {
            for (int i = 0; i < APPENDS; i++) {
                life.append(entries, entries.add(number));
                life.commit(Durability.values()[i % 3]);
            }
            life.upkeep(entries);
            assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
            assertThat(life.verify(entries)).isEqualTo(entries.last());
            assertThatThrownBy(() -> subject.open(directory).close())
                    .as("a second opening")
                    .isInstanceOf(LogLockedException.class);
            assertThat(isLocked(directory)).as("locked for other processes").isTrue();
        }
    }

    private static boolean isLocked(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory.resolve(LogFileName.LOCK), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return true;
        }
    }
}
