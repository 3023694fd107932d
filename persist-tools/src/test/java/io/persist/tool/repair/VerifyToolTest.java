package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.command.Run;
import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.engine.Log;
import io.persist.log.segment.LogFiles;
import io.persist.support.Interposed;
import io.persist.support.NewerSegments;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.read.DumpToolTest;
import io.persist.tool.select.RecordRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifyToolTest {

    private final CrashableStorage storage = new CrashableStorage();

    private static Run verify(CrashableStorage storage) {
        return ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
    }

    private static String json(CrashableStorage storage) {
        return ToolLog.run(storage, new VerifyTool(Output.JSON, base -> {})).out();
    }

    @Test
    void shouldCallAClosedLogClean() {
        ToolLog.closed(storage, 10);
        assertThat(verify(storage)).isEqualTo(new Run(0, """
                                memory: clean
                                  10 records, sequences 1 to 10, positions 0 to 392 (392 bytes)
                                  last record at position 352, synced up to position 392
                                  its writer closed it
                                  format version 1, newest segment made by Persist 0.1.0, last opened for writing by Persist 0.1.0
                                """.replace("0.1.0", PersistVersion.CURRENT.toString()), ""));
        assertThat(json(storage))
                .startsWith("{\"log\":\"memory\",\"status\":\"clean\",\"formatVersion\":1,\"writtenBy\":\""
                        + PersistVersion.CURRENT + "\",\"row\":\"A\",\"writer\":\"closed\",\"pid\":")
                .contains(",\"writerVersion\":\"" + PersistVersion.CURRENT + "\",\"records\":10,")
                .endsWith(",\"records\":10,\"firstSequence\":1,\"lastSequence\":10,\"firstPosition\":0,"
                        + "\"lastPosition\":352,\"tailPosition\":392,\"bytes\":392,\"syncedPosition\":392,"
                        + "\"acknowledgedPosition\":392,\"flushedPosition\":0,\"missingBytes\":0,\"bytesBehind\":0,"
                        + "\"recordsBehind\":0,\"vacatedSegments\":0,\"unreadable\":[]}\n");
        assertThat(storage.openHandles()).isZero();
    }

    /** As when another version opened the log last, and went on in the newest segment. */
    @Test
    void shouldSayWhichVersionsHaveWrittenTheLog() throws IOException {
        ToolLog.closed(storage, 10);
        byte[] control = storage.content(LogFileName.CONTROL);
        new PersistVersion(0, 3, 1).put(ByteBuffer.wrap(control), ControlBlock.WRITTEN_BY_OFFSET);
        storage.replace(LogFileName.CONTROL, control);
        assertThat(verify(storage).out()).endsWith(", last opened for writing by Persist 0.3.1\n");
        assertThat(json(storage)).contains(",\"writerVersion\":\"0.3.1\",");
        for (long base : LogFiles.basePositions(storage)) {
            NewerSegments.header(
                    storage, base, header -> PersistVersion.UNKNOWN.put(header, SegmentHeader.WRITTEN_BY_OFFSET));
        }
        assertThat(verify(storage).out()).contains(", newest segment made by an unknown version, last ");
        assertThat(json(storage)).contains(",\"writtenBy\":\"\",");
    }

    @Test
    void shouldNotTakeAHalfStoredRecordOfALiveWriterForDamage() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 200);
            log.claim(100).payload().putLong(1).putLong(2);
            Run run = verify(storage);
            assertThat(run.code()).isZero();
            assertThat(run.out())
                    .startsWith("memory: live, good up to position " + log.position())
                    .contains("process " + ProcessHandle.current().pid() + " has it open for writing");
            assertThat(json(storage)).contains("\"status\":\"live\"");
        }
    }

    /** The writer rolls over several segments each time that the tool has listed the files. */
    @Test
    void shouldNotTakeAFastWriterForDamage() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 10);
            Storage racing = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
                if (call.equals("list")) {
                    ToolLog.append(log, 500);
                }
                return result;
            });
            Run run = ToolLog.run(racing, new VerifyTool(Output.TEXT, base -> {}));
            assertThat(run.out()).startsWith("memory: live");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void shouldFindDamageInALiveLog() {
        try (Log log = ToolLog.open(storage)) {
            List<Long> positions = ToolLog.append(log, 300);
            ToolLog.damage(storage, positions.get(5));
            Run run = verify(storage);
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.out()).startsWith("memory: damaged at position " + positions.get(5));
        }
    }

    @Test
    void shouldCallALogOfAKilledWriterCleanIfNothingIsTorn() {
        ToolLog.append(ToolLog.open(storage), 10);
        CrashableStorage after = storage.afterKill();
        byte[] control = after.content(LogFileName.CONTROL);
        System.arraycopy(new byte[] {-1, -1, -1, 0x7F}, 0, control, 32, 4); // the process id of nobody
        after.replace(LogFileName.CONTROL, control);
        Run run = verify(after);
        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("memory: clean").contains("ended without closing it");
    }

    /** As a writer does, and every other tool: what was cut off is not taken for zeros. */
    @Test
    void shouldMakeNoSenseOfAControlBlockThatIsCutShort() throws Exception {
        ToolLog.closed(storage, 300);
        byte[] control = storage.content(LogFileName.CONTROL);
        storage.delete(LogFileName.CONTROL);
        Run without = verify(storage);
        assertThat(without.out()).doesNotContain("its writer closed it");
        for (int length : new int[] {0, 64, 128, 200, 1024, control.length - 1}) {
            storage.replace(LogFileName.CONTROL, Arrays.copyOf(control, length));
            assertThat(verify(storage)).as("%d bytes", length).isEqualTo(without);
        }
    }

    @Test
    void shouldTellATornTail() {
        Run run = verify(DumpToolTest.tornLog());
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("memory: torn tail: 1024 bytes after position 392 were never acknowledged (row D: ")
                .contains("  10 records, sequences 1 to 10, positions 0 to 392");
        assertThat(json(DumpToolTest.tornLog())).contains("\"status\":\"torn\"").contains("\"bytesBehind\":1024");
    }

    @Test
    void shouldTellDamageAtTheBeginningInTheMiddleAndInASealedSegment() {
        List<Long> positions = ToolLog.closed(storage, 300);
        for (int index : List.of(0, 20, 150, 299)) {
            long position = positions.get(index);
            ToolLog.damage(storage, position);
            Run run = verify(storage);
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.out())
                    .startsWith("memory: damaged at position " + position + ", file "
                            + LogFileName.segment(position / 4096 * 4096) + ": no whole record (BAD_CHECKSUM)\n"
                            + "  row F: acknowledged records are damaged; acknowledged up to position ");
            assertThat(json(storage))
                    .contains("\"status\":\"damaged\"")
                    .contains("\"records\":" + index)
                    .contains("\"recordsBehind\":" + (299 - index));
            ToolLog.damage(storage, position); // undoes it
        }
        assertThat(verify(storage).code()).isZero();
    }

    @Test
    void shouldTellDamageOfAHeader() {
        ToolLog.closed(storage, 300);
        ToolLog.flip(storage, 4096, 20);
        Run run = verify(storage);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out().lines().findFirst())
                .contains("memory: damaged at position 4096, file " + LogFileName.segment(4096)
                        + ": wrong checksum of the segment header");
    }

    /** A repair would cut before it, and set every record aside. */
    @Test
    void shouldAdviseToMoveTheFirstFileAwayIfNothingIsBeforeIt() throws Exception {
        ToolLog.closed(storage, 300);
        ToolLog.flip(storage, 0, 20);
        Run run = verify(storage);
        assertThat(run.out())
                .contains(
                        "\n  what can be done: move " + LogFileName.segment(0) + " away, and the log begins after it; ")
                .contains("salvage")
                .contains("repair would set all records aside");
        storage.delete(LogFileName.segment(0));
        assertThat(verify(storage).out()).startsWith("memory: clean\n");
        ToolLog.open(storage).close();
        ToolLog.flip(storage, 8192, 20);
        assertThat(verify(storage).out()).contains("\n  what can be done: repair cuts the log at the damage");
    }

    /** After a repair these records are in no log. */
    @Test
    void shouldAdviseToSalvageWhatIsBehindTheDamage() {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(150));
        assertThat(verify(storage).out())
                .contains("\n  what can be done: salvage writes a new log of all that verifies, also of what is after"
                        + " the damage; or repair cuts the log at the damage");
    }

    @Test
    void shouldAdviseARepairIfNothingIsBehindTheDamage() {
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(299));
        assertThat(verify(storage).out())
                .contains("with no whole records\n")
                .contains(
                        "\n  what can be done: repair cuts the log at the damage and keeps everything from there on in"
                                + " files aside; so first look for a good copy of " + LogFileName.segment(8192) + "\n");
    }

    @Test
    void shouldCountTheRecordsThatAreLeftInAFileWhichWasCutShort() {
        List<Long> positions = ToolLog.closed(storage, 300);
        byte[] segment = storage.content(LogFileName.segment(4096));
        for (int length : new int[] {63, 64, 80, 104, 2000}) {
            storage.replace(LogFileName.segment(4096), Arrays.copyOf(segment, length));
            long whole = positions.stream()
                    .filter(position -> position >= 8192
                            || position > 4096 && positions.get(positions.indexOf(position) + 1) <= 4096 + length)
                    .count();
            String damage = length < 64
                    ? "the segment's length should be 4096 but is "
                    : "the segment's length should be 4096 but is " + length;
            assertThat(json(storage)).as("%d bytes", length).contains("\"recordsBehind\":" + whole + ",");
            assertThat(verify(storage).out()).contains(" records, sequences ").contains(length < 64 ? "" : damage);
        }
    }

    /** What is wrong in the file is a part of the message, and the place and the advice are in it once. */
    @Test
    void shouldSayWhatToDoOnce() {
        ToolLog.closed(storage, 300);
        storage.replace(LogFileName.segment(8192), Arrays.copyOf(storage.content(LogFileName.segment(8192)), 2000));
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> ToolLog.open(storage.afterKill()))
                .withMessageMatching(
                        "corrupt log: acknowledged records are damaged \\(row F: the segment's length should"
                                + " be 4096 but is 2000\\), acknowledged up to position \\d+, file="
                                + LogFileName.segment(8192)
                                + ", position=8192; run verify on the log: it says what can be done");
    }

    @Test
    void shouldTellItsProgress() {
        ToolLog.closed(storage, 300);
        List<Long> segments = new ArrayList<>();
        ToolLog.run(storage, new VerifyTool(Output.TEXT, segments::add));
        assertThat(segments).startsWith(0L, 4096L, 8192L);
    }

    @Test
    void shouldRefuseALogOfANewerVersion() throws Exception {
        ToolLog.closed(storage, 10);
        RepairToolTest.makeNewer(storage);
        Run run = verify(storage);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("unsupported log format: version=2").hasLineCount(1);
    }

    /** What a writer or a reader of this version does not know is not good either. */
    @Test
    void shouldRefuseARecordOfANewerVersion() {
        List<Long> positions = ToolLog.closed(storage, 10);
        String name = LogFileName.segment(0);
        ByteBuffer segment = ByteBuffer.wrap(storage.content(name)).order(ByteOrder.LITTLE_ENDIAN);
        int offset = positions.get(4).intValue();
        segment.put(offset + Frame.TYPE_OFFSET, (byte) 3);
        int checksum = new FrameChecksum(segment)
                .of(offset, Frame.length(segment, offset), segment.getLong(SegmentHeader.SALT_OFFSET), offset);
        Frame.putChecksum(segment, offset, checksum);
        storage.replace(name, segment.array());
        storage.replace(LogFileName.CONTROL, new byte[0]); // or opening it goes by what that says of its end
        String message = "unsupported frame: type=3, position=" + positions.get(4)
                + "; read it with the version of Persist that wrote it";
        Run run = verify(storage);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains(message).hasLineCount(1);
        assertThat(ToolLog.run(storage, ToolLog.dump(RecordRange.ALL)).err()).contains(message);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> ToolLog.open(storage))
                .withMessage(message);
        assertThat(storage.openHandles()).isZero();
    }
}
