package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.LogConfig;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import io.persist.support.RefusedFiles;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A writer sees to it that a reader which comes late, or has come before, misses nothing. */
class RegisteredCursorTest {

    private static final String NAME = "billing";
    private static final LogConfig CONFIG = WriterKind.MAPPED.config().build();

    private final CrashableStorage storage = new CrashableStorage();

    private Tailer reader() {
        return Tailer.open(storage, NAME, TailerConfig.defaults());
    }

    private void retireAll(Log log) {
        log.sync();
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        log.retire(plan, Retirement.DELETE);
    }

    @Test
    void shouldHoldEverythingForAReaderThatComesLate() {
        try (Log log = Log.open(CONFIG, storage)) {
            new LogCursors(storage).register(NAME);
            Records.appendUntilRolled(log, 5);
            retireAll(log);
            try (Tailer tailer = reader()) {
                assertThat(Records.readOn(tailer, 1)).isEqualTo(log.lastSequence() + 1);
                tailer.store();
            }
            assertThat(log.planRetention(RetentionRule.keepBytes(0)).retired()).isNotEmpty();
        }
    }

    /** Each opening of the writer registers the name. */
    @Test
    void shouldChangeNothingOfOneThatIsThere() {
        LogCursors cursors = new LogCursors(storage);
        try (Log log = Log.open(CONFIG, storage)) {
            Records.append(log, 10);
            log.sync();
            try (Tailer tailer = reader()) {
                assertThat(Records.readOn(tailer, 1)).isEqualTo(11);
                long stored = tailer.store();
                cursors.register(NAME);
                assertThat(cursors.list()).singleElement().satisfies(cursor -> {
                    assertThat(cursor.position()).isEqualTo(stored);
                    assertThat(cursor.inUse()).isTrue();
                });
                assertThatExceptionOfType(LogLockedException.class)
                        .isThrownBy(this::reader)
                        .withMessageContaining("LogCursors.register");
                Records.append(log, 10);
                log.sync();
                assertThat(Records.readOn(tailer, 11)).isEqualTo(21);
                tailer.store();
            }
            cursors.register(NAME);
            assertThat(cursors.list().get(0).sequence()).isEqualTo(21);
        }
    }

    @Test
    void shouldSurviveAPowerCut() {
        try (Log log = Log.open(CONFIG, storage)) {
            Records.append(log, 1);
            log.sync();
        }
        new LogCursors(storage).register(NAME);
        for (Loss loss : Loss.values()) {
            CrashableStorage after = storage.crash(new Random(1), loss);
            assertThat(new LogCursors(after).list())
                    .as("%s", loss)
                    .extracting(LogCursors.CursorState::name)
                    .containsExactly(NAME);
        }
    }

