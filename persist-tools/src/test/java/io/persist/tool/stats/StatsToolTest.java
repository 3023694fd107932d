package io.persist.tool.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.LogMonitor;
import io.persist.LogMonitor.Extent;
import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.control.CounterBlock;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.monitor.Counter;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.Pause;
import io.persist.tool.ToolLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StatsToolTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final CrashableStorage storage = new CrashableStorage();
    private long nowNs = 5 * SECOND;

    /** Watches the log; each step takes two seconds, and after the last one it ends. */
    private Run watch(Output output, Runnable... steps) {
        Iterator<Runnable> left = List.of(steps).iterator();
        Pause pause = times -> {
            if (!left.hasNext()) {
                return false;
            }
            left.next().run();
            nowNs += 2 * SECOND;
            return true;
        };
        return ToolLog.run(storage, new StatsTool(output, pause, () -> nowNs));
    }

    /** Stores counters as a writer does. */
    private void count(Object... countersAndValues) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(0, storage.content(LogFileName.CONTROL));
        CounterBlock counters = new CounterBlock(bytes);
        for (int i = 0; i < countersAndValues.length; i += 2) {
            counters.set((Counter) countersAndValues[i], ((Number) countersAndValues[i + 1]).longValue());
        }
        byte[] copy = new byte[4096];
        bytes.get(0, copy);
        storage.replace(LogFileName.CONTROL, copy);
    }

    private Run stats() {
        return ToolLog.run(storage, StatsTool.once(Output.TEXT));
    }

    @Test
    void shouldShowTheNumbersOfALogThatIsWritten() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 10);
            log.sync();
            ToolLog.append(log, 5);
            Run run = stats();
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out())
                    .startsWith("memory: process " + ProcessHandle.current().pid() + " has it open for writing\n\n")
                    .containsPattern("(?m)^  committed  +592$")
                    .containsPattern("(?m)^  flushed  +592  +0$")
                    .containsPattern("(?m)^  synced  +392  +200$")
                    .containsPattern("since the log was opened at \\d{4}-\\d\\d-\\d\\dT")
                    .containsPattern("(?m)^  records  +15  +records appended$")
                    .containsPattern("(?m)^  bytes  +126 B   payload bytes appended$")
                    .containsPattern("(?m)^  stallMaxNs  +[0-9,]+ ns  the longest of these waits$")
                    .containsPattern("(?m)^  averageRecord  +8\\.4 B   payload bytes of a record$")
                    .doesNotContain("queue");
        }
        assertThat(storage.openHandles()).isZero();
    }

    private long logId() {
        try (Tailer tailer =
                Tailer.open(storage, TailerConfig.builder().anyContent().build())) {
            return tailer.logId();
        }
    }

    @Test
    void shouldShowWhatThereIsOfALogThatIsClosed() {
        List<Long> positions = ToolLog.closed(storage, 25);
        long end = positions.get(24) + 40;
        long bytes = storage.list().stream()
                .filter(name -> !name.endsWith(".lock"))
                .mapToLong(name -> storage.content(name).length)
                .sum();
        String id = HexFormat.of().toHexDigits(logId());
        assertThat(stats().out())
                .containsPattern("(?m)^  logId  +" + id + "  ")
                .containsPattern("(?m)^  formatVersion  +1  ")
                .containsPattern("(?m)^  writtenBy  +" + PersistVersion.CURRENT + "  ")
                .containsPattern("(?m)^  writerVersion  +" + PersistVersion.CURRENT + "  ")
                .containsPattern("(?m)^  logRecords  +25  +from 1 to 25$")
                .containsPattern("(?m)^  firstPosition  +0  +where the log begins$")
                .containsPattern("(?m)^  segments  +1  +files that hold it$")
                .containsPattern("(?m)^(?=  segments {26})(.{38}\\d)     files that hold it$")
                .containsPattern("(?m)^(?=  preparedSegments)(.{38}\\d)     files made ahead$")
                .containsPattern("(?m)^  logBytes  +" + String.format(Locale.ROOT, "%,d", end) + " B ")
                .containsPattern("(?m)^  fileBytes  +" + String.format(Locale.ROOT, "%,d", bytes) + " B ");
        assertThat(ToolLog.run(storage, StatsTool.once(Output.JSON)).out())
                .contains(
                        ",\"logId\":\"" + id
                                + "\",\"formatVersion\":1,\"writtenBy\":\"" + PersistVersion.CURRENT
                                + "\",\"writerVersion\":\"" + PersistVersion.CURRENT
                                + "\",\"logRecords\":25,\"firstSequence\":1,\"lastSequence\":25,\"firstPosition\":0,",
                        ",\"segments\":1,\"vacatedSegments\":0,\"preparedSegments\":",
                        ",\"logBytes\":" + end + ",\"fileBytes\":" + bytes
                                + ",\"oldestSealedAtMs\":0,\"usableBytes\":");
    }

    @Test
    void shouldShowSinceWhenThereIsALogAndHowMuchRoomItHas() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 1);
            assertThat(stats().out()).containsPattern("(?m)^  oldestSealedAt {28}no segment is sealed$");
            log.roll();
            ToolLog.append(log, 1);
            Extent extent = new LogMonitor(storage).extent();
            assertThat(stats().out())
                    .containsPattern("(?m)^  oldestSealedAt +"
                            + Instant.ofEpochMilli(extent.oldestSealedAtMs()).truncatedTo(ChronoUnit.SECONDS)
                            + " {5}when its oldest sealed segment was sealed$")
                    .containsPattern("(?m)^  usableBytes +[0-9,]+ B   what can still be written");
            assertThat(ToolLog.run(storage, StatsTool.once(Output.JSON)).out())
                    .contains(",\"oldestSealedAtMs\":" + extent.oldestSealedAtMs() + ",\"usableBytes\":");
        }
    }

    @Test
    void shouldShowThatTheDeviceDoesNotAnswer() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 1);
            assertThat(stats().out()).doesNotContain("sync began");
            count(Counter.SYNC_BEGAN_AT_MS, 86_400_000);
            assertThat(stats().out())
                    .contains("has it open for writing\nA sync began at 1970-01-02T00:00:00Z and is not over\n\n");
        }
    }

    /** Of a writer that was killed in the middle of a sync: nobody waits for the device any more. */
    @Test
    void shouldShowNoSyncOfAWriterThatHasEnded() {
        ToolLog.closed(storage, 1);
        count(Counter.SYNC_BEGAN_AT_MS, 86_400_000);
        assertThat(stats().out()).doesNotContain("sync began");
        assertThat(ToolLog.run(storage, StatsTool.once(Output.JSON)).out()).contains(",\"syncBeganAtMs\":0,");
    }

    @Test
    void shouldShowTheQueueIfThereIsOne() {
        ToolLog.closed(storage, 1);
        count(
                Counter.QUEUE_CAPACITY,
                1024,
                Counter.QUEUE_FULL,
                1_234_567,
                Counter.BATCHES,
                4,
                Counter.BATCH_ENTRIES,
                10);
        assertThat(stats().out())
                .startsWith("memory: its writer closed it\n")
                .containsPattern("(?m)^  queueCapacity  +1,024  +entries")
                .containsPattern("(?m)^  queueFull  +1,234,567  +times that a producer found the queue full$")
                .containsPattern("(?m)^  averageBatch  +2\\.5 ");
    }

    @Test
    void shouldShowHowFarTheCursorsAreBehind() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 3);
            log.commit(Durability.BUFFERED);
            try (Tailer billing = log.tailer("billing");
                    Tailer audit = log.tailer("audit")) {
                assertThat(billing.next()).isTrue();
                long stored = billing.store();
                long lag = log.committedPosition() - stored;
                assertThat(audit.nextPosition()).isEqualTo(64);
                assertThat(stats().out())
                        .containsPattern("(?m)^  cursor billing  +" + stored + "  +" + lag + "$")
                        .containsPattern("(?m)^  cursor audit  +64  +" + (log.committedPosition() - 64) + "$");
                assertThat(ToolLog.run(storage, StatsTool.once(Output.JSON)).out())
                        .contains("\"billing\":{\"position\":" + stored + ",\"lagBytes\":" + lag + "}");
            }
        }
    }

    @Test
    void shouldShowEveryCounterAsJson() {
        ToolLog.closed(storage, 3);
        count(Counter.SYNC_MAX_NS, 4711, Counter.QUEUE_CAPACITY, 8);
        Run run = ToolLog.run(storage, StatsTool.once(Output.JSON));
        assertThat(run.out())
                .startsWith("{\"log\":\"memory\",\"writer\":\"closed\",\"pid\":")
                .contains(",\"committedPosition\":160,\"flushedPosition\":")
                .contains(",\"records\":3,\"bytes\":24,")
                .contains(",\"syncMaxNs\":4711,")
                .endsWith("}\n")
                .hasLineCount(1);
        for (Counter counter : Counter.values()) {
            assertThat(run.out()).contains(",\"" + counter.label() + "\":");
        }
    }

    @Test
    void shouldShowRatesWhileItWatches() {
        Log[] log = {ToolLog.open(storage)};
        Await.segmentsAhead(log[0], 2); // so that no append waits
        Run run = watch(
                Output.TEXT,
                () -> ToolLog.append(log[0], 100),
                () -> {},
                () -> log[0].commit(Durability.SYNCED),
                () -> log[0].close(),
                () -> log[0] = ToolLog.open(storage),
                () -> ToolLog.append(log[0], 2));
        log[0].close();
        assertThat(run.code()).as(run.err()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSize(7);
        assertThat(lines.get(0)).isEqualTo(StatsRates.HEAD);
        assertThat(lines.get(1).split(" +"))
                .startsWith("", "2.0", "live", "50", "0.0", "50", "0", "0.00", "4.0", "0", "0", "0.00", "0");
        assertThat(lines.get(2)).startsWith("      4.0  live             0 ");
        assertThat(lines.get(3).split(" +")).startsWith("", "6.0", "live", "0", "0.0", "0", "1");
        assertThat(lines.get(4)).startsWith("      8.0  closed           0 ");
        assertThat(lines.get(5)).startsWith("     10.0  live             0 ");
        assertThat(lines.get(6)).startsWith("     12.0  live             1 ");
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldCountAReopenedLogFromZero() {
        ToolLog.closed(storage, 1);
        count(Counter.OPENED_AT_MS, 1000, Counter.RECORDS, 500, Counter.QUEUE_DEPTH, 9);
        Run run = watch(
                Output.TEXT,
                () -> count(Counter.RECORDS, 600),
                () -> count(Counter.OPENED_AT_MS, 2000, Counter.RECORDS, 40, Counter.SYNCS, 4, Counter.SYNC_NS, 20e6));
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(1)).startsWith("      2.0  closed          50 ").endsWith(" 9            0.0");
        assertThat(lines.get(2)).startsWith("      4.0  closed          20 ").contains("          2     5.00 ");
    }

    @Test
    void shouldAlignTheRatesWithTheirHead() {
        ToolLog.closed(storage, 1);
        Run run = watch(Output.TEXT, () -> {});
        String line = run.out().lines().toList().get(1);
        assertThat(line).hasSameSizeAs(StatsRates.HEAD);
        for (String column : List.of("seconds", "records/s", "MB/s", "syncs/s", "unsynced kB", "stall ms", "queue")) {
            int end = StatsRates.HEAD.indexOf(column) + column.length();
            assertThat(line.charAt(end - 1)).as(column).isNotEqualTo(' ');
            assertThat(end == line.length() || line.charAt(end) == ' ')
                    .as(column)
                    .isTrue();
        }
    }

    @Test
    void shouldWatchAsJsonLines() {
        ToolLog.closed(storage, 3);
        Run run = watch(Output.JSON, () -> {}, () -> {});
        assertThat(run.out()).hasLineCount(2);
        assertThat(run.out().lines()).allMatch(line -> line.contains("\"records\":3,"));
    }

    @Test
    void shouldRepeatTheHeadNowAndThen() {
        ToolLog.closed(storage, 3);
        Runnable[] steps = new Runnable[41];
        Arrays.fill(steps, (Runnable) () -> {});
        assertThat(watch(Output.TEXT, steps).out().lines().filter(StatsRates.HEAD::equals))
                .hasSize(3);
    }

    @Test
    void shouldGoOnWatchingALogThatIsDeletedAndMadeAnew() {
        ToolLog.closed(storage, 3);
        Run run = watch(Output.TEXT, () -> delete(LogFileName.CONTROL), () -> ToolLog.closed(storage, 4), () -> {});
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("no readable control file").hasLineCount(1);
        assertThat(run.out()).hasLineCount(3).contains("      4.0  closed ");
    }

    private void delete(String name) {
        try {
            storage.delete(name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldSayInOneLineThatThereIsNoLog() {
        Run run = stats();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("persist: not a log: ").hasLineCount(1);
        assertThat(watch(Output.TEXT).code()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void shouldPauseForTheInterval() {
        Pause pause = Pause.of(Duration.ofMillis(1));
        assertThat(pause.await(1)).isTrue();
        Thread.currentThread().interrupt();
        assertThat(pause.await(1)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
