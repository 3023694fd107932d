package io.persist.tool.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Run;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.log.retention.LogRetention;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.read.CompareTool.Commits;
import io.persist.tool.select.RecordRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompareToolTest {

    private static final long MAX = Long.MAX_VALUE;

    /** A record to write. */
    private record Entry(byte[] payload, boolean startsCommit) {}

    private final CrashableStorage a = new CrashableStorage();
    private final CrashableStorage b = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(a.openHandles() + b.openHandles()).isZero();
    }

    private Run compare() {
        return compare(RecordRange.ALL, Commits.COMPARE, Output.TEXT);
    }

    private Run compare(RecordRange range, Commits commits, Output output) {
        return ToolLog.run(a, CompareTool.with(b, range, commits, output));
    }

    private static RecordRange from(long sequence, long limit) {
        return new RecordRange(0, MAX, sequence, MAX, limit);
    }

    private static List<Long> write(CrashableStorage storage, int segmentLength, List<Entry> entries) {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(segmentLength)
                .build();
        List<Long> positions = new ArrayList<>();
        try (Log log = Log.open(config, storage)) {
            for (Entry entry : entries) {
                if (entry.startsCommit) {
                    log.commit(Durability.BUFFERED);
                }
                log.append(entry.payload, 0, entry.payload.length);
                positions.add(log.lastPosition());
            }
        }
        return positions;
    }

    private static List<Entry> entries(Random random, int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] payload = new byte[1 + random.nextInt(100)];
            random.nextBytes(payload);
            entries.add(new Entry(payload, i == 0 || random.nextInt(3) == 0));
        }
        return entries;
    }

    @Test
    void shouldFindTheSameRecordsAtOtherPositions() {
        List<Entry> entries = entries(new Random(1), 300);
        write(a, 4096, entries);
        write(b, 8192, entries);
        long commits = entries.stream().filter(Entry::startsCommit).count();
        long bytes = entries.stream().mapToLong(entry -> entry.payload.length).sum();
        assertThat(compare())
                .isEqualTo(new Run(
                        0,
                        "the same: 300 records in " + commits + " commits, " + bytes
                                + " bytes of payload\n  A  memory, last record 300\n  B  memory, last record 300\n",
                        ""));
        assertThat(compare(RecordRange.ALL, Commits.COMPARE, Output.JSON).out())
                .isEqualTo("{\"same\":true,\"records\":300,\"commits\":" + commits + ",\"bytes\":" + bytes
                        + ",\"a\":{\"log\":\"memory\",\"lastSequence\":300,\"vacatedSegments\":0},"
                        + "\"b\":{\"log\":\"memory\",\"lastSequence\":300,\"vacatedSegments\":0}}\n");
    }

    /** One thing is changed at a random place: it is found there and nowhere else. */
    @Test
    void shouldFindTheFirstDifference() {
        Seeds.run(20, seed -> findOneDifference(new Random(seed)));
    }

    private static void findOneDifference(Random random) {
        List<Entry> entries = entries(random, 1 + random.nextInt(200));
        List<Entry> changed = new ArrayList<>(entries);
        int at = random.nextInt(entries.size());
        Entry entry = entries.get(at);
        String difference = List.of("payload", "length", "commit", "end").get(random.nextInt(at == 0 ? 2 : 4));
        int differingByte = -1;
        switch (difference) {
            case "payload" -> {
                byte[] payload = entry.payload.clone();
                differingByte = random.nextInt(payload.length);
                payload[differingByte]++;
                changed.set(at, new Entry(payload, entry.startsCommit));
            }
            case "length" -> {
                differingByte = entry.payload.length;
                changed.set(at, new Entry(Arrays.copyOf(entry.payload, differingByte + 3), entry.startsCommit));
            }
            case "commit" -> changed.set(at, new Entry(entry.payload, !entry.startsCommit));
            default -> changed.subList(at, changed.size()).clear();
        }
        CrashableStorage a = new CrashableStorage();
        CrashableStorage b = new CrashableStorage();
        List<Long> positions = write(a, 4096, entries);
        write(b, 16384, changed);
        for (boolean swapped : new boolean[] {false, true}) {
            CompareTool tool = CompareTool.with(swapped ? a : b, RecordRange.ALL, Commits.COMPARE, Output.JSON);
            Run run = ToolLog.run(swapped ? b : a, tool);
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.out())
                    .startsWith("{\"same\":false,\"records\":" + at + ",")
                    .contains(",\"difference\":\"" + difference + "\",\"firstDifferentByte\":" + differingByte + ",")
                    .contains(",\"position\":" + positions.get(at) + ",\"sequence\":" + (at + 1) + ",");
        }
        CompareTool behind = CompareTool.with(b, from(at + 2L, MAX), Commits.COMPARE, Output.TEXT);
        assertThat(ToolLog.run(a, behind).code())
                .isEqualTo(difference.equals("end") && at + 1 < entries.size() ? ExitCode.FAILURE : ExitCode.OK);
        CompareTool before = CompareTool.with(b, from(1, at), Commits.COMPARE, Output.TEXT);
        assertThat(ToolLog.run(a, before).code()).isEqualTo(ExitCode.OK);
    }

    @Test
    void shouldDescribeADifference() {
        write(a, 4096, List.of(new Entry(new byte[] {1}, true), new Entry("hello".getBytes(), false)));
        write(b, 4096, List.of(new Entry(new byte[] {1}, true), new Entry("help".getBytes(), true)));
        assertThat(compare()).isEqualTo(new Run(1, """
                        different: the lengths differ from byte 3 on
                          the same before: 1 record in 1 commit, 1 byte of payload
                          A  memory, last record 2
                             record 2 at position 96, 5 bytes: "hello"
                          B  memory, last record 2
                             record 2 at position 96, starts a commit, 4 bytes: "help"
                        """, ""));
    }

    @Test
    void shouldIgnoreCommits() {
        write(a, 4096, List.of(new Entry(new byte[1], true), new Entry(new byte[2], true)));
        write(b, 4096, List.of(new Entry(new byte[1], true), new Entry(new byte[2], false)));
        assertThat(compare().code()).isEqualTo(ExitCode.FAILURE);
        assertThat(compare(RecordRange.ALL, Commits.IGNORE, Output.TEXT).code()).isZero();
    }

    @Test
    void shouldSayThatTheOldestRecordsAreGone() {
        ToolLog.closed(a, 300);
        ToolLog.closed(b, 300);
        new LogRetention(b).apply(RetentionRule.below(ToolLog.SEGMENT_LENGTH));
        long first = firstNumber(b);
        Run run = compare();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .startsWith("different: the numbers of the records differ\n")
                .endsWith("  to compare from where both have records: --fromSequence " + first + "\n");
        assertThat(compare(from(first, MAX), Commits.COMPARE, Output.TEXT).code())
                .isZero();
        assertThat(compare(from(200, MAX), Commits.COMPARE, Output.TEXT).out())
                .startsWith("the same: 101 records in 101 commits,");
        assertThat(compare(new RecordRange(0, MAX, 200, 209, MAX), Commits.COMPARE, Output.TEXT)
                        .out())
                .startsWith("the same: 10 records");
    }

    private static long firstNumber(Storage log) {
        try (Tailer tailer =
                Tailer.open(log, TailerConfig.builder().anyContent().build())) {
            assertThat(tailer.next()).isTrue();
            return tailer.sequence();
        }
    }

    @Test
    void shouldNotCallDamagedLogsTheSame() {
        List<Long> positions = ToolLog.closed(a, 100);
        ToolLog.closed(b, 100);
        ToolLog.damage(a, positions.get(50));
        ToolLog.damage(b, positions.get(50));
        Run run = compare();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .startsWith("different: the next record cannot be read\n  the same before: 50 records")
                .contains("corrupt log: ");
        assertThat(compare(RecordRange.ALL, Commits.COMPARE, Output.JSON).out())
                .contains("\"difference\":\"damage\"", "\"damage\":\"corrupt log: ");
        ToolLog.damage(a, positions.get(50)); // undoes it
        assertThat(compare().out()).startsWith("different: the next record cannot be read\n");
    }

    @Test
    void shouldNotTakeZeroedRecordsForTheEnd() {
        List<Long> positions = ToolLog.closed(a, 100);
        ToolLog.closed(b, 100);
        for (CrashableStorage storage : List.of(a, b)) {
            byte[] segment = storage.content("00000000000000000000.log");
            System.arraycopy(new byte[8], 0, segment, (int) (long) positions.get(20), 8);
            storage.replace("00000000000000000000.log", segment);
        }
        assertThat(compare().out()).startsWith("different: the next record cannot be read\n  the same before: 20 ");
    }

    @Test
    void shouldCompareLiveLogsAsTheyAreNow() {
        ToolLog.closed(b, 100);
        try (Log log = ToolLog.open(a)) {
            ToolLog.append(log, 100);
            assertThat(compare().code()).isZero();
            ToolLog.append(log, 1);
            assertThat(compare().out()).startsWith("different: one of the logs ends\n  the same before: 100 records");
        }
    }

    @Test
    void shouldCompareEmptyLogs() {
        ToolLog.open(a).close();
        ToolLog.open(b).close();
        assertThat(compare().code()).isZero();
        assertThat(ToolLog.run(
                                new CrashableStorage(),
                                CompareTool.with(b, RecordRange.ALL, Commits.COMPARE, Output.TEXT))
                        .err())
                .contains("not a log: no segments");
    }
}
