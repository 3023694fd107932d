package io.persist.log.control;

import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.HolderBlock;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.RecoveryReport;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogRepair;
import io.persist.log.recovery.LogScan;
import io.persist.log.recovery.RecoveryTable;
import io.persist.monitor.WriterState;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mark of the holder in the control block: it is there as long as the log is open, and tells whether it lives. */
class WriterHoldTest {

    @TempDir
    Path directory;

    private final CrashableStorage storage = new CrashableStorage();

    private LogConfig config() {
        return WriterKind.MAPPED.config(directory).build();
    }

    private static HolderBlock.Holder holder(Storage storage) throws IOException {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            return control.block().holder().holder();
        }
    }

    private static long epoch(Storage storage) throws IOException {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            return control.block().holder().epoch();
        }
    }

    private static Presence presence(Storage storage) throws IOException {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            return WriterPresence.of(storage, control.block());
        }
    }

    @Test
    void shouldMarkTheLogAsLongAsItIsOpen() throws IOException {
        for (int life = 1; life <= 3; life++) {
            try (Log log = Log.open(config(), storage)) {
                assertThat(holder(storage)).isEqualTo(WriterPresence.self(storage));
                assertThat(presence(storage)).isEqualTo(Presence.ALIVE);
                assertThat(epoch(storage)).isEqualTo(life);
                Records.append(log, 1);
            }
            assertThat(holder(storage)).isEqualTo(HolderBlock.Holder.NONE);
            assertThat(presence(storage)).isEqualTo(Presence.GONE);
        }
    }

    @Test
    void shouldTakeTheMarkBackWhenTheCloseFails() throws IOException {
        FaultyStorage faulty = new FaultyStorage(storage);
        Log log = Log.open(config(), faulty);
        Records.append(log, 1);
        faulty.failFrom(Verb.FORCE, 1).failFrom(Verb.SYNC, 1);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
        assertThat(presence(storage)).isEqualTo(Presence.GONE);
        Log.open(config(), storage).close();
    }

    @Test
    void shouldCloseALogWhoseControlFileWasCut() throws IOException {
        Log log = Log.open(config(), DirectoryStorage.create(directory));
        Records.append(log, 1);
        log.sync();
        try (FileChannel control = FileChannel.open(directory.resolve(LogFileName.CONTROL), WRITE)) {
            control.truncate(0);
        }
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
        log.close();
        try (Log again = Log.open(config(), DirectoryStorage.create(directory))) {
            assertThat(again.lastSequence()).isEqualTo(1);
        }
    }

    /** A writer that was overtaken goes by it: what it appends behind a cut would stand behind a hole. */
    @Test
    void shouldKeepTheEpochOfAnOpeningThatFailsOnceItMayHaveChangedFiles() throws IOException {
        try (Log log = Log.open(config(), storage)) {
            Records.append(log, 3);
        }
        long before = epoch(storage);
        FaultyStorage faulty = new FaultyStorage(storage).fail(Verb.SYNC_DIRECTORY, 1);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> Log.open(config(), faulty));
        assertThat(epoch(storage)).isEqualTo(before + 1);
        assertThat(presence(storage)).isEqualTo(Presence.GONE);
        assertThatExceptionOfType(UnsupportedFormatException.class) // nothing is changed then
                .isThrownBy(() -> Log.open(config(), LogContent.TRANSACTIONS, storage));
        assertThat(epoch(storage)).isEqualTo(before + 1);
    }

    @Test
    void shouldTakeTheMarkBackWhenTheOpeningFails() throws IOException {
        Log.open(config(), storage).close();
        for (int n = 1; ; n++) {
            FaultyStorage faulty =
                    new FaultyStorage(storage).fail(Verb.FORCE, n).fail(Verb.MAP, n);
            try {
                Log.open(config(), faulty).close();
            } catch (LogIOException failed) {
                assertThat(presence(storage)).as("fault %d", n).isEqualTo(Presence.GONE);
                assertThat(storage.openHandles()).isZero();
            }
            if (faulty.injected() == 0) {
                break;
            }
        }
    }

    @Test
    void shouldChangeNothingWhenTheLogIsRefused() throws IOException {
        long last;
        try (Log log = Log.open(config(), storage)) {
            Records.append(log, 10);
            last = log.lastPosition();
        }
        byte[] segment = storage.content(LogFileName.segment(0));
        segment[(int) last + 6] ^= 1;
        storage.replace(LogFileName.segment(0), segment);
        byte[] control = storage.content(LogFileName.CONTROL);
        control[40] = 1; // as if it had not been closed
        storage.replace(LogFileName.CONTROL, control);

        assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> Log.open(config(), storage));
        assertThat(storage.content(LogFileName.CONTROL)).isEqualTo(control);
    }

    /** The mark that a repair has while it looks, too. */
    @Test
    void shouldChangeNothingWhenARepairIsRefusedOrNotNeeded() throws IOException {
        try (Log log = Log.open(config(), storage)) {
            Records.append(log, 10);
        }
        byte[] control = storage.content(LogFileName.CONTROL);
        assertThat(new LogRepair(storage).repair().setAside()).isEmpty();
        assertThat(storage.content(LogFileName.CONTROL)).isEqualTo(control);

        byte[] others = new byte[4711];
        Arrays.fill(others, (byte) 7);
        storage.replace(LogFileName.segment(0), others);
        assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(() -> new LogRepair(storage).repair());
        assertThat(storage.content(LogFileName.CONTROL)).isEqualTo(control);
    }

    @Test
    void shouldNotTakeADeadWriterForAlive() throws IOException {
        Log log = Log.open(config(), storage);
        CrashableStorage killed = storage.afterKill();
        CrashableStorage cut = storage.crash(new Random(1), CrashableStorage.Loss.ALL_KEPT);
        for (CrashableStorage left : new CrashableStorage[] {killed, cut}) {
            assertThat(holder(left).pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(presence(left)).isEqualTo(Presence.GONE);
            Log.open(config(), left).close();
        }
        assertThat(catchThrowable(log::close)).as("it has lost its storage").isNotNull();
    }

    /** Nobody but an operator takes the lock file away, and he thinks that it is an old one. */
    @Test
    void shouldRefuseALogWhoseHolderHasLostItsLockUntilThatIsDead() throws Exception {
        try (ChildJvm child = WriterProcess.start(directory)) {
            assertThat(child.ask("open")).isEqualTo(WriterProcess.DONE);
            Files.delete(directory.resolve(LogFileName.LOCK));
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(LogLockedException.class)
                        .isThrownBy(() -> Log.open(config()))
                        .withMessageContaining("in another process, which has lost its lock")
                        .withMessageContaining("pid=" + child.pid())
                        .withMessageContaining("close it there");
            }
            child.kill();
            Log.open(config()).close();
        }
    }

    @Test
    void shouldOpenACopyOfALogThatIsOpen(@TempDir Path copy) throws Exception {
        try (ChildJvm child = WriterProcess.start(directory)) {
            assertThat(child.ask("open")).isEqualTo(WriterProcess.DONE);
            assertThat(child.ask("append 5")).isEqualTo(WriterProcess.DONE);
            assertThat(child.ask("backup " + copy)).isEqualTo(WriterProcess.DONE);
            try (Log log = Log.open(WriterKind.MAPPED.config(copy).build())) {
                assertThat(log.lastSequence()).isEqualTo(5);
            }
        }
    }

    /** The volume failed, so that the end of the log did not get there, and was mounted anew: this process lives. */
    @Test
    void shouldNotTakeThisProcessForTheWriterOfALogThatItHasClosed() throws IOException {
        Storage disk = DirectoryStorage.create(directory);
        byte[] open;
        try (Log log = Log.open(config(), disk)) {
            Records.append(log, 3);
            log.sync();
            open = Files.readAllBytes(directory.resolve(LogFileName.CONTROL));
            assertThat(presence(disk)).isEqualTo(Presence.ALIVE);
        }
        ByteBuffer block = ByteBuffer.allocateDirect(open.length).put(open).clear();
        ControlBlock left = new ControlBlock(block);
        left.flushed(left.synced() + 400);
        try (FileChannel control = FileChannel.open(directory.resolve(LogFileName.CONTROL), WRITE)) {
            control.write(block, 0);
        }
        assertThat(holder(disk)).isEqualTo(WriterPresence.self(disk));
        LogInspector.Inspection found = new LogInspector(disk).inspect(LogScan.Start.BEGINNING);
        assertThat(found.writer()).isEqualTo(WriterState.KILLED);
        assertThat(found.findings().row().decision()).isNotEqualTo(RecoveryTable.Decision.CORRUPT);
        assertThat(found.findings().isSetBack()).isTrue();
        try (Log log = Log.open(config(), disk)) {
            assertThat(log.recovery().start()).isEqualTo(RecoveryReport.Left.SET_BACK);
        }
    }

    /** As a program does that replaces all system properties, where the locks of this process are noted. */
    @Test
    void shouldTakeThisProcessForTheWriterThatItIsWhateverItsPropertiesAre() throws IOException {
        Storage disk = DirectoryStorage.create(directory);
        try (Log log = Log.open(config(), disk)) {
            Records.append(log, 1);
            Properties before = System.getProperties();
            Properties others = new Properties();
            before.stringPropertyNames().stream()
                    .filter(name -> !name.startsWith("io.persist.lock."))
                    .forEach(name -> others.setProperty(name, before.getProperty(name)));
            System.setProperties(others);
            try {
                assertThat(presence(disk)).isEqualTo(Presence.ALIVE);
            } finally {
                System.setProperties(before);
            }
        }
        assertThat(presence(disk)).isEqualTo(Presence.GONE);
    }
}