    /** A log need not begin with number 1, wherever it begins: a salvaged one has the numbers of the old one. */
    @Test
    void shouldStoreNoNumberOfASegmentThatCannotBeRead() throws IOException {
        for (Supplier<String> log : logs()) {
            String first = log.get();
            byte[] whole = storage.content(first);
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> new LogCursors(unreadable(first)).register(NAME))
                    .withMessageContaining("Input/output error");
            damage(first, 0);
            shouldNotBegin(first);
            storage.replace(first, whole);
        }
        new LogCursors(storage).register(NAME);
        reader().close();
    }

    @Test
    void shouldStoreNoNumberOfARecordThatIsDamaged() {
        for (Supplier<String> log : logs()) {
            String first = log.get();
            byte[] whole = storage.content(first);
            damage(first, SegmentHeader.LENGTH + Frame.HEADER_LENGTH);
            shouldNotBegin(first);
            storage.replace(first, whole);
        }
        new LogCursors(storage).register(NAME);
        reader().close();
    }

    /** Each makes one, and tells the name of its first segment. */
    private List<Supplier<String>> logs() {
        return List.of(this::firstSegment, this::firstSegmentAfterRetention);
    }

    private void shouldNotBegin(String first) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> new LogCursors(storage).register(NAME))
                .withMessageContaining("file=" + first);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::reader)
                .withMessageContaining("file=" + first);
        assertThat(new LogCursors(storage).list()).isEmpty();
    }

    /** As long as nothing is read on the way there, the number is not known. */
    @Test
    void shouldStoreNoNumberOfARecordThatIsDamagedForOneThatGoesBack() {
        String first = firstSegment();
        try (Tailer tailer = reader()) {
            tailer.toEnd();
            long end = tailer.store();
            damage(first, SegmentHeader.LENGTH + Frame.HEADER_LENGTH);
            tailer.toStart();
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(tailer::store)
                    .withMessageContaining("file=" + first);
            assertThat(onlyCursor().position()).isEqualTo(end);
        }
    }

    /** The name of the first segment of a log that has its beginning, and a second one. */
    private String firstSegment() {
        try (Log log = Log.open(CONFIG, storage)) {
            Records.appendUntilRolled(log, 2);
            log.sync();
            return LogFileName.segment(0);
        }
    }

    /** It knows its place: the writer that registers it at each start need not look for the log's. */
    @Test
    void shouldNotLookAtTheLogForOneThatIsThere() {
        String first = firstSegmentAfterRetention();
        new LogCursors(storage).register(NAME);
        LogCursors.CursorState before = onlyCursor();
        new LogCursors(unreadable(first)).register(NAME);
        damage(first, 0);
        new LogCursors(storage).register(NAME);
        LogCursors.CursorState after = onlyCursor();
        assertThat(after.position()).isEqualTo(before.position());
        assertThat(after.sequence()).isEqualTo(before.sequence());
    }

    private LogCursors.CursorState onlyCursor() {
        List<LogCursors.CursorState> cursors = new LogCursors(storage).list();
        assertThat(cursors).hasSize(1);
        return cursors.get(0);
    }

    /** The name of the first segment of a log that has not got its beginning any more. */
    private String firstSegmentAfterRetention() {
        try (Log log = Log.open(CONFIG, storage)) {
            Records.appendUntilRolled(log, 2);
            retireAll(log);
            return storage.list().get(0);
        }
    }

    private void damage(String segment, int offset) {
        byte[] damaged = storage.content(segment);
        damaged[offset] ^= 1;
        storage.replace(segment, damaged);
    }

    private Storage unreadable(String name) {
        return new RefusedFiles(storage, name::equals, new IOException("Input/output error"));
    }

    @Test
    void shouldRefuseWhatIsNoName() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LogCursors(storage).register("a/b"));
        assertThat(storage.list()).isEmpty();
    }

    /** The changes of a store begin where all of them are there, which need not be the log's start. */
    @Test
    void shouldHoldTheChangesOfAStoreForAReaderThatComesLate() {
        LogConfig log =
                LogConfig.builder(Path.of("memory")).segmentLength(1 << 14).build();
        StoreConfig config = StoreConfig.builder(log).maxSpaceRatio(0).build();
        byte[] key = {1};
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            putAgainAndAgain(store, key);
            assertThat(store.compact(Long.MAX_VALUE)).isPositive();
            new LogCursors(storage).register("replica");
            store.put(key, new byte[] {7});
            putAgainAndAgain(store, key);
            store.compact(Long.MAX_VALUE);
            boolean isThere = false;
            try (ChangeReader changes = store.changes("replica")) {
                while (changes.next()) {
                    isThere |= changes.value().remaining() == 1;
                }
            }
            assertThat(isThere).isTrue();
        }
    }

    private static void putAgainAndAgain(StoreLogger store, byte[] key) {
        for (int i = 0; i < 100; i++) {
            store.put(key, new byte[1000]);
        }
    }

    @Test
    void shouldLeaveAReaderOfAnotherProcessAlone(@TempDir Path directory) throws IOException, InterruptedException {
        LogConfig config = WriterKind.MAPPED.config(directory).build();
        try (ChildJvm child = ChildJvm.startBriefly(CursorLockTest.Holder.class, directory)) {
            for (int life = 0; life < 3; life++) {
                try (Log log = Log.open(config)) {
                    LogCursors.open(directory).register(NAME);
                    Records.append(log, 3);
                    log.sync();
                    assertThat(child.ask(life == 0 ? "open" : "list")).isEqualTo(life == 0 ? "64" : "true");
                    assertThat(child.ask("list")).isEqualTo("true");
                }
            }
            child.kill();
        }
    }
}
