package io.persist.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import io.persist.tool.ToolLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log of 500 records in five segments, four of which are sealed. */
class ArchiveTest {

    private static final String ZIP = "a.zip";
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage place = new CrashableStorage();

    @BeforeEach
    void write() {
        try (Log writer = Log.open(CONFIG, log)) {
            for (int i = 1; i <= 500; i++) {
                byte[] payload = ("record-" + i).getBytes(StandardCharsets.UTF_8);
                writer.append(payload, 0, payload.length);
                writer.commit(Durability.BUFFERED);
            }
        }
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(log.openHandles()).isZero();
        assertThat(place.isOff() ? 0 : place.openHandles()).isZero();
    }

    /** A writer has the log, so that its segments stay when they have been archived. */
    @Test
    void shouldGoOnWhereTheArchiveBeforeEnds() {
        ArchiveManifest all = Archive.zip(place, ZIP).pack(log);
        assertThat(Archive.zip(place, "0.zip").pack(log, 0)).isEqualTo(all);
        assertThat(Archive.zip(place, "1.zip").pack(log, 2 * 4096).segments())
                .isEqualTo(all.segments().subList(2, 4));
        assertThat(Archive.zip(place, "2.zip").pack(log, 3 * 4096 - 8).segments())
                .as("the segment in which the position lies")
                .isEqualTo(all.segments().subList(2, 4));
        assertThat(Archive.zip(place, "3.zip").pack(log, 4 * 4096).segments()).isEmpty();
        assertThat(place.list()).doesNotContain("3.zip");
    }

    /** The log goes on in a segment that has no record; what it had before is sealed and synced, all of it. */
    @Test
    void shouldHaveAllOfALogWhoseSegmentWasEnded() {
        try (Log writer = Log.open(CONFIG, log)) {
            ArchiveManifest before = Archive.zip(place, "1.zip").pack(log);
            assertThat(writer.roll()).isEqualTo(5 * 4096 + 64);
            writer.sync();
            ArchiveManifest running = Archive.zip(place, "3.zip").pack(log, before.endPosition());
            assertThat(running.segments()).hasSize(1);
            assertThat(running.endPosition()).isEqualTo(5 * 4096);
            assertThat(running.segments().get(0).nextSequence()).isEqualTo(501);
            assertThat(Archive.zip(place, "4.zip")
                            .pack(log, running.endPosition())
                            .segments())
                    .isEmpty();
        }
        CrashableStorage restored = new CrashableStorage();
        ArchiveManifest closed = Archive.zip(place, ZIP).pack(log);
        assertThat(closed.segments()).hasSize(5);
        assertThat(Archive.zip(place, ZIP).restore(restored)).isEqualTo(closed);
        assertThat(records(restored, 0)).hasSize(500).isEqualTo(records(log, 0));
        assertThat(Archive.zip(place, "again.zip").pack(restored).segments()).hasSize(5);
        assertThat(Archive.zip(place, "5.zip")
                        .pack(restored, closed.endPosition())
                        .segments())
                .as("no segment is behind it yet")
                .isEmpty();
        assertThat(Archive.zip(place, "6.zip")
                        .pack(restored, closed.endPosition() - 8)
                        .segments())
                .isEqualTo(closed.segments().subList(4, 5));
        try (Log goesOn = Log.open(CONFIG, restored)) {
            assertThat(goesOn.lastSequence()).isEqualTo(500);
            goesOn.append(new byte[1], 0, 1);
            assertThat(goesOn.lastSequence()).isEqualTo(501);
        }
        assertThat(restored.openHandles()).isZero();
    }

    /**
     * A power cut takes sealed segments that are not synced, and the log writes them anew. What they have then is in an
     * archive, or in the log, though the next archive goes on where the first one ends.
     */
    @Test
    void shouldGoOnWhereTheArchiveBeforeEndsAfterAPowerCut() {
        CrashableStorage written = new CrashableStorage();
        Log writer = Log.open(CONFIG, written);
        appendUntilRolled(writer, "synced", 2);
        writer.commit(Durability.SYNCED);
        appendUntilRolled(writer, "lost", 3);
        ArchiveManifest first = Archive.zip(place, "1.zip").pack(written);
        CrashableStorage after = written.crash(new Random(1), Loss.ALL_LOST);
        assertThatThrownBy(writer::close).isInstanceOf(LogIOException.class);

        try (Log again = Log.open(CONFIG, after)) {
            appendUntilRolled(again, "acknowledged", 6);
            again.commit(Durability.SYNCED);
            assertThat(again.position()).isGreaterThan(first.endPosition());
        }
        ArchiveManifest second = Archive.zip(place, "2.zip").pack(after, first.endPosition());

        List<String> all = records(after, 0);
        List<String> kept = new ArrayList<>();
        for (String name : List.of("1.zip", "2.zip")) {
            CrashableStorage restored = new CrashableStorage();
            Archive.zip(place, name).restore(restored);
            kept.addAll(records(restored, 0));
        }
        kept.addAll(records(after, second.endPosition()));
        assertThat(kept).isEqualTo(all);
        assertThat(first.endPosition()).isPositive();
        assertThat(second.segments().get(0).basePosition()).isEqualTo(first.endPosition());
    }

