package io.persist.bench.doctor.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchTest {

    /** Two rounds, however slow the disk is. */
    private static final DiskProbe.Plan SMALL = new DiskProbe.Plan(4, 2, 2, 1_000_000_000, 1 << 20, 1 << 20);

    @TempDir
    Path directory;

    @Test
    void shouldLeaveADirectoryAsItWas() throws IOException {
        Path mine = Files.writeString(directory.resolve("mine"), "x");

        try (Scratch scratch = Scratch.in(directory)) {
            Files.createDirectories(scratch.file("a/b"));
            Files.writeString(scratch.file("a/b/c"), "x");
            assertThat(scratch.folder()).hasParent(directory);
        }

        assertThat(directory).isDirectoryContaining(mine::equals);
        assertThat(directory.toFile().list()).hasSize(1);
    }

    /** Those of a process that was killed go; those of one that runs, and what only begins so, stay. */
    @Test
    void shouldDeleteWhatAKilledProcessHasLeft() throws IOException {
        Path dead = Files.createDirectory(directory.resolve(Scratch.PREFIX + "999999999-17"));
        Files.writeString(dead.resolve("series"), "x");
        Files.createFile(dead.resolve(Scratch.LOCK));
        Path alive = Files.createDirectory(
                directory.resolve(Scratch.PREFIX + ProcessHandle.current().pid() + "-17"));
        Path other = Files.createDirectory(directory.resolve(Scratch.PREFIX + "notes"));

        Scratch.in(directory).close();

        assertThat(dead).doesNotExist();
        assertThat(alive).exists();
        assertThat(other).exists();
    }

    /** One in another container is not seen, but holds its lock; one that only begins has none yet. */
    @Test
    void shouldLeaveWhatAProcessUsesThatIsNotSeen() throws IOException {
        Path used = Files.createDirectory(directory.resolve(Scratch.PREFIX + "999999999-17"));
        Path begun = Files.createDirectory(directory.resolve(Scratch.PREFIX + "999999998-17"));
        try (FileChannel lock =
                FileChannel.open(used.resolve(Scratch.LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            lock.lock();
            Scratch.in(directory).close();
        }
        assertThat(used).isNotEmptyDirectory();
        assertThat(begun).exists();
    }

    @Test
    void shouldHoldALockWhileItIsUsed() throws IOException {
        try (Scratch scratch = Scratch.in(directory);
                FileChannel other = FileChannel.open(scratch.file(Scratch.LOCK), StandardOpenOption.WRITE)) {
            assertThatThrownBy(other::tryLock).isInstanceOf(OverlappingFileLockException.class);
        }
    }

    @Test
    void shouldMakeWhatIsMissingAndTakeItAwayAgain() throws IOException {
        try (Scratch scratch = Scratch.in(directory.resolve("a/b/c"))) {
            assertThat(scratch.folder()).isDirectory();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldKeepADirectoryInWhichThereIsSomethingNow() throws IOException {
        try (Scratch scratch = Scratch.in(directory.resolve("a/b"))) {
            Files.writeString(scratch.folder().resolveSibling("other"), "x");
        }
        assertThat(directory.resolve("a/b/other")).exists();
        assertThat(directory.resolve("a/b").toFile().list()).hasSize(1);
    }

    @Test
    void shouldLeaveNothingWhereItCannotBe() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");

        assertThatThrownBy(() -> Scratch.in(file))
                .isInstanceOf(IOException.class)
                .hasMessage("it is no directory");
        assertThatThrownBy(() -> Scratch.in(file.resolve("below"))).isInstanceOf(IOException.class);
        assertThat(directory.toFile().list()).containsExactly("file");
    }

    @Test
    void shouldGoWithAllFilesWhenMeasuringFails() {
        assertThatThrownBy(() -> {
                    try (Scratch scratch = Scratch.in(directory)) {
                        DiskProbe.measure(scratch, SMALL, part -> {
                            assertThat(scratch.folder().toFile().list()).hasSizeGreaterThan(5);
                            throw new UncheckedIOException(new IOException("the disk is gone"));
                        });
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("the disk is gone");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldMeasureEveryOperation() throws IOException {
        Measurements measurements;
        try (Scratch scratch = Scratch.in(directory)) {
            measurements =
                    DiskProbe.measure(scratch, SMALL, part -> assertThat(part).isBetween(0.0, 1.0));
        }

        assertThat(measurements.all()).hasSize(11).allSatisfy(each -> {
            assertThat(each.samples()).isEqualTo(each.refusal() == null ? 4 : 0);
            assertThat(each.p50Ns()).isLessThanOrEqualTo(each.maxNs());
        });
        assertThat(measurements.find(Operation.FDATASYNC, Space.ZEROS)).isNotNull();
        assertThat(measurements.find(Operation.MAPPED_FORCE, Space.ZEROS_BY_MIB))
                .isNotNull();
        assertThat(measurements.sequentialBytesPerSecond()).isPositive();
    }

    @Test
    void shouldNeedNoMoreSpaceThanItSays() throws IOException {
        DiskProbe.Plan normal = DiskProbe.Plan.NORMAL;
        long[] bytes = new long[1];
        try (Scratch scratch = Scratch.in(directory)) {
            DiskProbe.measure(scratch, SMALL, part -> {
                for (String name : scratch.folder().toFile().list()) {
                    boolean grows = name.endsWith("." + Space.GROWING) || name.equals("sequential");
                    bytes[0] += grows ? 0 : scratch.file(name).toFile().length();
                }
            });
        }
        long filled = bytes[0] / 2 / SMALL.fileLength() * normal.fileLength(); // the rounds were two
        long growing = 4L * (normal.samples() + normal.perRound() + 20) * Probe.LENGTH;
        assertThat(filled + growing + normal.sequentialBytes()).isLessThanOrEqualTo(DiskProbe.NEEDED_BYTES);
    }
}
