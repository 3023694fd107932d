package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.LogMonitor;
import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.format.SegmentHeader;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.support.Await;
import io.persist.support.Docs;
import io.persist.support.OwnThreads;
import io.persist.support.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one log, store or tailer takes of the process, as docs/operations.md has it for those who open many. */
@EnabledOnOs(OS.LINUX)
class ManyLogsTest {

    /** Of three segments: they are not filled. */
    private static final int HEADERS = 3 * SegmentHeader.LENGTH;

    /** So much is filled at once, as long as nobody waits for it. */
    private static final int STEP = 64 << 10;

    private static final DetachedConfig QUEUE = DetachedConfig.builder().build();

    @FunctionalInterface
    private interface Opener {
        AutoCloseable open(Path directory);
    }

    private static final Map<String, Opener> OPENERS = Map.of(
            "log", directory -> MessageLogger.open(config(directory)),
            "log, detached", directory -> MessageLogger.open(config(directory), QUEUE),
            "store",
                    directory -> StoreLogger.open(
                            StoreConfig.builder(config(directory)).build()),
            "store, detached",
                    directory -> StoreLogger.open(
                            StoreConfig.builder(config(directory)).build(), QUEUE),
            "tailer at the end", directory -> atEnd(Tailer.open(directory)),
            "tailer with a name", directory -> atEnd(Tailer.open(directory, "name")));

    @TempDir
    Path directory;

    private static LogConfig config(Path directory) {
        return LogConfig.builder(directory).segmentLength(1 << 20).build();
    }

    private static Tailer atEnd(Tailer tailer) {
        while (tailer.next()) {
            assertThat(tailer.sequence()).isPositive();
        }
        return tailer;
    }

    static Stream<List<String>> rows() {
        return Docs.table("docs/operations.md", "resources").stream();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldTakeWhatTheDocumentSays(List<String> row) throws Exception {
        Path log = directory.toRealPath();
        if (row.get(0).startsWith("tailer")) {
            try (MessageLogger logger = MessageLogger.open(config(log))) {
                logger.append(new byte[10]);
                logger.commit(Durability.SYNCED);
            }
        }
        OwnThreads.run(() -> {
            try (AutoCloseable opened = OPENERS.get(row.get(0)).open(log)) {
                assertThat(opened).isNotNull();
                Await.until(
                        "it has " + row.subList(1, 4), () -> row.subList(1, 4).equals(taken(log)));
            }
        });
    }

    static Stream<List<String>> idle() {
        return Docs.table("docs/operations.md", "idle").stream();
    }

    @ParameterizedTest
    @MethodSource("idle")
    void shouldFillSoMuchAheadOfOneRecord(List<String> row) {
        int segmentLength = (int) bytes(row.get(0));
        Map.of(Durability.BUFFERED, bytes(row.get(1)), Durability.SYNCED, bytes(row.get(2)))
                .forEach((level, told) -> {
                    LogConfig log = LogConfig.builder(directory.resolve("log of " + level))
                            .segmentLength(segmentLength)
                            .durability(level)
                            .build();
                    assertThat(filledIdle(log, told)).as("%s", level).isBetween(told - HEADERS, told + STEP - 1);
                });
    }

    /** What was filled in a store with one record, from its opening to its close, which ends the filling. */
    private static long filledIdle(LogConfig log, long expected) {
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build())) {
            store.put(new byte[10], new byte[10]);
            Await.filled("so much is filled", () -> filled(log) >= expected - HEADERS);
        }
        return filled(log);
    }

    private static long filled(LogConfig log) {
        return LogMonitor.open(log.directory()).read().statistics().filledBytes();
    }

    /** Of a length as the document has it, such as 192 KiB. */
    private static long bytes(String length) {
        String[] parts = length.split(" ");
        return Long.parseLong(parts[0]) << (parts[1].equals("MiB") ? 20 : 10);
    }

    private static List<String> taken(Path log) {
        try {
            Resources used = Resources.of(log);
            return Stream.of(
                            OwnThreads.others().size(),
                            used.descriptors().size(),
                            used.mappings().size())
                    .map(String::valueOf)
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
