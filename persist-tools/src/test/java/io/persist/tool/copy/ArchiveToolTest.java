package io.persist.tool.copy;

import static io.persist.tool.ToolLog.SEGMENT_LENGTH;
import static io.persist.tool.read.DumpToolTest.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.archive.Archive;
import io.persist.archive.ArchiveManifest;
import io.persist.command.Run;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.copy.ArchiveTool.Originals;
import io.persist.tool.read.CompareTool;
import io.persist.tool.read.CompareTool.Commits;
import io.persist.tool.select.RecordRange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchiveToolTest {

    private static final String ZIP = "old.zip";

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage place = new CrashableStorage();
    private final CrashableStorage restored = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(log.openHandles() + place.openHandles() + restored.openHandles())
                .isZero();
    }

    @Test
    void shouldMakeNoDirectoryForADamagedArchive(@TempDir Path directory) throws Exception {
        Path bad = Files.write(directory.resolve(ZIP), new byte[] {1, 2, 3});
        Run run = ToolLog.run(DirectoryStorage.open(directory), ArchiveTool.restoring(bad, directory.resolve("new")));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(directory.resolve("new")).doesNotExist();
    }

    private List<Archive> archives() {
        return List.of(Archive.zip(place, ZIP), Archive.directory(place));
    }

    private void clear(CrashableStorage storage) throws Exception {
        for (String name : storage.list()) {
            storage.delete(name);
        }
    }

    private long lastSealed() {
        return ToolLog.sequences(ToolLog.run(log, ToolLog.dump(RecordRange.ALL)).out()).stream()
                .filter(sequence -> positionOf(sequence) / SEGMENT_LENGTH < positionOf(500) / SEGMENT_LENGTH)
                .mapToLong(sequence -> sequence)
                .max()
                .orElseThrow();
    }

    private long positionOf(long sequence) {
        try (Tailer tailer = Tailer.open(log, TailerConfig.defaults())) {
            tailer.toSequence(sequence);
            return tailer.nextPosition();
        }
    }

    @Test
    void shouldMakeALogOfAnArchiveAgain() throws Exception {
        ToolLog.closed(log, 500);
        long last = lastSealed();
        for (Archive archive : archives()) {
            Run packed = ToolLog.run(log, ArchiveTool.packing(archive, Originals.KEEP));
            assertThat(packed.err()).isEmpty();
            assertThat(packed.code()).isZero();
            assertThat(packed.out())
                    .isEqualTo(
                            "memory: archived 4 segments of messages, positions 0 to 16384 (16384 bytes), sequences 1"
                                    + " to " + last + ", to archive\n");
            assertThat(archive.verify().segments()).hasSize(4);
            Run run = ToolLog.run(place, ArchiveTool.restoring(archive, restored));
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).startsWith("archive: restored 4 segments").contains("memory: clean\n");
            assertThat(restored.list())
                    .hasSize(6)
                    .contains("control", "writer.lock")
                    .filteredOn(name -> name.endsWith(".log"))
                    .hasSize(4);
            CompareTool same = CompareTool.with(
                    restored, new RecordRange(0, Long.MAX_VALUE, 1, last, 1000), Commits.COMPARE, Output.TEXT);
            assertThat(ToolLog.run(log, same).out()).startsWith("the same: " + last + " records in " + last);
            try (Log writer = ToolLog.open(restored)) {
                ToolLog.append(writer, "goes on");
                assertThat(writer.lastSequence()).isEqualTo(last + 1);
            }
            clear(place);
            clear(restored);
        }
    }

    @Test
    void shouldArchiveWhatRetentionHasLeft() {
        ToolLog.closed(log, 500);
        ToolLog.run(log, new RetainTool(RetentionRule.below(2 * SEGMENT_LENGTH), Effect.APPLY));
        Archive archive = Archive.zip(place, ZIP);
        assertThat(ToolLog.run(log, ArchiveTool.packing(archive, Originals.KEEP))
                        .out())
                .contains("2 segments of messages, positions 8192 to 16384");
        assertThat(ToolLog.run(place, ArchiveTool.restoring(archive, restored)).code())
                .isZero();
        assertThat(ToolLog.sequences(
                        ToolLog.run(restored, ToolLog.dump(RecordRange.ALL)).out()))
                .isEqualTo(numbers(archive.verify().segments().get(0).firstSequence(), lastSealed()));
    }

    @Test
    void shouldDeleteWhatNoCursorHolds() {
        ToolLog.closed(log, 500);
        long position = positionOf(250);
        try (Tailer tailer = Tailer.open(log, "billing", TailerConfig.defaults())) {
            tailer.toPosition(position);
            tailer.store();
        }
        long held = position / SEGMENT_LENGTH * SEGMENT_LENGTH;
        Run run = ToolLog.run(log, ArchiveTool.packing(Archive.zip(place, ZIP), Originals.DELETE));
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("archived 4 segments", "deleted " + held / SEGMENT_LENGTH + " segments")
                .contains("kept: " + LogFileName.segment(held) + ", because cursor billing is at position " + position);
        assertThat(log.list()).doesNotContain(LogFileName.segment(0)).contains(LogFileName.segment(held));
        new LogCursors(log).remove("billing");
        assertThat(ToolLog.run(log, ArchiveTool.packing(Archive.zip(place, "more.zip"), Originals.DELETE))
                        .out())
                .contains("archived " + (4 - held / SEGMENT_LENGTH) + " segments");
        assertThat(log.list()).contains(LogFileName.segment(16384)).doesNotContain(LogFileName.segment(12288));
    }

    /** It stays in the log, and would be in each archive from then on. */
    @Test
    void shouldLeaveTheSegmentOfTheLastRecordToTheNextArchive() {
        ToolLog.closed(log, 500);
        try (Log writer = Log.open(ToolLog.CONFIG, log)) {
            writer.roll();
        }
        Run first = ToolLog.run(log, ArchiveTool.packing(Archive.zip(place, ZIP), Originals.DELETE));
        assertThat(first.out()).contains("archived 4 segments", "deleted 4 segments");
        Run second = ToolLog.run(log, ArchiveTool.packing(Archive.zip(place, "more.zip"), Originals.DELETE));
        assertThat(second.code()).isEqualTo(ExitCode.NOTHING);
        assertThat(ToolLog.run(log, ArchiveTool.packing(Archive.zip(place, "all.zip"), Originals.KEEP))
                        .out())
                .contains("archived 1 segment ");
    }

    @Test
    void shouldDeleteNothingBeforeTheArchiveIsSynced() {
        ToolLog.closed(log, 500);
        for (Verb verb : List.of(Verb.CREATE, Verb.WRITE, Verb.SYNC, Verb.RENAME, Verb.SYNC_DIRECTORY)) {
            for (boolean zip : new boolean[] {true, false}) {
                FaultyStorage faulty = new FaultyStorage(place).fail(verb, 1);
                Archive archive = zip ? Archive.zip(faulty, ZIP) : Archive.directory(faulty);
                Run run = ToolLog.run(log, ArchiveTool.packing(archive, Originals.DELETE));
                assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
                assertThat(run.out()).isEmpty();
                assertThat(run.err()).contains("cannot archive to ").contains("Input/output error");
                assertThat(place.list()).as("after a failed " + verb).isEmpty();
                assertThat(log.list()).contains(LogFileName.segment(0));
            }
        }
    }

    static List<String> filesOfArchives() {
        return List.of(ZIP, LogFileName.segment(SEGMENT_LENGTH), ArchiveManifest.NAME);
    }

    @ParameterizedTest
    @MethodSource("filesOfArchives")
    void shouldDeleteNothingIfTheArchiveIsReadBackDifferently(String spoilt) {
        ToolLog.closed(log, 500);
        boolean isZip = spoilt.equals(ZIP);
        AtomicInteger syncs = new AtomicInteger();
        place.hook((number, what) -> {
            if (what.equals("syncDirectory") && syncs.incrementAndGet() == (isZip ? 1 : 2)) {
                spoil(spoilt); // it has its last name, and is about to count as safe
            }
        });
        Archive archive = isZip ? Archive.zip(place, ZIP) : Archive.directory(place);
        List<String> before = log.list();

        Run run = ToolLog.run(log, ArchiveTool.packing(archive, Originals.DELETE));

        assertThat(syncs).hasValueGreaterThanOrEqualTo(isZip ? 1 : 2);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("the archive archive is read back differently from what was written: ")
                .endsWith("; no segment was deleted: remove that archive, look at its disk, and archive again\n");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(log.list()).isEqualTo(before);
    }

    private void spoil(String name) {
        byte[] bytes = place.content(name);
        bytes[bytes.length / 2] ^= 1;
        place.replace(name, bytes);
    }

    @Test
    void shouldArchiveALiveLogAndDeleteNothingOfIt() {
        try (Log writer = ToolLog.open(log)) {
            ToolLog.append(writer, 500);
            writer.commit(Durability.SYNCED);
            Archive archive = Archive.zip(place, ZIP);
            Run run = ToolLog.run(log, ArchiveTool.packing(archive, Originals.DELETE));
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.out()).contains("archived 4 segments").doesNotContain("deleted");
            assertThat(run.err()).contains("log is open for writing");
            assertThat(archive.verify().segments()).hasSize(4);
            assertThat(log.list()).contains(LogFileName.segment(0));
        }
    }

    @Test
    void shouldHaveNothingToArchive() {
        ToolLog.closed(log, 5);
        Run run = ToolLog.run(log, ArchiveTool.packing(Archive.zip(place, ZIP), Originals.DELETE));
        assertThat(run)
                .isEqualTo(
                        new Run(ExitCode.NOTHING, "memory: nothing to archive, no segment is sealed and synced\n", ""));
        assertThat(place.list()).isEmpty();
        assertThat(ToolLog.run(new CrashableStorage(), ArchiveTool.packing(Archive.zip(place, ZIP), Originals.KEEP))
                        .err())
                .contains("not a log: no segments");
    }
}
