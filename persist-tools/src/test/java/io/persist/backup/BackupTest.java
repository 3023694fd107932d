package io.persist.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.archive.Archive;
import io.persist.archive.ArchiveManifest;
import io.persist.backup.Backup.Taken;
import io.persist.backup.BackupOptions.Reading;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.control.NewLogHold;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import io.persist.monitor.WriterState;
import io.persist.support.NewerSegments;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import io.persist.tool.ToolLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupTest {

    private static final String ZIP = "b.zip";
    private static final BackupOptions READING_ALL = BackupOptions.DEFAULT.with(Reading.ALL);
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage place = new CrashableStorage();
    private final Backup directory = Backup.directory(place);

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(place.isOff() ? 0 : place.openHandles()).isZero();
    }

    private static void append(CrashableStorage storage, int count) {
        try (Log writer = Log.open(CONFIG, storage)) {
            Records.append(writer, count);
        }
    }

    /** Reads all of a log; returns the number of its last record. */
    private static long read(CrashableStorage storage, long first) {
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            return Records.readOn(tailer, first) - 1;
        }
    }

    private static CrashableStorage restored(Backup backup) {
        CrashableStorage target = new CrashableStorage();
        backup.restore(target);
        return target;
    }

    @Test
    void shouldHaveAllUpToThePositionAndGoOnFromThere() {
        append(log, 200);
        for (Backup backup : List.of(directory, Backup.zip(new CrashableStorage(), ZIP))) {
            BackupManifest manifest = backup.take(log, log).manifest();
            assertThat(manifest.lastSequence()).isEqualTo(200);
            assertThat(backup.verify()).isEqualTo(manifest);
            CrashableStorage target = restored(backup);
            assertThat(read(target, 1)).isEqualTo(200);
            try (Log writer = Log.open(CONFIG, target)) {
                assertThat(writer.recovery().start()).isEqualTo(Left.CLOSED);
                assertThat(writer.position()).isEqualTo(manifest.endPosition());
                Records.append(writer, 50);
            }
            assertThat(read(target, 1)).isEqualTo(250);
        }
        assertThat(read(place, 1)).as("the directory itself is read").isEqualTo(200);
        assertThat(new LogInspector(place).inspect(Start.BEGINNING).writer()).isEqualTo(WriterState.CLOSED);
    }

    @Test
    void shouldCopyOnlyWhatIsNewOrHasChanged() {
        append(log, 200);
        int all = directory.take(log, log).written();
        assertThat(all).isGreaterThan(5);
        int before = place.operations();
        assertThat(directory.take(log, log).written()).isZero();
        assertThat(place.list()).doesNotContain("MANIFEST.next", "control.tmp");
        List<String> created = new ArrayList<>();
        place.hook((number, what) -> {
            if (what.startsWith("create ")) {
                created.add(what);
            }
        });
        append(log, 1);
        Taken more = directory.take(log, log);
        assertThat(more.written()).as("the last segment and the control block").isEqualTo(2);
        assertThat(created).hasSize(3).noneMatch(what -> what.contains(LogFileName.segment(0)));
        assertThat(place.operations()).isGreaterThan(before);
        assertThat(read(place, 1)).isEqualTo(201);
    }

    @Test
    void shouldTellWhereEachSegmentBegins() {
        append(log, 60);
        List<Long> told = new ArrayList<>();
        Backup telling = directory.with(BackupOptions.DEFAULT.telling(told::add));
        List<Long> bases = List.of(0L, 4096L);
        for (Runnable work : List.<Runnable>of(
                () -> telling.take(log, log), telling::verify, () -> telling.restore(new CrashableStorage()))) {
            told.clear();
            work.run();
            assertThat(told).startsWith(0L).hasSameElementsAs(bases);
        }
    }

    @Test
    void shouldFollowALogThatRetiresSegments() {
        append(log, 200);
        directory.take(log, log);
        try (Log writer = Log.open(CONFIG, log)) {
            writer.retire(writer.planRetention(RetentionRule.below(3 * 4096)), Retirement.RECYCLE);
            Records.append(writer, 100);
        }
        directory.take(log, log);
        assertThat(place.list()).doesNotContain(LogFileName.segment(0)).contains(LogFileName.segment(3 * 4096));
        directory.verify();
        CrashableStorage target = restored(directory);
        try (Tailer tailer = Tailer.open(target, TailerConfig.defaults());
                Tailer original = Tailer.open(log, TailerConfig.defaults())) {
            assertThat(tailer.logId()).isEqualTo(original.logId()).isNotZero();
            tailer.next();
            assertThat(read(target, tailer.sequence())).isEqualTo(300);
        }
    }

    /** A file of the backup that has gone bad is copied again by a run that reads all. Another one trusts it. */
    @Test
    void shouldHealWhatIsDamagedInTheBackup() {
        append(log, 200);
        directory.take(log, log);
        byte[] bytes = place.content(LogFileName.segment(4096));
        bytes[100] ^= 1;
        place.replace(LogFileName.segment(4096), bytes);
        assertThatThrownBy(directory::verify)
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("file=" + LogFileName.segment(4096))
                .hasMessageContaining("the CRC32C should be ")
                .hasMessageContaining("bring it up to date with --readAll");
        CrashableStorage target = new CrashableStorage();
        assertThatThrownBy(() -> directory.restore(target)).isInstanceOf(CorruptLogException.class);
        assertThat(target.list()).isEmpty();
        assertThat(directory.take(log, log).isUpToDate()).isTrue();
        assertThatThrownBy(directory::verify).isInstanceOf(CorruptLogException.class);
        assertThat(directory.with(READING_ALL).take(log, log).written()).isEqualTo(1);
        directory.verify();
        assertThat(directory.with(READING_ALL).take(log, log).isUpToDate()).isTrue();
    }

    /** At its ends, in its length, or because it is gone. */
    @Test
    void shouldHealWhatIsSeenWithoutReadingAll() throws IOException {
        append(log, 200);
        directory.take(log, log);
        String name = LogFileName.segment(4096);
        byte[] good = place.content(name);
        int last = good.length;
        while (good[last - 1] == 0) {
            last--;
        }
        for (int damaged : new int[] {SegmentHeader.SALT_OFFSET, last - 1, -1, -2}) {
            if (damaged == -2) {
                place.delete(name);
            } else {
                byte[] bytes = damaged < 0 ? Arrays.copyOf(good, good.length - 8) : good.clone();
                bytes[Math.max(0, damaged)] ^= (byte) (damaged < 0 ? 0 : 1);
                place.replace(name, bytes);
            }
            assertThatThrownBy(directory::verify).isInstanceOf(CorruptLogException.class);
            assertThat(directory.take(log, log).written()).as("%d", damaged).isEqualTo(1);
            directory.verify();
        }
    }

    @Test
    void shouldMakeNoZipFileThatIsReadBackDifferently() {
        append(log, 200);
        String temporary = ZIP + ".tmp";
        for (int at : new int[] {100, 1000}) { // in what is packed of the first segment
            AtomicBoolean isSpoilt = new AtomicBoolean();
            place.hook((number, what) -> {
                if (what.equals("sync " + temporary)) {
                    byte[] bytes = place.content(temporary);
                    bytes[at] ^= 0x10;
                    place.replace(temporary, bytes);
                    isSpoilt.set(true);
                }
            });
            assertThatThrownBy(() -> Backup.zip(place, ZIP).take(log, log))
                    .isInstanceOf(LogIOException.class)
                    .hasMessage("cannot back up to memory/b.zip: what was written is read back differently:"
                            + " file=b.zip.tmp; look at its disk, and back up again");
            assertThat(isSpoilt).isTrue();
            assertThat(place.list()).isEmpty();
        }
    }

    /** Of the log nothing is damaged, and to bring the backup up to date is what the user does. */
    @Test
    void shouldSayThatItIsTheManifestThatIsDamaged() {
        append(log, 200);
        directory.take(log, log);
        byte[] bytes = place.content("MANIFEST");
        bytes[bytes.length / 2] ^= 1;
        place.replace("MANIFEST", bytes);
        List<String> before = place.list();
        assertThatThrownBy(() -> directory.take(log, log))
                .isInstanceOf(LogIOException.class)
                .hasMessageStartingWith("cannot back up to memory: the manifest that is there cannot be used"
                        + " (file=MANIFEST: the manifest ")
                .hasMessageEndingWith(
                        "); give another directory, or remove that backup first if it is not needed any more");
        assertThat(place.list()).containsExactlyInAnyOrderElementsOf(before);
    }

    /** It may be all that is left of a log: nobody is to remove it. Nor is the backup of a newer version. */
    @ParameterizedTest
    @ValueSource(strings = {"MANIFEST", "MANIFEST.next"})
    void shouldNameAnotherDirectoryThanThatOfAnArchive(String manifest) {
        append(log, 200);
        Archive.directory(place).pack(log);
        place.replace(manifest, place.content("MANIFEST"));
        List<String> before = place.list();
        assertThatThrownBy(() -> directory.take(log, log))
                .isInstanceOf(LogIOException.class)
                .hasMessage("cannot back up to memory: directory is no backup of this version of Persist: memory, its "
                        + manifest + " begins with 'persist-archive 1'; name an empty one, one to be made, or that of"
                        + " a backup");
        place.replace(manifest, "persist-backup 2\nnew\n".getBytes(UTF_8));
        assertThatThrownBy(() -> directory.take(log, log))
                .hasMessageContaining(manifest + " begins with 'persist-backup 2'; name an empty one");
        assertThat(place.list()).containsExactlyInAnyOrderElementsOf(before);
    }

    /** It may be the one good copy that there is: nobody is told to remove it. */
    @Test
    void shouldLeaveABackupOfANewerVersionAlone() {
        append(log, 200);
        directory.take(log, log);
        String newer = new String(place.content("MANIFEST"), UTF_8).replaceFirst(" 1\n", " 2\n");
        int last = newer.lastIndexOf("end ");
        int count = Integer.parseInt(newer.substring(last).split(" ")[1]);
        String text = newer.substring(0, last) + ArchiveManifest.lastLine(newer.substring(0, last), count) + "\n";
        place.replace("MANIFEST", text.getBytes(UTF_8));
        List<String> before = place.list();
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> directory.take(log, log), directory::verify, () -> restored(directory))) {
            assertThatThrownBy(use)
                    .isInstanceOf(UnsupportedFormatException.class)
                    .hasMessageContaining("'persist-backup 2' in place of 'persist-backup 1', file=MANIFEST")
                    .hasMessageEndingWith("; use " + PersistVersion.CURRENT.orLater());
        }
        assertThat(place.list()).containsExactlyInAnyOrderElementsOf(before);
    }

    /** It is what the message says that a run does, though the log has not changed. */
    @Test
    void shouldRemoveAFileThatTheManifestLacks() {
        append(log, 200);
        directory.take(log, log);
        place.replace(LogFileName.segment(1 << 20), new byte[100]);
        assertThatThrownBy(directory::verify)
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("the manifest does not have " + LogFileName.segment(1 << 20))
                .hasMessageContaining("bring it up to date with --readAll");
        assertThat(directory.take(log, log).isUpToDate()).isFalse();
        directory.verify();
        assertThat(directory.take(log, log).written()).isZero();
    }

    @Test
    void shouldRefuseADamagedLogAndLeaveTheBackupAsItWas() {
        append(log, 200);
        BackupManifest before = directory.take(log, log).manifest();
        append(log, 200);
        String damaged = LogFileName.segment(7 * 4096);
        byte[] bytes = log.content(damaged);
        bytes[200] ^= 1;
        log.replace(damaged, bytes);
        for (Backup backup : List.of(directory, Backup.zip(place, ZIP))) {
            assertThatThrownBy(() -> backup.take(log, log))
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining("file=" + damaged);
        }
        assertThat(place.list()).noneMatch(name -> name.endsWith(".tmp") || name.endsWith(".zip"));
        assertThat(directory.verify()).isEqualTo(before);
    }

    @Test
    void shouldRefuseThePlaceOfSomethingElse() {
        append(log, 10);
        CrashableStorage other = new CrashableStorage();
        append(other, 10);
        directory.take(log, log);
        assertThatThrownBy(() -> directory.take(other, other)).hasMessageContaining("a backup of another log is there");
        assertThatThrownBy(() -> Backup.directory(other).take(log, log))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("directory is not empty, and no backup");
        assertThatThrownBy(() -> directory.restore(other)).hasMessageContaining("directory is not empty");
        Backup.zip(other, ZIP).take(log, log);
        assertThatThrownBy(() -> Backup.zip(other, ZIP).take(log, log)).hasMessageContaining("file exists already");
        assertThatThrownBy(() -> Backup.directory(new CrashableStorage()).verify())
                .isInstanceOf(UnsupportedFormatException.class)
                .hasMessageContaining("not a backup: there is no manifest")
                .hasMessageContaining("name what the command backup has made");
    }

    /** An older copy of the log, at first as it was, then gone on until it is longer than the backup. */
    @Test
    void shouldNotReplaceABackupByALogThatWentBack() {
        append(log, 60);
        Backup old = Backup.directory(new CrashableStorage());
        old.take(log, log);
        append(log, 200);
        BackupManifest newer = directory.take(log, log).manifest();
        CrashableStorage back = restored(old);
        assertThatThrownBy(() -> directory.take(back, back))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("the log ends before the backup that is there")
                .hasMessageContaining("backup=" + newer.endPosition() + "; give another directory, or remove");
        append(back, 400);
        assertThatThrownBy(() -> directory.take(back, back))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("the log has another " + LogFileName.segment(4096))
                .hasMessageContaining("give another directory, or remove that backup first");
        assertThat(directory.verify()).isEqualTo(newer);
        assertThat(place.list()).noneMatch(name -> name.endsWith(".tmp"));
    }

    /** The same within the one segment that there is: at first it goes on there, then in others. */
    @Test
    void shouldNotReplaceABackupByALogThatWentBackWithinItsLastSegment() throws IOException {
        append(log, 5);
        Backup old = Backup.directory(new CrashableStorage());
        old.take(log, log);
        append(log, 5);
        BackupManifest newer = directory.take(log, log).manifest();
        assertThat(newer.endPosition()).isLessThan(CONFIG.segmentLength());
        CrashableStorage back = restored(old);
        for (int records : new int[] {20, 200}) {
            try (Log writer = Log.open(CONFIG, back)) {
                for (int i = 0; i < records; i++) {
                    writer.append(new byte[80], 0, 80);
                }
                assertThat(writer.position()).isGreaterThan(newer.endPosition());
            }
            assertThatThrownBy(() -> directory.take(back, back))
                    .isInstanceOf(LogIOException.class)
                    .hasMessageContaining("the log has another " + LogFileName.segment(0))
                    .hasMessageContaining("give another directory, or remove that backup first");
            assertThat(directory.verify()).isEqualTo(newer);
        }
        append(log, 200);
        assertThat(directory.take(log, log).manifest().lastSequence()).isEqualTo(210);
    }

    /** A power cut takes segments that were sealed, and compaction the one in which the backup ends. */
    @Test
    void shouldNotReplaceABackupByALogThatLostSealedSegments() {
        boolean isLost = false;
        for (int attempt = 0; !isLost && attempt < 100; attempt++) { // the background may have synced all of them
            CrashableStorage source = new CrashableStorage();
            Backup backup = Backup.directory(new CrashableStorage());
            Log writer = Log.open(CONFIG, source);
            Records.append(writer, 20);
            writer.commit(Durability.SYNCED);
            Records.appendUntilRolled(writer, 3);
            Records.append(writer, 5);
            writer.commit(Durability.FLUSHED);
            BackupManifest taken = backup.take(source, source).manifest();
            long last = taken.endPosition() / 4096 * 4096;
            CrashableStorage after = source.crash(new Random(1), Loss.ALL_LOST);
            assertThatThrownBy(writer::close).isInstanceOf(LogIOException.class);

            try (Log again = Log.open(CONFIG, after)) {
                isLost = again.position() < last - 4096;
                while (again.position() < last + 2 * 4096) {
                    again.append(new byte[80], 0, 80);
                }
                again.commit(Durability.SYNCED);
                assertThat(again.vacate(last)).isTrue();
            }
            if (isLost) {
                assertThatThrownBy(() -> backup.take(after, after))
                        .isInstanceOf(LogIOException.class)
                        .hasMessageContaining("the log has another ")
                        .hasMessageContaining("give another directory, or remove that backup first");
                assertThat(backup.verify()).isEqualTo(taken);
            }
        }
        assertThat(isLost).isTrue();
    }

    /** Its header stays as its writer has made it. */
    @Test
    void shouldKnowASettledSegmentOfAnotherVersionAgain() {
        append(log, 200);
        NewerSegments.header(log, 4096, header -> header.put(SegmentHeader.WRITTEN_BY_OFFSET, (byte) 1));
        directory.take(log, log);
        append(log, 1);
        assertThat(directory.take(log, log).written()).isEqualTo(2);
        assertThat(place.content(LogFileName.segment(4096))[SegmentHeader.WRITTEN_BY_OFFSET])
                .isEqualTo((byte) 1);
    }

    /** What an earlier life of a file has left behind the seal is not of the log: a power cut may bring it back. */
    @Test
    void shouldNotCompareWhatIsBehindASeal() throws IOException {
        try (Log writer = Log.open(CONFIG, log)) {
            Records.appendUntilRolled(writer, 6);
            writer.commit(Durability.SYNCED);
            writer.retire(writer.planRetention(RetentionRule.below(4 * 4096)), Retirement.RECYCLE);
            long base;
            do {
                Records.appendUntilRolled(writer, 1);
                base = writer.position() / 4096 * 4096 - 4096;
            } while (!LogFiles.header(log, base).isReused() || endOfRecords(base) > 4096 - 8);
            writer.commit(Durability.FLUSHED);
            directory.take(log, log);
            String name = LogFileName.segment(base);
            byte[] bytes = log.content(name);
            Arrays.fill(bytes, endOfRecords(base), bytes.length, (byte) 7);
            log.replace(name, bytes);
            Records.append(writer, 1);
            writer.commit(Durability.FLUSHED);
            directory.take(log, log);
            assertThat(place.content(name)).endsWith(new byte[8]);
        }
    }

    private int endOfRecords(long base) throws IOException {
        try (SegmentView segment = SegmentView.open(log, base)) {
            return requireNonNull(segment.seal()).end();
        }
    }

    /** Before each step of a run another one begins, which may get in only before the first of them. */
    @Test
    void shouldRefuseASecondRunAtOnce() {
        append(log, 60);
        directory.take(log, log);
        append(log, 60);
        List<String> steps = new ArrayList<>();
        AtomicBoolean isSecond = new AtomicBoolean();
        place.hook((number, what) -> {
            if (isSecond.compareAndSet(false, true)) {
                if (!steps.isEmpty()) {
                    assertThatThrownBy(() -> Backup.directory(place).take(log, log))
                            .isInstanceOf(LogLockedException.class)
                            .hasMessageContaining("another run backs up to this directory")
                            .hasMessageContaining("wait until it has ended");
                }
                steps.add(what);
                isSecond.set(false);
            }
        });
        directory.take(log, log);
        place.hook((number, what) -> {});
        assertThat(steps).hasSizeGreaterThan(10).first().isEqualTo("tryLock backup.lock");
        assertThat(directory.verify().lastSequence()).isEqualTo(120);
        assertThat(restored(directory).list()).doesNotContain("backup.lock");
        assertThat(directory.take(log, log).written()).isZero();
    }

    /** A writer has files with such names as well, while it makes them. */
    @Test
    void shouldChangeNothingWhereItIsRefused() throws IOException {
        append(log, 10);
        CrashableStorage anotherLog = new CrashableStorage();
        append(anotherLog, 10);
        CrashableStorage archive = new CrashableStorage();
        archive.replace("MANIFEST", "persist-archive 1".getBytes(UTF_8));
        for (CrashableStorage other : List.of(anotherLog, archive)) {
            other.create(LogFileName.segment(8192) + ".tmp").close();
            List<String> before = other.list();
            assertThatThrownBy(() -> Backup.directory(other).take(log, log)).isInstanceOf(PersistException.class);
            assertThat(other.list()).containsExactlyInAnyOrderElementsOf(before);
        }
    }

    @Test
    void shouldRefuseTheDirectoryOfTheLogItself() {
        append(log, 10);
        assertThatThrownBy(() -> Backup.directory(log).take(log, log))
                .hasMessageContaining("the log itself is in this directory: ");
        directory.take(log, log);
        assertThatThrownBy(() -> directory.take(place, place))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("the log itself is in this directory: ")
                .hasMessageContaining("; name another one");
    }

    /** There is the backup from before, or the new one, whenever the power is cut; and the next run goes on. */
    @Test
    void shouldBeWholeAfterAPowerCutAndGoOn() {
        Seeds.run(60, seed -> {
            Random random = new Random(seed);
            CrashableStorage source = new CrashableStorage();
            CrashableStorage target = new CrashableStorage();
            append(source, 60);
            long before = 0;
            if (random.nextInt(4) > 0) {
                before =
                        Backup.directory(target).take(source, source).manifest().lastSequence();
                try (Log writer = Log.open(CONFIG, source)) {
                    Records.append(writer, 60);
                    writer.retire(
                            writer.planRetention(RetentionRule.below(random.nextInt(2) * 4096L)), Retirement.DELETE);
                }
            }
            target.cutPowerAt(target.operations() + 1 + random.nextInt(40));
            boolean isDone = false;
            try {
                Backup.directory(target).take(source, source);
                isDone = true;
            } catch (PowerCut | PersistException expected) {
                // It came before the end.
            }
            Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
            CrashableStorage after = target.crash(random, loss);
            boolean isThere = after.list().contains("MANIFEST") || after.list().contains("MANIFEST.next");
            assertThat(isThere).isIn(true, before == 0 && !isDone ? false : true);
            if (isThere) {
                long found = Backup.directory(after).verify().lastSequence();
                assertThat(found).isIn(isDone ? List.of(120L, 60L) : List.of(before, 120L, 60L));
                restored(Backup.directory(after));
            }
            Backup.directory(after).take(source, source);
            CrashableStorage again = restored(Backup.directory(after));
            try (Tailer tailer = Tailer.open(again, TailerConfig.defaults())) {
                tailer.next();
                assertThat(read(again, tailer.sequence())).isEqualTo(read(source, tailer.sequence()));
            }
            assertThat(after.list()).noneMatch(name -> name.endsWith(".tmp") || name.endsWith(".next"));
        });
    }

    @Test
    void shouldKeepTheBackupThatIsThereIfTheDiskIsFull() {
        append(log, 60);
        BackupManifest before = directory.take(log, log).manifest();
        append(log, 200);
        place.capacityBytes(place.list().stream()
                        .mapToLong(name -> place.content(name).length)
                        .sum()
                + 6000);
        assertThatThrownBy(() -> directory.take(log, log))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("No space left")
                .hasMessageEndingWith(
                        "; make space there, or name another place; a backup that was there is as it was");
        assertThat(directory.verify()).isEqualTo(before);
        assertThat(place.list()).noneMatch(name -> name.endsWith(".tmp"));
        place.capacityBytes(Long.MAX_VALUE);
        assertThat(directory.take(log, log).manifest().lastSequence()).isEqualTo(260);
    }

    /** As {@code ulimit -f} has it. */
    @Test
    void shouldSayWhatToDoIfAFileMayNotBeSoLong() {
        append(log, 60);
        place.hook((number, what) -> {
            if (what.startsWith("write ")) {
                throw new IOException("File too large");
            }
        });
        assertThatThrownBy(() -> directory.take(log, log))
                .isInstanceOf(LogIOException.class)
                .hasMessageEndingWith(
                        ": File too large; raise the limit of a file's length (ulimit -f); a backup that was"
                                + " there is as it was");
    }

    /** Whatever fails, there is the backup from before or the new one at once, and the next run goes on. */
    @Test
    void shouldHaveABackupWhicheverOperationFails() {
        boolean isDone = false;
        int failed = 0;
        while (!isDone) {
            CrashableStorage source = new CrashableStorage();
            CrashableStorage target = new CrashableStorage();
            append(source, 60);
            Backup backup = Backup.directory(target);
            backup.take(source, source);
            append(source, 60);
            int failing = target.operations() + ++failed;
            target.hook((number, what) -> {
                if (number == failing) {
                    throw new IOException("Input/output error");
                }
            });
            isDone = isTaken(backup, source);
            target.hook((number, what) -> {});
            assertThat(backup.verify().lastSequence())
                    .as("after failure %d", failed)
                    .isIn(60L, 120L);
            assertThat(read(restored(backup), 1)).isIn(60L, 120L);
            backup.take(source, source);
            assertThat(read(restored(backup), 1)).as("after failure %d", failed).isEqualTo(120);
            assertThat(target.list()).noneMatch(name -> name.endsWith(".tmp") || name.endsWith(".next"));
        }
        assertThat(failed).as("the last of them came behind the run").isGreaterThan(20);
    }

    private static boolean isTaken(Backup backup, CrashableStorage source) {
        try {
            backup.take(source, source);
            return true;
        } catch (LogIOException expected) {
            return false;
        }
    }

    /** The writer appends, syncs, rolls and retires at any time, in the middle of the backup too. */
    @Test
    void shouldBeWholeThoughTheWriterGoesOn() {
        Seeds.run(40, seed -> {
            Random random = new Random(seed);
            CrashableStorage source = new CrashableStorage();
            CrashableStorage target = new CrashableStorage();
            try (Log writer = Log.open(CONFIG, source)) {
                Records.append(writer, 100);
                writer.commit(Durability.SYNCED);
                AtomicBoolean isBusy = new AtomicBoolean();
                target.hook((number, what) -> {
                    if (random.nextInt(3) == 0 && isBusy.compareAndSet(false, true)) {
                        goOn(writer, random);
                        isBusy.set(false);
                    }
                });
                for (int run = 0; run < 3; run++) {
                    long atLeast = writer.lastSequence();
                    Taken taken = Backup.directory(target).take(source, source);
                    assertThat(taken.manifest().lastSequence()).isBetween(atLeast, writer.lastSequence());
                    CrashableStorage again = restored(Backup.directory(target));
                    try (Tailer tailer = Tailer.open(again, TailerConfig.defaults())) {
                        tailer.next();
                        assertThat(read(again, tailer.sequence()))
                                .isEqualTo(taken.manifest().lastSequence());
                    }
                }
                target.hook((number, what) -> {});
            }
        });
    }

    private static void goOn(Log writer, Random random) {
        Records.append(writer, random.nextInt(20));
        writer.commit(Durability.values()[random.nextInt(3)]);
        if (random.nextInt(10) == 0) {
            writer.commit(Durability.SYNCED);
            long below = writer.position() - 4 * 4096;
            writer.retire(
                    writer.planRetention(RetentionRule.below(Math.max(0, below))),
                    Retirement.values()[random.nextInt(2)]);
        }
    }

    /** An application is started again before each step of the restore: it may get in only before the first of them. */
    @Test
    void shouldKeepWritersOutOfWhatItRestores() {
        append(log, 60);
        directory.take(log, log);
        CrashableStorage target = new CrashableStorage();
        List<String> steps = ToolLog.refusingWriters(target);
        directory.restore(target);
        target.hook((number, what) -> {});
        assertThat(steps).hasSizeGreaterThan(10).contains("rename control.tmp");
        append(target, 10);
        assertThat(read(target, 1)).isEqualTo(70);
    }

    @Test
    void shouldNotReplaceALogThatWasBegunMeanwhile() {
        append(log, 60);
        directory.take(log, log);
        CrashableStorage target = new CrashableStorage();
        AtomicBoolean isBegun = new AtomicBoolean();
        target.hook((number, what) -> {
            if (isBegun.compareAndSet(false, true)) { // the directory was found empty, and is not locked yet
                append(target, 5);
            }
        });
        assertThatThrownBy(() -> directory.restore(target))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("directory is not empty");
        assertThat(read(target, 1)).isEqualTo(5);
        try (Log writer = Log.open(CONFIG, target)) {
            assertThatThrownBy(() -> directory.restore(target)).hasMessageContaining("directory is not empty");
            Records.append(writer, 5);
        }
        assertThat(read(target, 1)).isEqualTo(10);
    }

    /** Whoever makes a cursor needs no lock of the log. */
    @Test
    void shouldNotReplaceAFileThatWasMadeMeanwhile() {
        append(log, 60);
        try (Tailer tailer = Tailer.open(log, "billing", TailerConfig.defaults())) {
            tailer.store();
        }
        directory.take(log, log);
        CrashableStorage target = new CrashableStorage();
        target.hook((number, what) -> {
            if (what.equals("create control.tmp")) {
                target.replace("billing.cursor", new byte[] {1});
            }
        });
        assertThatThrownBy(() -> directory.restore(target))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("something else has made this file meanwhile: file=billing.cursor");
        assertThat(target.list()).containsExactly("billing.cursor");
        assertThat(target.content("billing.cursor")).containsExactly(1);
    }

    /** It is killed while it reads the backup, before it has written anything. */
    @Test
    void shouldRestoreWhereARestoreWasKilled() throws IOException {
        append(log, 60);
        directory.take(log, log);
        CrashableStorage target = new CrashableStorage();
        NewLogHold.take(target);
        CrashableStorage killed = target.afterKill();
        assertThat(killed.list()).containsExactly("writer.lock");
        directory.restore(killed);
        assertThat(read(killed, 1)).isEqualTo(60);
    }

    @Test
    void shouldRestoreCursors() throws IOException {
        append(log, 100);
        long stored;
        try (Tailer tailer = Tailer.open(log, "billing", TailerConfig.defaults())) {
            for (int i = 0; i < 40; i++) {
                tailer.next();
            }
            stored = tailer.store();
        }
        directory.take(log, log);
        try (Tailer tailer = Tailer.open(restored(directory), "billing", TailerConfig.defaults())) {
            assertThat(tailer.nextPosition()).isEqualTo(stored);
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isEqualTo(41);
        }
    }
}
