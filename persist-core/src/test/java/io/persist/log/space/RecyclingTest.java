package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.RetiredException;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogFixture;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The files of recycled segments are used again, and nobody takes a record of their earlier life for one of this. */
@ParameterizedClass
@MappedAndFile
class RecyclingTest extends LogFixture {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    @Test
    void shouldUseRecycledSegmentsAgain() {
        openWithRolls(2);
        List<String> created = Collections.synchronizedList(new ArrayList<>());
        for (int round = 1; round <= 30; round++) {
            Await.segmentsAhead(log, 2);
            storage.hook((number, what) -> {
                if (what.startsWith("create")) {
                    created.add(what);
                }
            });
            long first = log.lastSequence();
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Records.appendUntilRolled(log, 1);
            log.flush();
            try (Tailer tailer = log.tailer()) {
                tailer.toSequence(first);
                assertThat(Records.readOn(tailer, first)).isEqualTo(log.lastSequence() + 1);
                assertThat(tailer.next()).as("a frame of an earlier life").isFalse();
            }
        }
        assertThat(created).isEmpty();
        assertThat(storage.list()).hasSizeLessThan(10);
    }

    @Test
    void shouldUseAFileThatCouldNotBeUsedAtTheFirstAttempt() {
        openWithRolls(3);
        AtomicInteger renames = new AtomicInteger();
        storage.hook((number, what) -> {
            if (what.matches("rename .*" + LogFileName.SPARE_SUFFIX) && renames.incrementAndGet() == 1) {
                throw new IOException("Input/output error");
            }
        });
        log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
        Records.appendUntilRolled(log, 1);
        Await.until("an attempt has failed", () -> renames.get() > 0); // and not one that an append waits for
        Await.until("all are used again", () -> {
            Records.append(log, 20);
            return storage.list().stream().noneMatch(name -> name.endsWith(LogFileName.SPARE_SUFFIX));
        });
        assertThat(renames).hasValue(4);
    }

    @Test
    void shouldKeepTheFileOfARecycledSegment(@TempDir Path directory) throws IOException {
        LogConfig config = kind.config(directory).build();
        try (Log onDisk = Log.open(config)) {
            Records.appendUntilRolled(onDisk, 4);
            Map<Object, String> files = inodes(directory);
            onDisk.retire(onDisk.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Await.until("no spare is left", () -> {
                Records.append(onDisk, 20);
                return names(directory).stream().noneMatch(name -> name.endsWith(".spare"));
            });
            Records.appendUntilRolled(onDisk, 4);
            onDisk.flush();
            List<String> reused = inodes(directory).entrySet().stream()
                    .filter(entry -> files.containsKey(entry.getKey())
                            && !files.get(entry.getKey()).equals(entry.getValue()))
                    .map(Map.Entry::getValue)
                    .toList();
            assertThat(reused).isNotEmpty();
            try (Tailer tailer = onDisk.tailer()) {
                assertThat(tailer.next()).isTrue();
                assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(onDisk.lastSequence() + 1);
            }
        }
    }

    private static List<String> names(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<Object, String> inodes(Path directory) throws IOException {
        Map<Object, String> inodes = new HashMap<>();
        for (String name : names(directory)) {
            if (name.endsWith(".log")) {
                inodes.put(Files.getAttribute(directory.resolve(name), "unix:ino"), name);
            }
        }
        return inodes;
    }

    @Test
    void shouldRecycleOnlySegmentsOfTheLengthThatIsWantedNow() {
        for (int length : new int[] {16384, 4096, 8192}) {
            log = Log.open(kind.config().segmentLength(length).build(), storage);
            Records.appendUntilRolled(log, 3);
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Records.appendUntilRolled(log, 10);
            log.close();
        }
        log = Log.open(kind.config().build(), storage);
        log.sync();
        try (Tailer tailer = log.tailer()) {
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTellATailerOfAnotherProcessThatItsSegmentWasRecycled(ReadMode mode) {
        openWithRolls(5);
        TailerConfig config = WriterKind.reader().readMode(mode).build();
        try (Tailer tailer = Tailer.open(storage, config)) { // as another process has it: nothing is held for it
            for (int i = 1; i <= 5; i++) {
                assertThat(tailer.next()).isTrue();
            }
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Await.until("the recycled segment is in use", () -> {
                Records.append(log, 20);
                log.flush();
                return storage.list().stream().noneMatch(name -> name.endsWith(".spare"));
            });
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 6))
                    .withMessageContaining("go on from the log's first record");
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> Records.readOn(tailer, 6));
            tailer.toStart();
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTellATailerThatItLooksAtARecycledSegmentInWhichNothingIsYet(ReadMode mode) {
        openWithRolls(3);
        TailerConfig config = WriterKind.reader().readMode(mode).build();
        try (Tailer tailer = Tailer.open(storage, config)) {
            assertThat(tailer.next()).isTrue();
            Await.segmentsAhead(log, 2);
            log.retire(log.planRetention(RetentionRule.below(LENGTH)), Retirement.RECYCLE);
            Records.appendUntilRolled(log, 1);
            Await.until(
                    "the recycled segment is prepared",
                    () -> storage.list().stream().noneMatch(name -> name.endsWith(".spare")));
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> Records.readOn(tailer, 2));
            tailer.toStart();
            assertThat(tailer.next()).isTrue();
        }
    }

    @Test
    void shouldNotReviveFramesOfAnEarlierLifeAfterAKill() {
        openWithRolls(6);
        for (int round = 0; round < 10; round++) {
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Records.appendUntilRolled(log, 2);
            Records.append(log, round);
            log.flush();
            long last = log.lastSequence();
            CrashableStorage after = storage.afterKill();
            DeadLog.end(log);
            storage = after;
            log = Log.open(kind.config().build(), storage);
            assertThat(log.lastSequence()).isEqualTo(last);
            assertThat(log.recovery().cut().bytes()).isZero();
        }
    }
}
