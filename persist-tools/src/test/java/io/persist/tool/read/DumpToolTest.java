package io.persist.tool.read;

import static io.persist.tool.ToolLog.SEGMENT_LENGTH;
import static io.persist.tool.ToolLog.dump;
import static io.persist.tool.ToolLog.sequences;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.tool.ExitCode;
import io.persist.tool.ToolLog;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.select.RecordRange;
import io.persist.tool.text.PayloadStyle;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

public class DumpToolTest {

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private Run dumpAll() {
        return ToolLog.run(storage, dump(RecordRange.ALL));
    }

    private Run dumpAs(RecordPrinter printer) {
        return ToolLog.run(storage, new DumpTool(RecordRange.ALL, printer));
    }

    private void writeOddRecords() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, "hello");
            log.append(new byte[] {0, 1, (byte) 0xFE}, 0, 3);
            ToolLog.append(log, "");
            ToolLog.append(log, "tab\t\"quoted\" \u00fc");
            ToolLog.append(log, "x".repeat(65));
        }
    }

    @Test
    void shouldPrintText() {
        writeOddRecords();
        String expected = """
                            64          1        5 C "hello"
                            96          2        3 C 0001fe
                           128          3        0 - ""
                           152          4       15 C "tab\\t\\"quoted\\" \u00fc"
                           192          5       65 C "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"...
                """;
        assertThat(dumpAs(RecordPrinter.text(PayloadStyle.PREVIEW))).isEqualTo(new Run(0, expected, ""));
    }

    @Test
    void shouldPrintJsonLines() {
        writeOddRecords();
        assertThat(dumpAs(RecordPrinter.json(PayloadStyle.BASE64)).out().lines().limit(4))
                .containsExactly(
                        "{\"position\":64,\"sequence\":1,\"length\":5,\"startsCommit\":true,\"payload\":\"aGVsbG8=\"}",
                        "{\"position\":96,\"sequence\":2,\"length\":3,\"startsCommit\":true,\"payload\":\"AAH+\"}",
                        "{\"position\":128,\"sequence\":3,\"length\":0,\"startsCommit\":false,\"payload\":\"\"}",
                        "{\"position\":152,\"sequence\":4,\"length\":15,\"startsCommit\":true,"
                                + "\"payload\":\"dGFiCSJxdW90ZWQiIMO8\"}");
        assertThat(dumpAs(RecordPrinter.json(PayloadStyle.TEXT)).out())
                .contains("\"text\":\"tab\\t\\\"quoted\\\" \\u00fc\"}");
    }

    @Test
    void shouldPrintPayloadsInEveryStyle() {
        writeOddRecords();
        assertThat(dumpAs(RecordPrinter.text(PayloadStyle.HEX)).out()).contains(" C 68656c6c6f\n");
        assertThat(dumpAs(RecordPrinter.text(PayloadStyle.BASE64)).out()).contains(" C aGVsbG8=\n");
        assertThat(dumpAs(RecordPrinter.text(PayloadStyle.TEXT)).out()).contains(" C \"\\u0000\\u0001\ufffd\"\n");
        assertThat(dumpAs(RecordPrinter.text(PayloadStyle.NONE)).out()).contains("        5 C\n");
        assertThat(dumpAs(RecordPrinter.json(PayloadStyle.HEX)).out()).contains(",\"hex\":\"0001fe\"}\n");
        assertThat(dumpAs(RecordPrinter.json(PayloadStyle.NONE)).out()).contains("\"startsCommit\":false}\n");
    }

    @Test
    void shouldSelectRanges() {
        List<Long> positions = ToolLog.closed(storage, 300);
        long middle = positions.get(149);
        long max = Long.MAX_VALUE;
        assertThat(selected(new RecordRange(0, max, 100, 103, max))).containsExactly(100L, 101L, 102L, 103L);
        assertThat(selected(new RecordRange(middle, max, 1, max, 2))).containsExactly(150L, 151L);
        assertThat(selected(new RecordRange(middle + 1, max, 1, max, 1))).containsExactly(151L);
        assertThat(selected(new RecordRange(middle, positions.get(151), 1, max, max)))
                .containsExactly(150L, 151L);
        assertThat(selected(new RecordRange(0, max, 1, max, 0))).isEmpty();
        assertThat(selected(new RecordRange(0, max, 301, max, max))).isEmpty();
        assertThat(selected(new RecordRange(0, max, 1_000_000, max, max))).isEmpty();
        assertThat(selected(new RecordRange(1L << 40, max, 1, max, max))).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecordRange(5, 4, 1, max, max))
                .withMessageContaining("toPosition=4, min=5");
    }

    private List<Long> selected(RecordRange range) {
        Run run = ToolLog.run(storage, dump(range));
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        return sequences(run.out());
    }

    @Test
    void shouldPrintWhatIsBeforeDamageAndThenSaySo() {
        List<Long> positions = ToolLog.closed(storage, 300);
        for (int index : List.of(0, 20, 150, 299)) {
            ToolLog.damage(storage, positions.get(index));
            Run run = dumpAll();
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(sequences(run.out())).isEqualTo(numbers(1, index));
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err())
                    .contains("position")
                    .contains(positions.get(index).toString());
            ToolLog.damage(storage, positions.get(index)); // undoes it
        }
    }

    @Test
    void shouldNoticeDamageThatLooksLikeUnusedSpace() {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.flip(storage, positions.get(20), 0); // a length of 32 has one bit more or less
        byte[] segment = storage.content(LogFileName.segment(0));
        System.arraycopy(new byte[8], 0, segment, (int) (long) positions.get(20), 8);
        storage.replace(LogFileName.segment(0), segment);
        Run run = dumpAll();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(sequences(run.out())).isEqualTo(numbers(1, 20));
        assertThat(run.err()).contains("nothing where a synced record was", "position=" + positions.get(20));
    }

    @Test
    void shouldNoticeAMissingSegment() throws Exception {
        ToolLog.closed(storage, 300);
        storage.delete(LogFileName.segment(SEGMENT_LENGTH));
        Run run = dumpAll();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(sequences(run.out())).isNotEmpty();
        assertThat(run.err()).contains("position=4096").contains("missing");
    }

    @Test
    void shouldFindASequenceBehindDamage() {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(20));
        Run run = ToolLog.run(storage, dump(new RecordRange(0, Long.MAX_VALUE, 280, 281, Long.MAX_VALUE)));
        assertThat(sequences(run.out())).containsExactly(280L, 281L);
    }

    /** The damage that keeps from going to a record is said, and not what is damaged far before. */
    @Test
    void shouldTellOfDamageThatBeginsASegment() {
        List<Long> positions = ToolLog.closed(storage, 300);
        int damaged = 1;
        while (positions.get(damaged) < 2 * SEGMENT_LENGTH) {
            damaged++;
        }
        ToolLog.damage(storage, positions.get(0));
        ToolLog.damage(storage, positions.get(damaged));
        long from = damaged + 2;
        Run run = ToolLog.run(storage, dump(new RecordRange(0, Long.MAX_VALUE, from, from, Long.MAX_VALUE)));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("position=" + positions.get(damaged)).hasLineCount(1);
    }

    @Test
    void shouldDumpALiveLog() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 200);
            assertThat(dumpAll()).satisfies(run -> {
                assertThat(run.code()).isZero();
                assertThat(run.err()).isEmpty();
                assertThat(sequences(run.out())).isEqualTo(numbers(1, 200));
            });
            ToolLog.append(log, 100);
            log.claim(20).payload().putLong(77); // half stored, not published
            assertThat(sequences(dumpAll().out())).isEqualTo(numbers(1, 300));
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldEndThoughAWriterIsFaster() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 200);
            Run run = ToolLog.runWhileWriting(log, storage, dump(RecordRange.ALL));
            assertThat(run.code()).isZero();
            assertThat(sequences(run.out())).isEqualTo(numbers(1, 200));
            assertThat(log.lastSequence()).isGreaterThan(400);
        }
    }

    @Test
    void shouldDumpALiveLogInFileMode() {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(SEGMENT_LENGTH)
                .writeMode(WriteMode.FILE)
                .build();
        try (Log log = Log.open(config, storage)) {
            ToolLog.append(log, 200);
            log.flush();
            ToolLog.append(log, 5);
            Run run = dumpAll();
            assertThat(run.code()).isZero();
            assertThat(run.err()).isEmpty();
            assertThat(sequences(run.out())).startsWith(1L).hasSizeGreaterThanOrEqualTo(200);
        }
    }

    @Test
    void shouldSayThatATailIsTorn() {
        CrashableStorage after = tornLog();
        Run run = ToolLog.run(after, dump(RecordRange.ALL));
        assertThat(run.code()).isZero();
        assertThat(sequences(run.out())).isEqualTo(numbers(1, 10));
        assertThat(run.err()).startsWith("persist: memory: torn tail: ").contains("never acknowledged (row ");
        assertThat(after.openHandles()).isZero();
    }

    /** A log of ten synced records, and an eleventh one of which the power cut kept a part. */
    public static CrashableStorage tornLog() {
        CrashableStorage storage = new CrashableStorage();
        Log log = ToolLog.open(storage);
        ToolLog.append(log, 10);
        log.commit(Durability.SYNCED);
        ToolLog.append(log, "y".repeat(1000));
        long position = log.lastPosition();
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_KEPT);
        assertThat(catchThrowable(log::close)).as("nothing works without power").isNotNull();
        byte[] control = after.content(LogFileName.CONTROL);
        control[16] ^= 1; // another boot
        control[192] ^= 1; // and a flushed position that did not get through
        after.replace(LogFileName.CONTROL, control);
        ToolLog.flip(after, position, 500);
        return after;
    }

    @Test
    void shouldRefuseWhatIsNotALog() {
        Run run = dumpAll();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualTo("persist: not a log: no segments, directory=memory; name the directory that a logger"
                        + " writes to\n");
    }

    public static List<Long> numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}
