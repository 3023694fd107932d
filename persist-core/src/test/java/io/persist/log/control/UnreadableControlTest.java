package io.persist.log.control;

import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.LogMonitor;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.control.ControlBlock;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogRepair;
import io.persist.log.recovery.LogScan;
import io.persist.log.retention.LogRetention;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A control block that says what this version does not know, or of which no sense can be made any more. */
class UnreadableControlTest {

    @TempDir(factory = InMemory.class)
    Path directory;

    private LogConfig config() {
        return WriterKind.MAPPED.config(directory).build();
    }

    private Path control() {
        return directory.resolve(LogFileName.CONTROL);
    }

    private void damageMagic() throws IOException {
        write(ControlBlock.MAGIC_OFFSET, ByteBuffer.allocate(1));
    }

    /** As that version writes it. */
    private void putVersion(int version) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(version).putInt(version > ControlBlock.VERSION ? ~version : 0);
        write(ControlBlock.VERSION_OFFSET, bytes.flip());
    }

    private void write(int offset, ByteBuffer bytes) throws IOException {
        try (FileChannel file = FileChannel.open(control(), WRITE)) {
            file.write(bytes, offset);
        }
    }

    private static void assertNewer(ThrowingCallable call) {
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(call)
                .withMessageContaining("version=2, supported version=1")
                .withMessageContaining("open the log with Persist " + PersistVersion.CURRENT + ", which wrote it");
    }

    /** Its writer may live, and have lost its lock; and readers would not know how far they may look. */
    @Test
    void shouldBeRefusedAndLeftAloneIfANewerVersionWroteIt() throws IOException {
        try (Log log = Log.open(config())) {
            Records.append(log, 10);
        }
        putVersion(ControlBlock.VERSION + 1);
        byte[] before = Files.readAllBytes(control());
        DirectoryStorage storage = DirectoryStorage.open(directory);
        assertNewer(() -> Log.open(config()));
        assertNewer(() -> Tailer.open(directory));
        assertNewer(() -> Tailer.open(directory, "named", TailerConfig.defaults()));
        assertNewer(() -> LogMonitor.open(directory).read());
        assertNewer(() -> new LogInspector(storage).inspect(LogScan.Start.BEGINNING));
        assertNewer(() -> new LogRepair(storage).repair());
        assertNewer(() -> new LogRetention(storage).apply(RetentionRule.keepBytes(0)));
        assertThat(Files.readAllBytes(control())).isEqualTo(before);
        putVersion(ControlBlock.VERSION);
        try (Log log = Log.open(config())) {
            assertThat(log.lastSequence()).isEqualTo(10);
        }
    }

    @Test
    void shouldSayThatTheLogIsOpenWhateverWroteTheControlBlock() throws IOException {
        try (Log log = Log.open(config())) {
            putVersion(ControlBlock.VERSION + 1);
            assertThatExceptionOfType(LogLockedException.class).isThrownBy(() -> Log.open(config()));
            assertThat(log.lastSequence()).isZero();
            putVersion(ControlBlock.VERSION);
        }
    }

    /** The mark of the holder is there all the same. */
    @Test
    void shouldNotBeReplacedWhileTheHolderLivesThatHasLostItsLock() throws Exception {
        try (ChildJvm child = WriterProcess.start(directory)) {
            assertThat(child.ask("open")).isEqualTo(WriterProcess.DONE);
            assertThat(child.ask("append 5")).isEqualTo(WriterProcess.DONE);
            Files.delete(directory.resolve(LogFileName.LOCK));
            damageMagic();
            DirectoryStorage storage = DirectoryStorage.open(directory);
            assertHeld(child, () -> Log.open(config()));
            assertHeld(child, () -> new LogRepair(storage).repair());
            child.kill();
            try (Log log = Log.open(config())) {
                assertThat(log.lastSequence()).isEqualTo(5);
            }
        }
    }

    private static void assertHeld(ChildJvm child, ThrowingCallable call) {
        assertThatExceptionOfType(LogLockedException.class)
                .isThrownBy(call)
                .withMessageContaining("in another process, which has lost its lock")
                .withMessageContaining("pid=" + child.pid());
    }

    /** It has nothing to ask whether a writer lives, and goes by what is there. */
    @ParameterizedTest
    @EnumSource
    void shouldNotKeepATailerFromFollowingTheWriter(WriteMode mode) throws IOException {
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(WriterKind.SEGMENT_LENGTH)
                .writeMode(mode)
                .build();
        try (Log log = Log.open(config)) {
            Records.append(log, 10);
            log.flush();
            damageMagic();
            try (Tailer tailer = Tailer.open(directory)) {
                assertThat(Records.readOn(tailer, 1)).isEqualTo(11);
                long next = 11;
                for (int round = 0; round < 3; round++) {
                    Records.append(log, 200);
                    log.flush();
                    next = readUpTo(tailer, next, log.lastSequence());
                }
            }
        }
    }

    private static long readUpTo(Tailer tailer, long first, long last) {
        long[] next = {first};
        Await.until("record " + last + " is read", () -> {
            next[0] = Records.readOn(tailer, next[0]);
            return next[0] > last;
        });
        return next[0];
    }
}
