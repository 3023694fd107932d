package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.LogCursors;
import io.persist.log.recovery.LogRepair;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.support.NewerSegments;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader of changes that is opened by a directory says of a log that is none of a store, damaged or replaced. */
class WrongChangesTest {

    private final CrashableStorage storage = new CrashableStorage();

    private static StoreConfig config(Path directory, WriteMode mode) {
        LogConfig log = LogConfig.builder(directory)
                .segmentLength(Texts.SEGMENT_LENGTH)
                .writeMode(mode)
                .build();
        return StoreConfig.builder(log).maxSpaceRatio(0).build();
    }

    private StoreLogger open() {
        return Texts.open(storage);
    }

    private ChangeReader reader(long position) {
        return ChangeReader.open(storage, position, TailerConfig.defaults());
    }

    private static void assertShows(ChangeReader changes, String key, String value) {
        assertThat(changes.next()).isTrue();
        assertThat(Texts.text(changes.key())).isEqualTo(key);
        assertThat(Texts.text(changes.value())).isEqualTo(value);
    }

    @Test
    void shouldRefuseAPositionThatIsNone() {
        try (StoreLogger store = StoreLogger.open(config(Path.of("store"), WriteMode.FILE), storage, storage)) {
            long end = Texts.put(store, "a", "one");
            assertThatIllegalArgumentException()
                    .as("it is in the buffer of the other process")
                    .isThrownBy(() -> reader(end))
                    .withMessageContaining("position is beyond the end of the log: position=" + end + ", end=64")
                    .withMessageContaining("may not have handed it to the operating system yet");
            store.flush();
            reader(end).close();
            for (long position : new long[] {-1, 8, end - 8, end + 8, Long.MAX_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> reader(position))
                        .withMessageContaining("position=" + position);
            }
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldRefuseALogThatIsNoStore(@TempDir Path directory) {
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> ChangeReader.open(directory.resolve("none"), 0))
                .withMessageStartingWith("cannot read the log: ");
        try (ChangeReader early = ChangeReader.open(directory, 0)) {
            try (MessageLogger logger =
                    MessageLogger.open(LogConfig.builder(directory).build())) {
                logger.append(new byte[10]);
                logger.flush();
            }
            assertRefused("the log holds messages, not transactions", early::next);
        }
        TailerConfig messages =
                TailerConfig.builder().content(LogContent.MESSAGES).build();
        assertRefused(
                "the log holds messages, not transactions: directory=" + directory
                        + "; read it with Tailer.open(directory)",
                () -> ChangeReader.open(directory, 0, messages));
        assertRefused("the log holds messages, not transactions", () -> ChangeReader.open(directory, "replica"));
        assertThat(LogCursors.open(directory).list()).as("cursors").isEmpty();
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(call)
                .withMessageContaining(message);
    }

    @Test
    void shouldRefuseWhatANewerVersionWrote() {
        long end;
        try (StoreLogger store = open()) {
            end = Texts.put(store, "a", "one");
            Texts.put(store, "b", "two");
        }
        byte[] segment = storage.content(LogFileName.segment(0));
        byte[] newer = segment.clone();
        NewerSegments.makeTransaction(newer, (int) end);
        storage.replace(LogFileName.segment(0), newer);
        try (ChangeReader changes = reader(0)) {
            assertShows(changes, "a", "one");
            for (int i = 0; i < 2; i++) {
                assertRefused("open it with the version of Persist that wrote it", changes::next);
                assertThat(changes.nextPosition()).isEqualTo(end);
            }
        }
        storage.replace(LogFileName.segment(0), segment);
        NewerSegments.make(storage, 0);
        assertRefused("open it with " + NewerSegments.VERSION.orLater(), () -> reader(0));
    }

    /** As an older version does beside a writer that was upgraded. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldNotPassATransactionWithAChangeThatANewerVersionWrote(int number) {
        long end;
        try (StoreLogger store = open()) {
            end = Texts.put(store, "a", "one");
            Transaction transaction = store.begin();
            transaction.put(Texts.bytes("b"), Texts.bytes("two"));
            transaction.put(Texts.bytes("c"), Texts.bytes("three"));
            transaction.commit();
        }
        byte[] segment = storage.content(LogFileName.segment(0));
        byte[] newer = segment.clone();
        NewerSegments.makeChange(newer, (int) end, number);
        storage.replace(LogFileName.segment(0), newer);
        try (ChangeReader changes = ChangeReader.open(storage, "replica", TailerConfig.defaults())) {
            assertShows(changes, "a", "one");
            for (int i = 0; i < 2; i++) {
                assertRefused("unsupported entry " + number, changes::next);
                assertThat(changes.nextPosition()).isEqualTo(end);
            }
            assertThat(changes.store()).isEqualTo(end);
        }
        storage.replace(LogFileName.segment(0), segment);
        try (ChangeReader changes = ChangeReader.open(storage, "replica", TailerConfig.defaults())) {
            assertShows(changes, "b", "two");
            assertShows(changes, "c", "three");
        }
    }

    @Test
    void shouldStayBeforeDamageAndBeCutOffByARepair() {
        long end;
        try (StoreLogger store = open()) {
            Texts.put(store, "a", "one");
            end = Texts.put(store, "b", "two");
            Texts.put(store, "c", "three");
        }
        try (ChangeReader behind = reader(0);
                ChangeReader before = reader(0)) {
            for (ChangeReader changes : List.of(before, behind)) {
                assertShows(changes, "a", "one");
                assertShows(changes, "b", "two");
            }
            assertShows(behind, "c", "three");
            byte[] segment = storage.content(LogFileName.segment(0));
            segment[(int) end + Frame.HEADER_LENGTH] ^= 1;
            storage.replace(LogFileName.segment(0), segment);
            try (ChangeReader changes = reader(end)) {
                assertThatExceptionOfType(CorruptLogException.class).isThrownBy(changes::next);
                assertThat(changes.nextPosition()).isEqualTo(end);
            }
            new LogRepair(storage).repair();
            try (StoreLogger store = open()) {
                Texts.put(store, "d", "instead");
                assertThat(store.get(Texts.bytes("c"))).isNull();
                assertShows(before, "d", "instead");
                for (int i = 0; i < 2; i++) {
                    assertThatExceptionOfType(CorruptLogException.class)
                            .isThrownBy(behind::next)
                            .withMessageContaining("a repair has cut the log before this tailer");
                }
            }
        }
    }

    @Test
    void shouldNotGoOnInAnotherStore() throws IOException {
        long end;
        try (StoreLogger store = open()) {
            end = Texts.put(store, "a", "one");
        }
        try (ChangeReader changes = reader(0);
                ChangeReader unopened = reader(end)) {
            assertShows(changes, "a", "one");
            for (String name : storage.list()) {
                storage.delete(name);
            }
            try (StoreLogger store = open()) {
                Texts.put(store, "a", "two");
                Texts.put(store, "b", "of another store");
                assertThat(store.logId()).isNotEqualTo(changes.logId());
                Await.until("the reader notices", () -> isRefused(changes, "the files of the log were replaced"));
                Await.until("it notices", () -> isRefused(unopened, "the segment belongs to another log"));
            }
        }
    }

    /** As a restore into the emptied directory does. */
    @Test
    void shouldNotGoOnInABackupThatTookThePlaceOfTheLog(@TempDir Path directory, @TempDir Path backup)
            throws IOException {
        StoreConfig config = config(directory, WriteMode.MAPPED);
        try (StoreLogger store = StoreLogger.open(config)) {
            Texts.put(store, "a", "in the backup");
        }
        copyAll(directory, backup);
        try (StoreLogger store = StoreLogger.open(config)) {
            Texts.put(store, "a", "lost");
        }
        try (ChangeReader changes = ChangeReader.open(directory, 0)) {
            assertShows(changes, "a", "in the backup");
            assertShows(changes, "a", "lost");
            long lost = changes.nextPosition();
            assertThat(changes.next()).isFalse();
            copyAll(backup, directory);
            try (StoreLogger store = StoreLogger.open(config)) {
                Texts.put(store, "b", "instead of it");
                Texts.put(store, "c", "and on");
                assertThat(store.position()).isGreaterThan(lost);
            }
            Await.until("the reader notices", () -> isRefused(changes, "the files of the log were replaced"));
        }
    }

    private static boolean isRefused(ChangeReader changes, String why) {
        try {
            assertThat(changes.next()).as("a change of what is there now").isFalse();
            return false;
        } catch (CorruptLogException replaced) {
            assertThat(replaced).hasMessageContaining(why);
            return true;
        }
    }

    private static void copyAll(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(to)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
