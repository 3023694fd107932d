package io.persist.bench.device.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each engine of plain Java does what it is asked for, where it is asked for it. */
class AccessTest {

    private static final int BLOCK = 4096;
    private static final int BLOCKS = 16;
    private static final int DEPTH = 3;

    @TempDir
    private Path directory;

    private DeviceEngine engine(String name) {
        return DeviceEngines.plain().all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Path file() throws IOException {
        return Files.write(directory.resolve("file"), new byte[BLOCK * BLOCKS]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"channel", "direct", "dsync", "direct-dsync", "raf-rw", "raf-rwd", "raf-rws", "mmap", "aio"})
    void shouldWriteWholeBlocksAtTheirOffsets(String name) throws IOException {
        Path file = file();
        AccessSpec spec = new AccessSpec(file, BLOCK * BLOCKS, BLOCK, DEPTH, Operation.WRITE, 1);
        Set<Request> ended = new HashSet<>();
        try (Access access = engine(name).opener().open(spec)) {
            List<Integer> places = List.of(3, 0, 15);
            for (int i = 0; i < places.size(); i++) {
                Request request = new Request(i);
                request.set((long) places.get(i) * BLOCK, i + 1, i > 0);
                access.begin(request);
                ended.add(access.await());
            }
        }
        assertThat(ended).hasSize(3);
        byte[] content = Files.readAllBytes(file);
        assertThat(content).hasSize(BLOCK * BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            byte[] block = Arrays.copyOfRange(content, i * BLOCK, (i + 1) * BLOCK);
            boolean isNoise = Arrays.stream(ints(block)).distinct().count() > 500;
            assertThat(isNoise).as("block %d", i).isEqualTo(Set.of(0, 3, 15).contains(i));
        }
    }

    private static int[] ints(byte... bytes) {
        int[] ints = new int[bytes.length / 4];
        ByteBuffer.wrap(bytes).asIntBuffer().get(ints);
        return ints;
    }

    /** With a sync for several writes, mapped memory syncs all of them, as an fsync does; blocks in a row at once. */
    @Test
    void shouldSyncAllMappedBlocksSinceTheLastSync() throws IOException {
        AccessSpec spec = new AccessSpec(file(), BLOCK * BLOCKS, BLOCK, 1, Operation.WRITE, 1);
        List<String> ranges = new ArrayList<>();
        try (MappedAccess access = MappedAccess.open(spec)) {
            writeBlocks(access, 9, 4, 3);
            access.forAllUnsynced((piece, at, length) -> ranges.add(at / BLOCK + " " + length / BLOCK));
            assertThat(ranges).containsExactly("3 2", "9 1");

            writeBlocks(access, 12, 0);
            Request synced = new Request(0);
            synced.set(5L * BLOCK, 6, true);
            access.begin(synced);
            access.forAllUnsynced((piece, at, length) -> ranges.add("left " + at));
            assertThat(ranges).hasSize(2);
        }
    }

    private static void writeBlocks(MappedAccess access, int... places) throws IOException {
        for (int place : places) {
            Request request = new Request(0);
            request.set((long) place * BLOCK, place, false);
            access.begin(request);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel", "direct", "raf-rw", "mmap", "aio"})
    void shouldRead(String name) throws IOException {
        AccessSpec spec = new AccessSpec(file(), BLOCK * BLOCKS, BLOCK, DEPTH, Operation.READ, 1);
        try (Access access = engine(name).opener().open(spec)) {
            Request request = new Request(0);
            request.set(5L * BLOCK, 1, false);
            access.begin(request);
            assertThat(access.await()).isSameAs(request);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel", "raf-rw", "aio"})
    void shouldNoticeTheEndOfTheFile(String name) throws IOException {
        AccessSpec spec = new AccessSpec(file(), BLOCK * BLOCKS, BLOCK, DEPTH, Operation.READ, 1);
        try (Access access = engine(name).opener().open(spec)) {
            Request request = new Request(0);
            request.set((long) BLOCKS * BLOCK, 1, false);
            assertThatIOException().isThrownBy(() -> {
                access.begin(request);
                access.await();
            });
        }
    }

    /** Linux shows the flags of each open file in octal; these are O_DSYNC, O_DIRECT and what O_SYNC has besides. */
    @ParameterizedTest
    @CsvSource({
        "channel, 0",
        "direct, 40000",
        "dsync, 10000",
        "direct-dsync, 50000",
        "raf-rw, 0",
        "raf-rwd, 10000",
        "raf-rws, 4010000",
        "aio, 0"
    })
    void shouldOpenAsItIsCalled(String name, String flags) throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "no Linux");
        Path file = file().toRealPath();
        AccessSpec spec = new AccessSpec(file, BLOCK * BLOCKS, BLOCK, DEPTH, Operation.WRITE, 1);
        try (Access access = engine(name).opener().open(spec);
                Stream<Path> open = Files.list(descriptors)) {
            assertThat(access).isNotNull();
            Path descriptor =
                    open.filter(each -> leadsTo(each, file)).findFirst().orElseThrow();
            String line = Files.readAllLines(Path.of("/proc/self/fdinfo").resolve(descriptor.getFileName())).stream()
                    .filter(each -> each.startsWith("flags:"))
                    .findFirst()
                    .orElseThrow();
            int seen = Integer.parseInt(line.substring(6).strip(), 8) & 04_050_000;
            assertThat(Integer.toOctalString(seen)).isEqualTo(flags);
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    void shouldRefuseDirectInMemory() throws IOException {
        Path shm = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(shm) && Files.getFileStore(shm).type().equals("tmpfs"), "no tmpfs");
        Path file = Files.createTempFile(shm, "persist-access-", ".test");
        try {
            AccessSpec spec = new AccessSpec(file, BLOCK, BLOCK, 1, Operation.WRITE, 1);
            assertThatIOException()
                    .isThrownBy(() -> engine("direct").opener().open(spec).close())
                    .withMessageContaining("no O_DIRECT on tmpfs")
                    .withMessageContaining("name a --file on a disk");
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void shouldNameWhatIsNotThere() {
        assertThat(DeviceEngines.plain().names()).endsWith("libaio", "io_uring", "io_uring-direct");
        assertThat(DeviceEngines.plain().all().stream()
                        .filter(each -> DeviceEngines.NATIVE.contains(each.name()))
                        .map(each -> each.missing().get().orElse("")))
                .hasSize(3)
                .allMatch(why -> why.contains("persist-peers") && why.contains("bin/persist device"));
    }
}
