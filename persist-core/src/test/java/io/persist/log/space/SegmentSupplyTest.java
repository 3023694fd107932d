package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Await;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentSupplyTest {

    /** As a mover of directories does it, who comes between a new segment's two names: it finds a half copy there. */
    private record Replacing(Storage storage, AtomicBoolean isOn) implements ForwardingStorage {

        @Override
        public void rename(String from, String to) throws IOException {
            storage.rename(from, to);
            if (isOn.get() && LogFileName.basePosition(to).isPresent()) {
                storage.delete(to);
                try (StorageFile file = storage.create(to)) {
                    file.write(WriterKind.SEGMENT_LENGTH - 1, new byte[1], 0, 1, WriteThrough.NONE);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldMakeASegmentAnewWhoseNameAnotherFileHasTaken(WriterKind kind) {
        AtomicBoolean isOn = new AtomicBoolean();
        CrashableStorage disk = new CrashableStorage();
        try (Log log = Log.open(kind.config().build(), new Replacing(disk, isOn))) {
            isOn.set(true);
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> Records.appendUntilRolled(log, 10))
                    .withMessageContaining("cannot prepare the next segment: the segment was replaced while it was"
                            + " opened: file=");
            isOn.set(false);
            Records.appendUntilRolled(log, 5);
            log.flush();
            assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
        }
        assertThat(disk.openHandles()).isZero();
    }

    /** As a process that has no more descriptors for a moment. */
    private static final class Refusing implements ForwardingStorage {

        private final Storage storage;
        private final Set<String> opened = ConcurrentHashMap.newKeySet();
        private volatile @Nullable Refused refused;

        Refusing(Storage storage) {
            this.storage = storage;
        }

        /** What of a new segment is refused once. */
        enum Refused {
            THE_FILE,
            THE_DIRECTORY
        }

        @Override
        public Storage storage() {
            return storage;
        }

        private void refuse(Refused what) throws IOException {
            if (refused == what) {
                refused = null;
                throw new IOException("Too many open files");
            }
        }

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            if (access == Access.WRITE && LogFileName.basePosition(name).isPresent() && opened.add(name)) {
                refuse(Refused.THE_FILE);
            }
            return storage.open(name, access);
        }

        @Override
        public void syncDirectory() throws IOException {
            if (Thread.currentThread().getName().startsWith("make ")) {
                refuse(Refused.THE_DIRECTORY);
            }
            storage.syncDirectory();
        }
    }

    /** The disk is full, and the segment has the only file that there is space for. */
    @ParameterizedTest
    @EnumSource(Refusing.Refused.class)
    void shouldGoOnWithASegmentThatCouldNotBeOpenedAtFirst(Refusing.Refused what) {
        CrashableStorage disk = new CrashableStorage();
        Refusing storage = new Refusing(disk);
        try (Log log = WriterKind.MAPPED.openWithRolls(storage, 3)) {
            log.sync();
            disk.fillUp();
            storage.refused = what;
            log.retire(log.planRetention(RetentionRule.below(WriterKind.SEGMENT_LENGTH)), Retirement.RECYCLE);
            Await.until("the last segment is used, which was refused first", () -> {
                try {
                    while (true) {
                        Records.append(log);
                        log.commit(Durability.BUFFERED);
                    }
                } catch (LogFullException | LogIOException full) {
                    return storage.refused == null && log.lastPosition() > lastBase(disk);
                }
            });
            assertThat(lastBase(disk)).as("one more than were ahead").isEqualTo(6L * WriterKind.SEGMENT_LENGTH);
        }
        assertThat(disk.openHandles()).isZero();
    }

    /** Notes which names were given, and which of them the directory may have lost, as its sync has failed since. */
    private static final class Forgetful implements ForwardingStorage {

        private final Storage storage;
        private final Set<String> unsynced = ConcurrentHashMap.newKeySet();
        private final Set<String> lost = ConcurrentHashMap.newKeySet();
        private final Set<String> missed = ConcurrentHashMap.newKeySet();
        private final AtomicInteger failures = new AtomicInteger();

        Forgetful(Storage storage) {
            this.storage = storage;
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            try {
                return storage.open(name, access);
            } catch (FileNotFoundException none) {
                missed.add(name);
                throw none;
            }
        }

        @Override
        public void rename(String from, String to) throws IOException {
            storage.rename(from, to);
            lost.remove(to);
            unsynced.add(to);
        }

        /** What has failed is clean afterwards: only a change makes it dirty again. */
        @Override
        public void syncDirectory() throws IOException {
            boolean hasFailed = failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
            if (hasFailed) {
                lost.addAll(unsynced);
            }
            unsynced.clear();
            if (hasFailed) {
                throw new IOException("Input/output error");
            }
            storage.syncDirectory();
        }
    }

    /** More often than once: then a new file takes the place of the spare that the first one has become. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldGiveASegmentItsNameAnewIfTheSyncOfTheDirectoryHasFailed(int times) {
        CrashableStorage disk = new CrashableStorage();
        Forgetful storage = new Forgetful(disk);
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            storage.failures.set(times);
            Await.until("a segment is used behind the one whose name was not synced", () -> {
                try {
                    Records.append(log);
                    log.commit(Durability.SYNCED);
                } catch (LogIOException again) {
                    // The next attempt makes it.
                }
                return storage.failures.get() == 0 && log.lastPosition() > 10L * WriterKind.SEGMENT_LENGTH;
            });
            assertThat(disk.list()).noneMatch(storage.lost::contains);
            assertThat(storage.missed).as("looked for and not there").isEmpty();
        }
        assertThat(disk.openHandles()).isZero();
    }

    private static long lastBase(CrashableStorage disk) {
        return disk.list().stream()
                .map(LogFileName::basePosition)
                .flatMapToLong(OptionalLong::stream)
                .max()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldSayWhatToDoAboutAFileThatMayNotBeSoLong(WriterKind kind) {
        CrashableStorage disk = new CrashableStorage();
        FaultyStorage storage = new FaultyStorage(disk).message("File too large");
        try (Log log = Log.open(kind.config().build(), storage)) {
            storage.failFrom(Verb.CREATE, 1);
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> Records.appendUntilRolled(log, 10))
                    .withMessageContaining(
                            "cannot prepare the next segment: File too large: length=" + WriterKind.SEGMENT_LENGTH)
                    .withMessageContaining(
                            "raise the limit of a file's length (ulimit -f), or take a shorter" + " segmentLength");
            storage.heal();
            Records.appendUntilRolled(log, 5);
            log.flush();
            assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
        }
        assertThat(disk.openHandles()).isZero();
    }
}
