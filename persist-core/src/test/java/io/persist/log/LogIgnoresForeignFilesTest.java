package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are not what their names say, that are missing, or that nobody knows. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class LogIgnoresForeignFilesTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    /** Whether the last writer closed the log, or was killed. */
    @Parameter
    boolean closed;

    private CrashableStorage storage = new CrashableStorage();
    private long last;
    private long tailBase;

    @BeforeEach
    void write() {
        Log log = open();
        Records.appendUntilRolled(log, 5);
        Records.append(log, 3);
        log.commit(Durability.SYNCED);
        last = log.lastSequence();
        tailBase = log.position() / LENGTH * LENGTH;
        if (closed) {
            log.close();
        } else {
            CrashableStorage after = storage.afterKill();
            DeadLog.end(log);
            storage = after;
        }
        storage.replace("00000000000000999424.log.tmp", new byte[100]); // an interrupted run was making it
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    private Log open() {
        return Log.open(WriterKind.MAPPED.config().build(), storage);
    }

    private Tailer tailer() {
        return Tailer.open(WriterKind.MAPPED.config().build(), storage);
    }

    private Map<String, ByteBuffer> files() {
        Map<String, ByteBuffer> files = new TreeMap<>();
        for (String name : storage.list()) {
            files.put(name, ByteBuffer.wrap(storage.content(name)));
        }
        return files;
    }

    /** The log is whole and takes more. */
    private void checkWhole() {
        try (Log log = open()) {
            assertThat(log.lastSequence()).isEqualTo(last);
            assertThat(Records.readAll(log)).isEqualTo(last);
            Records.append(log, 100);
            log.commit(Durability.SYNCED);
            assertThat(Records.readAll(log)).isEqualTo(last + 100);
            last += 100;
        }
        try (Log log = open()) {
            assertThat(Records.readAll(log)).isEqualTo(last);
        }
    }

    private void change(String name, int offset, int mask) {
        byte[] content = storage.content(name);
        content[offset] ^= (byte) mask;
        storage.replace(name, content);
    }

    private static byte[] withNewerVersion(byte[] segment) {
        byte[] changed = segment.clone();
        ByteBuffer header = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(SegmentHeader.VERSION_OFFSET, SegmentHeader.VERSION + 1);
        CRC32C crc = new CRC32C();
        crc.update(changed, 0, SegmentHeader.CHECKSUM_OFFSET);
        header.putInt(SegmentHeader.CHECKSUM_OFFSET, (int) crc.getValue());
        return changed;
    }

    // ---- files of others

    @Test
    void shouldLeaveFilesOfUnknownNamesAlone() {
        String[] names = {
            "README",
            "control.old",
            "0.log",
            "00000000000000000000.log.bak",
            "00000000000000000000.LOG",
            "000000000000000000000.log",
            "99999999999999999999.log",
            "00000000000000000000.log.at-100.1.aside"
        };
        for (String name : names) {
            storage.replace(name, name.getBytes(StandardCharsets.UTF_8));
        }
        checkWhole();
        for (String name : names) {
            assertThat(new String(storage.content(name), StandardCharsets.UTF_8))
                    .isEqualTo(name);
        }
    }

    @Test
    void shouldRemoveWhatAnInterruptedRunWasMaking() {
        storage.replace("00000000000000999424.log.tmp", new byte[100]);
        storage.replace("00000000000000000000.log.spare", new byte[LENGTH]);
        storage.replace("control.tmp", new byte[7]);
        checkWhole();
        assertThat(storage.list()).noneMatch(name -> name.endsWith(".tmp") || name.endsWith(".spare"));
    }

    // ---- segments

    @Test
    void shouldRefuseALogWhoseTailIsNoSegment() {
        change(SegmentName.of(tailBase), SegmentHeader.MAGIC_OFFSET, 1);
        Map<String, ByteBuffer> before = files();
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining("no magic")
                    .satisfies(e -> assertThat(e.file()).isEqualTo(SegmentName.of(tailBase)))
                    .satisfies(e -> assertThat(e.position()).isEqualTo(tailBase));
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldNeverReadFromAFileThatIsNoSegment() {
        long base = 2 * LENGTH;
        change(SegmentName.of(base), SegmentHeader.MAGIC_OFFSET + 3, 64);
        Map<String, ByteBuffer> before = files();
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .satisfies(e -> assertThat(e.file()).isEqualTo(SegmentName.of(base)));
            assertThat(tailer.nextPosition()).isBetween(base, base + SegmentHeader.LENGTH);
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldRefuseALogOfANewerVersion() {
        for (String name : storage.list()) {
            if (SegmentName.basePosition(name).isPresent()) {
                storage.replace(name, withNewerVersion(storage.content(name)));
            }
        }
        Map<String, ByteBuffer> before = files();
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("version=2")
                .withMessageContaining("supported version=1")
                .withMessageContaining("open it with the version of Persist that wrote it");
        assertThat(files()).isEqualTo(before);
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(tailer::next);
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldRefuseATailOfANewerVersion() {
        String name = SegmentName.of(tailBase);
        storage.replace(name, withNewerVersion(storage.content(name)));
        Map<String, ByteBuffer> before = files();
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("file=" + name);
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldRefuseATailOfAnotherLog() {
        String name = SegmentName.of(tailBase);
        storage.replace(name, otherLog().content(name));
        Map<String, ByteBuffer> before = files();
        assertThatExceptionOfType(CorruptLogException.class).isThrownBy(this::open);
        assertThat(files()).isEqualTo(before);
    }

    /** Its frames say that it is synced, so that the scan begins in it. */
    @Test
    void shouldRefuseATailOfAnotherLogWithoutAControlBlock() throws IOException {
        String name = SegmentName.of(tailBase);
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), other)) {
            while (log.lastSequence() < last) {
                Records.append(log);
                log.commit(Durability.SYNCED);
            }
        }
        storage.replace(name, other.content(name));
        storage.delete(SegmentName.CONTROL);
        Map<String, ByteBuffer> before = files();
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .withMessageContaining("another log");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldNotReadASegmentOfAnotherLog() {
        String name = SegmentName.of(2 * LENGTH);
        storage.replace(name, otherLog().content(name));
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .withMessageContaining("another log")
                    .satisfies(e -> assertThat(e.file()).isEqualTo(name));
            assertThat(tailer.sequence()).isPositive();
        }
    }

    /** A log with the same records at the same places. */
    private CrashableStorage otherLog() {
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), other)) {
            Records.append(log, (int) last);
        }
        return other;
    }

    @Test
    void shouldReplaceAnEmptyFileInThePlaceOfAPreparedSegment() {
        String name = SegmentName.of(tailBase + LENGTH);
        storage.replace(name, new byte[0]);
        checkWhole();
        assertThat(storage.content(name)).hasSize(LENGTH);
    }

    @Test
    void shouldSetAsideAFileFarBehindTheEnd() {
        String name = SegmentName.of(1L << 40);
        storage.replace(name, "foreign".getBytes(StandardCharsets.US_ASCII));
        checkWhole();
        assertThat(storage.list())
                .doesNotContain(name)
                .anyMatch(aside -> aside.startsWith(name) && aside.endsWith(".aside"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 4088})
    void shouldRefuseATailThatWasCutShort(int length) {
        String name = SegmentName.of(tailBase);
        storage.replace(name, Arrays.copyOf(storage.content(name), length));
        Map<String, ByteBuffer> before = files();
        assertThatExceptionOfType(CorruptLogException.class).isThrownBy(this::open);
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldRefuseALogWhoseTailIsMissing() throws IOException {
        storage.delete(SegmentName.of(tailBase));
        Map<String, ByteBuffer> before = files();
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .withMessageContaining("missing");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldTellATailerOfAMissingSegment() throws IOException {
        storage.delete(SegmentName.of(2 * LENGTH));
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .withMessageContaining("missing")
                    .satisfies(e -> assertThat(e.file()).isEqualTo(SegmentName.of(2 * LENGTH)));
            tailer.toPosition(3 * LENGTH + SegmentHeader.LENGTH);
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(last + 1);
        }
    }

    // ---- the control file

    @Test
    void shouldDoWithoutAControlFile() throws IOException {
        storage.delete(SegmentName.CONTROL);
        try (Tailer tailer = tailer()) {
            assertThat(Records.readAll(tailer)).isEqualTo(last);
        }
        checkWhole();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 4095})
    void shouldDoWithoutAControlFileThatWasCutShort(int length) {
        storage.replace(SegmentName.CONTROL, Arrays.copyOf(storage.content(SegmentName.CONTROL), length));
        try (Tailer tailer = tailer()) {
            assertThat(Records.readAll(tailer)).isEqualTo(last);
        }
        checkWhole();
    }

    @Test
    void shouldDoWithoutAControlFileThatIsNone() {
        change(SegmentName.CONTROL, 0, 255);
        checkWhole();
        storage.replace(SegmentName.CONTROL, new byte[10_000]);
        checkWhole();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 40, 44, 48, 56, 64, 192, 200, 256, 264})
    void shouldNotBelieveAFieldOfTheControlFileThatIsDamaged(int offset) {
        for (int mask : new int[] {1, 128}) {
            for (int at = 0; at < 4; at++) {
                change(SegmentName.CONTROL, offset + at, mask);
                checkWhole();
            }
        }
    }

    // ---- the directory

    @Test
    void shouldRefuseAFileInThePlaceOfTheDirectory(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "something");
        LogConfig config = WriterKind.MAPPED.config(file).build();
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Log.open(config))
                .withMessageContaining("not a directory: " + file);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> Tailer.open(config));
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() ->
                        Log.open(WriterKind.MAPPED.config(file.resolve("below")).build()));
        assertThat(file).hasContent("something");
    }

    @Test
    void shouldLeaveDirectoriesAlone(@TempDir Path directory) throws IOException {
        Files.createDirectories(directory.resolve("archive"));
        Files.createDirectories(directory.resolve("archive.tmp"));
        LogConfig config = WriterKind.MAPPED.config(directory).build();
        for (int life = 0; life < 2; life++) {
            try (Log log = Log.open(config)) {
                Records.append(log, 50);
                log.flush();
                assertThat(Records.readAll(log)).isEqualTo(50 * (life + 1));
            }
        }
        assertThat(directory.resolve("archive.tmp")).isEmptyDirectory();
    }

    @Test
    void shouldRefuseToReadADirectoryThatIsNotThere(@TempDir Path directory) {
        Path missing = directory.resolve("missing");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Tailer.open(WriterKind.MAPPED.config(missing).build()))
                .withMessageContaining("no such directory: " + missing);
        assertThat(missing).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldReadButNotWriteInAReadOnlyDirectory(ReadMode readMode, @TempDir Path directory) throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        if (root) {
            System.out.println("SKIPPED LogIgnoresForeignFilesTest.shouldReadButNotWriteInAReadOnlyDirectory: is root");
        }
        assumeTrue(!root, "root may write everywhere");
        LogConfig config =
                WriterKind.MAPPED.config(directory).readMode(readMode).build();
        try (Log log = Log.open(config)) {
            Records.append(log, 50);
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> Log.open(config))
                    .withMessageContaining("not writable");
            try (Tailer tailer = Tailer.open(config)) {
                assertThat(Records.readAll(tailer)).isEqualTo(50);
            }
        } finally {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }
}