    private static void appendUntilRolled(Log writer, String text, int count) {
        long goal = writer.statistics().rolls() + count;
        while (writer.statistics().rolls() < goal) {
            byte[] payload = (text + (writer.lastSequence() + 1)).getBytes(StandardCharsets.UTF_8);
            writer.append(payload, 0, payload.length);
            writer.commit(Durability.BUFFERED);
        }
    }

    private static List<String> records(CrashableStorage storage, long fromPosition) {
        List<String> records = new ArrayList<>();
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            while (tailer.next()) {
                if (tailer.position() >= fromPosition) {
                    records.add(StandardCharsets.UTF_8
                            .decode(tailer.payloadUntilNext())
                            .toString());
                }
            }
        }
        return records;
    }

    @Test
    void shouldRefuseToGoOnWhereTheLogIsNot() throws IOException {
        assertThatThrownBy(() -> Archive.zip(place, ZIP).pack(log, 9 * 4096))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(", before fromPosition=36864: it went back");
        log.delete(LogFileName.segment(0));
        assertThatThrownBy(() -> Archive.zip(place, ZIP).pack(log, 0))
                .isInstanceOf(RetiredException.class)
                .hasMessageContaining("fromPosition=0, first=4096; archive from there");
        assertThat(place.list()).isEmpty();
    }

    @Test
    void shouldSayWhatIsInTheArchive() {
        ArchiveManifest manifest = Archive.directory(place).pack(log);
        assertThat(manifest.content()).isEqualTo(LogContent.MESSAGES);
        assertThat(manifest.bytes()).isEqualTo(4 * 4096);
        assertThat(manifest.segments().get(0).firstSequence()).isEqualTo(1);
        assertThat(manifest.records()).isEqualTo(manifest.segments().get(3).nextSequence() - 1);
        assertThat(place.list())
                .containsExactlyInAnyOrder(
                        ArchiveManifest.NAME,
                        LogFileName.segment(0),
                        LogFileName.segment(4096),
                        LogFileName.segment(8192),
                        LogFileName.segment(12288));
        String text = new String(place.content(ArchiveManifest.NAME), StandardCharsets.UTF_8);
        assertThat(text)
                .startsWith("persist-archive 1\nby " + PersistVersion.CURRENT + "\nlog ")
                .containsPattern(" messages\nsegment 00000000000000000000.log 0 4096 1 102 [0-9a-f]{8}\n")
                .containsPattern("\nend 4 [0-9a-f]{8}\n$");
        assertThat(Archive.directory(place).verify()).isEqualTo(manifest);
        assertThat(Archive.zip(place, ZIP).pack(log)).isEqualTo(manifest);
        assertThat(Archive.zip(place, ZIP).verify()).isEqualTo(manifest);
    }

    @Test
    void shouldRefuseADamagedSegmentAndLeaveNothing() {
        for (int at : new int[] {4, 70, 100, 4096 + 2000, 3 * 4096 + 90}) {
            flip(log, LogFileName.segment(at / 4096 * 4096), at % 4096);
            for (Archive archive : List.of(Archive.zip(place, ZIP), Archive.directory(place))) {
                assertThatThrownBy(() -> archive.pack(log))
                        .isInstanceOf(CorruptLogException.class)
                        .hasMessageContaining("file=" + LogFileName.segment(at / 4096 * 4096))
                        .hasMessageContaining("run verify on the log");
                assertThat(place.list()).isEmpty();
            }
            flip(log, LogFileName.segment(at / 4096 * 4096), at % 4096); // undoes it
        }
        Archive.zip(place, ZIP).pack(log);
    }

    @Test
    void shouldNameTheFileThatIsDamagedInAZipFile() {
        Archive archive = Archive.zip(place, ZIP);
        archive.pack(log);
        byte[] bytes = place.content(ZIP);
        int name = new String(bytes, ISO_8859_1).indexOf(LogFileName.segment(0));
        bytes[name + 60] ^= 1;
        place.replace(ZIP, bytes);
        assertThatThrownBy(archive::verify)
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("the file " + LogFileName.segment(0) + " in it is damaged: ")
                .hasMessageEndingWith("; take another copy of the zip file");
    }

    @Test
    void shouldRefuseALogWithAGap() throws IOException {
        log.delete(LogFileName.segment(4096));
        assertThatThrownBy(() -> Archive.zip(place, ZIP).pack(log))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("the segment is missing, file=" + LogFileName.segment(4096));
        assertThat(place.list()).isEmpty();
    }

    @Test
    void shouldNoticeThatASegmentIsTakenAwayMeanwhile() {
        AtomicBoolean isTaken = new AtomicBoolean();
        place.hook((number, what) -> {
            if (what.startsWith("write ") && isTaken.compareAndSet(false, true)) {
                log.rename(LogFileName.segment(4096), LogFileName.segment(4096) + ".spare");
            }
        });
        assertThatThrownBy(() -> Archive.directory(place).pack(log))
                .isInstanceOf(RetiredException.class)
                .hasMessageContaining("file=" + LogFileName.segment(4096) + "; archive the log again");
        assertThat(isTaken).isTrue();
        assertThat(place.list()).isEmpty();
    }

    @Test
    void shouldNoticeThatASegmentIsUsedAgainWhileItIsCopied() {
        byte[] other = log.content(LogFileName.segment(0)).clone();
        AtomicBoolean isTaken = new AtomicBoolean();
        place.hook((number, what) -> {
            if (what.startsWith("write " + LogFileName.segment(0)) && isTaken.compareAndSet(false, true)) {
                log.delete(LogFileName.segment(0));
                other[36] ^= 1; // the salt
                log.replace(LogFileName.segment(0), withHeaderChecksum(other));
            }
        });
        assertThatThrownBy(() -> Archive.directory(place).pack(log)).isInstanceOf(RetiredException.class);
        assertThat(place.list()).isEmpty();
    }

    private static byte[] withHeaderChecksum(byte[] segment) {
        CRC32C crc = new CRC32C();
        crc.update(segment, 0, 60);
        ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN).putInt(60, (int) crc.getValue());
        return segment;
    }

    @Test
    void shouldNotTakeThePlaceOfAnything() {
        Archive.zip(place, ZIP).pack(log);
        byte[] before = place.content(ZIP);
        assertThatThrownBy(() -> Archive.zip(place, ZIP).pack(log))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("file exists already: a.zip; choose another name");
        assertThat(place.content(ZIP)).isEqualTo(before);
        assertThatThrownBy(() -> Archive.directory(place).pack(log)).hasMessageContaining("directory is not empty");
        assertThatThrownBy(() -> Archive.zip(place, ZIP).restore(place)).hasMessageContaining("directory is not empty");
        assertThat(place.list()).containsExactly(ZIP);
    }

    /** Packing takes minutes, and the name was free when it began. */
    @Test
    void shouldNotReplaceWhatHasGotTheNameMeanwhile() {
        byte[] other = {1, 2, 3};
        place.hook((number, what) -> {
            if (what.equals("sync " + ZIP + ".tmp")) {
                place.hook((later, nothing) -> {});
                place.replace(ZIP, other);
            }
        });
        assertThatThrownBy(() -> Archive.zip(place, ZIP).pack(log))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("something else has made this file meanwhile: file=a.zip, directory=memory")
                .hasMessageContaining("choose another name");
        assertThat(place.content(ZIP)).isEqualTo(other);
        assertThat(place.list()).containsExactly(ZIP);
    }

    @Test
    void shouldKeepWritersOutOfWhatItRestores() {
        Archive.zip(place, ZIP).pack(log);
        CrashableStorage target = new CrashableStorage();
        List<String> steps = ToolLog.refusingWriters(target);
        Archive.zip(place, ZIP).restore(target);
        assertThat(steps).hasSizeGreaterThan(10);
    }

    /** A log of which the last segments are missing is not taken for a shorter one. */
    @Test
    void shouldLeaveNothingThatOpensIfARestoreIsKilled() {
        Archive archive = Archive.zip(place, ZIP);
        long records = archive.pack(log).records();
        AtomicInteger renames = new AtomicInteger();
        archive.restore(new CrashableStorage().hook((number, what) -> {
            renames.addAndGet(what.startsWith("rename ") ? 1 : 0);
        }));
        assertThat(renames).hasValueGreaterThan(4);
        for (int killed = 1; killed <= renames.get(); killed++) {
            int last = killed;
            AtomicInteger left = new AtomicInteger();
            CrashableStorage target = new CrashableStorage().hook((number, what) -> {
                if (what.startsWith("rename ") && left.incrementAndGet() == last) {
                    throw new PowerCut("killed before: " + what);
                }
            });
            assertThatThrownBy(() -> archive.restore(target)).isInstanceOf(PowerCut.class);
            try (Log opened = Log.open(CONFIG, target.afterKill())) {
                assertThat(opened.lastSequence())
                        .as("killed before rename " + last)
                        .isIn(0L, records);
            } catch (CorruptLogException refused) {
                assertThat(last).isGreaterThan(1);
            }
        }
    }

    @Test
    void shouldSayWhatToDoAboutWhatAKilledRunHasLeft() {
        place.replace(ZIP + ".tmp", new byte[] {1});
        assertThatThrownBy(() -> Archive.zip(place, ZIP).pack(log))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("file exists already: a.zip.tmp; a run that was killed has left it, or one is"
                        + " under way: if none is, delete it and try again");
        assertThat(place.list()).containsExactly(ZIP + ".tmp");
        CrashableStorage directory = new CrashableStorage();
        String left = LogFileName.segment(0) + ".tmp";
        directory.replace(left, new byte[] {1});
        assertThatThrownBy(() -> Archive.directory(directory).pack(log))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("a run that was killed may have left " + left + ", or one is under way: if none"
                        + " is, delete what ends with .tmp, and try again");
        directory.replace(LogFileName.segment(4096), new byte[] {1});
        assertThatThrownBy(() -> Archive.directory(directory).pack(log))
                .hasMessageContaining("; name an empty one, or one to be made");
    }

    /** An application has begun a log there since the directory was found empty. */
    @Test
    void shouldNotReplaceFilesWithThoseOfAnArchive() {
        String first = LogFileName.segment(0);
        place.hook((number, what) -> {
            if (what.equals("create MANIFEST.tmp")) {
                place.replace(first, new byte[] {1});
            }
        });
        assertThatThrownBy(() -> Archive.directory(place).pack(log))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("something else has made this file meanwhile: file=" + first);
        assertThat(place.list()).containsExactly(first);
        assertThat(place.content(first)).containsExactly(1);
    }

    /** After a power cut at any moment there is no archive, or a whole one; what was promised is there. */
    @Test
    void shouldBeWholeOrNotThereAfterAPowerCut() {
        CrashableStorage counted = new CrashableStorage();
        Archive.zip(counted, ZIP).pack(log);
        Seeds.run(40, seed -> {
            Random random = new Random(seed);
            boolean zip = random.nextBoolean();
            CrashableStorage target = new CrashableStorage();
            target.cutPowerAt(1 + random.nextInt(zip ? counted.operations() + 2 : 40));
            boolean isPromised = false;
            try {
                (zip ? Archive.zip(target, ZIP) : Archive.directory(target)).pack(log);
                isPromised = true;
            } catch (PowerCut | PersistException expected) {
                // It came before the end.
            }
            Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
            CrashableStorage after = target.crash(random, loss);
            boolean isThere = after.list().contains(zip ? ZIP : ArchiveManifest.NAME);
            assertThat(isThere || !isPromised).isTrue();
            if (isThere) {
                Archive archive = zip ? Archive.zip(after, ZIP) : Archive.directory(after);
                assertThat(archive.verify().segments()).hasSize(4);
            }
        });
    }

    /** Nobody who changes a byte of what is restored gets away with it. */
    @Test
    void shouldRestoreNothingFromADamagedArchive() {
        Archive.zip(place, ZIP).pack(log);
        byte[] zip = place.content(ZIP);
        Map<String, byte[]> files = Zips.unzip(zip);
        int end = endOfEntries(zip);
        Seeds.run(60, seed -> {
            Random random = new Random(seed);
            byte[] damaged = zip.clone();
            if (random.nextInt(4) == 0) {
                damaged = Arrays.copyOf(zip, random.nextInt(end));
            } else {
                damaged[random.nextInt(end)] ^= (byte) (1 << random.nextInt(8));
            }
            CrashableStorage bad = new CrashableStorage();
            bad.replace(ZIP, damaged);
            CrashableStorage target = new CrashableStorage();
            try {
                Archive.zip(bad, ZIP).restore(target);
                // A bit that means nothing, such as of a time: all is as it was.
                assertThat(target.list()).hasSize(6).contains(LogFileName.LOCK);
                target.list().stream()
                        .filter(name -> name.endsWith(".log"))
                        .forEach(name -> assertThat(target.content(name)).isEqualTo(files.get(name)));
            } catch (PersistException | IllegalArgumentException expected) {
                assertThat(target.list()).isEmpty();
            }
            assertThat(bad.openHandles() + target.openHandles()).isZero();
        });
    }

    private static int endOfEntries(byte[] zip) {
        String bytes = new String(zip, StandardCharsets.ISO_8859_1);
        return bytes.indexOf("PK\u0001\u0002"); // the directory, which is not read
    }

    @Test
    void shouldNoticeWhatDoesNotBelongToTheArchive() {
        Archive.zip(place, ZIP).pack(log);
        Map<String, byte[]> files = Zips.unzip(place.content(ZIP));
        for (String name : List.of(
                "../evil.log",
                "/etc/passwd",
                "..",
                "a/" + LogFileName.segment(0),
                "other",
                "..\\" + LogFileName.segment(0),
                "")) {
            Map<String, byte[]> more = new LinkedHashMap<>(Map.of(name, new byte[10]));
            more.putAll(files);
            assertBad(more, "an archive has no such file, or not twice: '" + name + "'");
        }
        Map<String, byte[]> ofABackup = new LinkedHashMap<>(Map.of(LogFileName.CONTROL, new byte[10]));
        ofABackup.putAll(files);
        assertBad(ofABackup, UnsupportedFormatException.class, "not an archive but a backup", "use restore");
        Map<String, byte[]> more = new TreeMap<>(files);
        more.put(LogFileName.segment(16384), new byte[4096]);
        assertBad(more, "the manifest does not have " + LogFileName.segment(16384));
        Map<String, byte[]> less = new TreeMap<>(files);
        less.remove(LogFileName.segment(4096));
        assertBad(less, "the segment is missing, file=" + LogFileName.segment(4096));
        less.remove(ArchiveManifest.NAME);
        assertBad(
                less,
                UnsupportedFormatException.class,
                "not an archive: there is no manifest",
                "name what the command archive has made");
        Map<String, byte[]> shorter = new TreeMap<>(files);
        shorter.put(LogFileName.segment(0), new byte[100]);
        assertBad(shorter, "length should be 4096 but is 100");
        Map<String, byte[]> other = new TreeMap<>(files);
        other.put(LogFileName.segment(0), new byte[4096]);
        assertBad(other, "the segment's CRC32C should be ");
    }

    private void assertBad(Map<String, byte[]> files, String message) {
        assertBad(files, CorruptLogException.class, message, "take another copy");
    }

    private void assertBad(
            Map<String, byte[]> files, Class<? extends PersistException> type, String message, String advice) {
        place.replace("bad.zip", Zips.zip(files));
        Archive archive = Archive.zip(place, "bad.zip");
        assertThatThrownBy(archive::verify)
                .isInstanceOf(type)
                .hasMessageContaining(message)
                .hasMessageContaining(advice);
        CrashableStorage target = new CrashableStorage();
        assertThatThrownBy(() -> archive.restore(target)).hasMessageContaining(message);
        assertThat(target.list()).isEmpty();
    }

    @Test
    void shouldKeepAVacatedSegment() {
        CrashableStorage vacated = new CrashableStorage();
        try (Log writer = Log.open(CONFIG, vacated)) {
            for (int i = 1; i <= 500; i++) {
                writer.append(new byte[8], 0, 8);
            }
            writer.commit(Durability.SYNCED);
            assertThat(writer.vacate(4096)).isTrue();
        }
        ArchiveManifest manifest = Archive.zip(place, ZIP).pack(vacated);
        ArchivedSegment empty = manifest.segments().get(1);
        assertThat(empty.firstSequence()).isEqualTo(empty.nextSequence());
        CrashableStorage target = new CrashableStorage();
        assertThat(Archive.zip(place, ZIP).restore(target)).isEqualTo(manifest);
        assertThat(new LogInspector(target)
                        .inspect(Start.BEGINNING)
                        .findings()
                        .row()
                        .decision())
                .isEqualTo(Decision.END);
    }

    private static void flip(CrashableStorage storage, String name, int at) {
        byte[] bytes = storage.content(name);
        bytes[at] ^= 4;
        storage.replace(name, bytes);
    }
}
