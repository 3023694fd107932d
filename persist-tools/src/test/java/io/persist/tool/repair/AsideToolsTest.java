package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.command.Run;
import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.recovery.AsideFile;
import io.persist.log.recovery.LogRepair;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolRunner;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.TailTool;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.select.RecordRange;
import io.persist.tool.text.PayloadStyle;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What recovery and repair set aside is read wherever it was copied to, whatever has become of the log. */
class AsideToolsTest {

    private static final String FIRST = LogFileName.segment(0);

    private final CrashableStorage storage = new CrashableStorage();

    /** Ten synced records; then of an eleventh a part, and two whole ones, which recovery cuts off with it. */
    private static CrashableStorage cut() {
        CrashableStorage storage = new CrashableStorage();
        Log log = ToolLog.open(storage);
        ToolLog.append(log, 10);
        log.commit(Durability.SYNCED);
        long torn = log.position();
        ToolLog.append(log, 3);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_KEPT);
        assertThat(catchThrowable(log::close)).isNotNull();
        byte[] control = after.content(LogFileName.CONTROL);
        control[16] ^= 1; // another boot
        after.replace(LogFileName.CONTROL, control);
        ToolLog.damage(after, torn);
        try (Log recovered = ToolLog.open(after)) {
            assertThat(recovered.recovery().cut().records()).isEqualTo(2);
            ToolLog.append(recovered, 500);
        }
        return after;
    }

    /** The one file that was set aside, alone in another directory. */
    private static CrashableStorage alone(CrashableStorage log, String name) throws Exception {
        CrashableStorage elsewhere = new CrashableStorage();
        elsewhere.create(name).close();
        elsewhere.replace(name, log.content(name));
        return elsewhere;
    }

    private static List<String> asides(CrashableStorage storage) {
        return storage.list().stream()
                .filter(name -> name.endsWith(".aside") && name.contains(".log."))
                .sorted()
                .toList();
    }

    private static Run run(LogTool tool, CrashableStorage directory, String name) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = tool.runAside(AsideFile.open(directory, name), ToolLog.print(out), ToolLog.print(err));
        return new Run(code, ToolLog.text(out), ToolLog.text(err));
    }

    @Test
    void shouldReadWhatRecoveryCutOff() throws Exception {
        String name = FIRST + ".at-392.1.aside";
        CrashableStorage cut = cut();
        assertThat(asides(cut)).containsExactly(name);
        CrashableStorage elsewhere = alone(cut, name);
        Run dump = run(ToolLog.dump(RecordRange.ALL), elsewhere, name);
        assertThat(ToolLog.sequences(dump.out())).containsExactly(12L, 13L);
        assertThat(dump.out())
                .contains("\"position\":432")
                .contains("record-12")
                .contains("record-13");
        assertThat(dump.err())
                .isEqualTo("persist: memory/" + name
                        + ": from position 392 to 432, where record 12 begins, is left out:" + " it is damaged\n");
        assertThat(dump.code()).isEqualTo(ExitCode.FAILURE);

        assertThat(run(new VerifyTool(Output.TEXT, base -> {}), elsewhere, name))
                .isEqualTo(new Run(1, """
                        memory/00000000000000000000.log.at-392.1.aside: set aside, cut off a log at position 392
                          2 records verify, sequences 12 to 13, 18 bytes
                          not whole: records up to 11, positions 392 to 432: no whole record (BAD_CHECKSUM)
                        """, ""));
        assertThat(run(new VerifyTool(Output.JSON, base -> {}), elsewhere, name).out())
                .startsWith("{\"log\":\"memory/" + name + "\",\"status\":\"aside\",\"position\":392,\"records\":2,")
                .contains("\"missing\":[{")
                .endsWith("}]}\n");
        assertThat(elsewhere.openHandles()).isZero();
    }

    @Test
    void shouldMakeALogOfWhatWasCutOff() throws Exception {
        String name = FIRST + ".at-392.1.aside";
        CrashableStorage made = new CrashableStorage();
        Run run = run(new SalvageTool(() -> made, Output.TEXT, OldValues.REFUSE), alone(cut(), name), name);
        assertThat(run.code()).isEqualTo(ExitCode.LOSSES);
        assertThat(run.out())
                .startsWith("memory/" + name + ": 2 records verify, sequences 12 to 13, 18 bytes; written");
        assertThat(ToolLog.run(made, ToolLog.dump(RecordRange.ALL)).out())
                .contains("record-12")
                .contains("record-13");
    }

    /** The last part of a segment, and whole ones behind it: every record of them, and one with a damaged header. */
    @Test
    void shouldReadEverythingThatRepairSetAside() throws Exception {
        List<Long> positions = ToolLog.closed(storage, 600);
        ToolLog.damage(storage, positions.get(20));
        ToolLog.flip(storage, 8192, SegmentHeader.CHECKSUM_OFFSET);
        new LogRepair(storage).repair();
        List<Long> found = new ArrayList<>();
        for (String name : asides(storage)) {
            Run dump = run(ToolLog.dump(RecordRange.ALL), alone(storage, name), name);
            boolean isWhole = !name.contains(".at-8192.") && !name.startsWith(FIRST);
            assertThat(dump.code()).as(name).isEqualTo(isWhole ? ExitCode.OK : ExitCode.FAILURE);
            found.addAll(ToolLog.sequences(dump.out()));
        }
        List<Long> expected = new ArrayList<>();
        for (int i = 21; i < positions.size(); i++) {
            if (positions.get(i) / 4096 != 2) {
                expected.add(i + 1L);
            }
        }
        assertThat(found).isEqualTo(expected);
        Run verify = run(
                new VerifyTool(Output.TEXT, base -> {}),
                storage,
                asides(storage).get(1));
        assertThat(verify.code()).as(verify.out()).isZero();
        assertThat(verify.out()).contains("nothing else is in it");
    }

    /** A segment that is full to its end leaves as much room behind its records as before. */
    @Test
    void shouldReadTheEndOfAFullSegment() throws Exception {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(0));
        new LogRepair(storage).repair();
        String name = FIRST + ".at-64.1.aside";
        Run dump = run(ToolLog.dump(RecordRange.ALL), storage, name);
        assertThat(ToolLog.sequences(dump.out()))
                .containsExactlyElementsOf(positions.stream()
                        .filter(position -> position > 64 && position < 4096)
                        .map(position -> (long) positions.indexOf(position) + 1)
                        .toList());
    }

    /** The zeros at the end of the last record are part of it. */
    @Test
    void shouldReadALastRecordThatEndsWithZeros() throws Exception {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(16 << 10).build();
        try (Log log = Log.open(config, storage)) {
            byte[] payload = new byte[1000];
            Arrays.fill(payload, 0, 900, (byte) 7);
            for (int i = 1; i <= 6; i++) {
                log.append(payload, 0, payload.length);
            }
        }
        ToolLog.damage(storage, SegmentHeader.LENGTH);
        new LogRepair(storage).repair();
        String name = FIRST + ".at-64.1.aside";
        Run dump = run(ToolLog.dump(RecordRange.ALL), alone(storage, name), name);
        assertThat(ToolLog.sequences(dump.out())).containsExactly(2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void shouldSayWhatCannotBeRead() throws Exception {
        CrashableStorage cut = cut();
        String name = FIRST + ".at-392.1.aside";
        byte[] whole = cut.content(name);
        CrashableStorage headerless = alone(cut, name);
        headerless.replace(name, Arrays.copyOfRange(whole, SegmentHeader.LENGTH, whole.length));
        assertThatThrownBy(() -> AsideFile.open(headerless, name))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("file=" + name + ", position=392")
                .hasMessageContaining("does not begin with a segment's header");
        headerless.replace(name, new byte[0]);
        assertThatThrownBy(() -> AsideFile.open(headerless, name)).isInstanceOf(CorruptLogException.class);
        for (String other : List.of("control.at-392.1.aside", "checkpoint-00000000000000016480.chk.aside")) {
            CrashableStorage elsewhere = new CrashableStorage();
            elsewhere.create(other).close();
            elsewhere.replace(other, new byte[4096]);
            assertThatThrownBy(() -> AsideFile.open(elsewhere, other))
                    .isInstanceOf(UnsupportedFormatException.class)
                    .hasMessageContaining("not cut off a log: file=" + other);
        }
    }

    /** A header may say anything. */
    @Test
    void shouldRefuseHostileHeaders() throws Exception {
        for (long base : new long[] {-64, Long.MIN_VALUE, LogFileName.BASE_LIMIT, Long.MAX_VALUE}) {
            CrashableStorage hostile = new CrashableStorage();
            hostile.create("x.aside").close();
            byte[] file = new byte[4096];
            System.arraycopy(new SegmentHeader(base, file.length, 1, 2, 3).encode(), 0, file, 0, SegmentHeader.LENGTH);
            hostile.replace("x.aside", file);
            assertThatThrownBy(() -> AsideFile.open(hostile, "x.aside"))
                    .isInstanceOf(UnsupportedFormatException.class)
                    .hasMessageContaining("not cut off a log");
            String far = FIRST + ".at-9999999999999999999.1.aside";
            hostile.rename("x.aside", far);
            assertThatThrownBy(() -> AsideFile.open(hostile, far)).isInstanceOf(UnsupportedFormatException.class);
        }
    }

    @Test
    void shouldReadACopyThatWasCutShortOrHasAnotherName() throws Exception {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(0));
        new LogRepair(storage).repair();
        byte[] whole = storage.content(FIRST + ".at-64.1.aside");
        CrashableStorage copy = new CrashableStorage();
        copy.create("evidence.aside").close();
        copy.replace("evidence.aside", Arrays.copyOf(whole, 980));
        Run verify = run(new VerifyTool(Output.TEXT, base -> {}), copy, "evidence.aside");
        assertThat(verify.out())
                .contains("23 records verify, sequences 2 to 24")
                .contains("records from 25 on");
        assertThat(verify.code()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void shouldBeFoundByItsPath(@TempDir Path directory) throws Exception {
        String name = FIRST + ".at-392.1.aside";
        Path file = Files.write(directory.resolve(name), cut().content(name));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = ToolRunner.run(List.of(file), ToolLog.dump(RecordRange.ALL), ToolLog.print(out), ToolLog.print(err));
        assertThat(code).isEqualTo(ExitCode.FAILURE);
        assertThat(ToolLog.sequences(ToolLog.text(out))).containsExactly(12L, 13L);
        err.reset();
        code = ToolRunner.run(
                List.of(file),
                TailTool.last(1, RecordPrinter.json(PayloadStyle.NONE)),
                ToolLog.print(out),
                ToolLog.print(err));
        assertThat(code).isEqualTo(ExitCode.FAILURE);
        assertThat(ToolLog.text(err))
                .isEqualTo("persist: " + DirectoryStorage.open(directory).description() + "/" + name
                        + ": was set aside and is no log; dump and verify read it, and salvage makes a log of it that"
                        + " every command reads\n");
    }
}
