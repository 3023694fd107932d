package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.persist.file.disk.DiskMapping.Allowance;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that gets no mapping any more ends: before that, an exception says so. */
class MappingAllowanceTest {

    private static final int LENGTH = 4096;

    @TempDir
    private Path directory;

    private Path file;
    private long all;
    private final Allowance allowance = new Allowance(8, () -> all);

    @BeforeEach
    void write() throws IOException {
        file = Files.write(directory.resolve("file"), new byte[LENGTH]);
    }

    private DiskMapping map(int length) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return DiskMapping.of(channel, MapMode.READ_ONLY, length, allowance);
        }
    }

    @Test
    void shouldLeaveAQuarterToTheJvm() throws IOException {
        List<DiskMapping> mappings = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            mappings.add(map(LENGTH));
        }
        all = 6;
        assertThatIOException()
                .isThrownBy(() -> map(LENGTH))
                .withMessage(
                        "too many mappings: this process has 6 of the 8 that the system gives it (vm.max_map_count),"
                                + " and the JVM needs some; raise that, or take longer segments");
        mappings.get(0).close();
        mappings.get(0).close(); // counts once
        mappings.set(0, map(LENGTH));
        all = 6;
        assertThatIOException().isThrownBy(() -> map(LENGTH));
        mappings.forEach(DiskMapping::close);
    }

    /** What the garbage collector unmaps is not told to anybody. */
    @Test
    void shouldCountAnewBeforeItRefuses() throws IOException {
        for (int i = 0; i < 6; i++) {
            allowance.take();
        }
        all = 2;
        for (int i = 0; i < 4; i++) {
            map(LENGTH).close();
            allowance.take();
        }
        all = 6;
        assertThatIOException().isThrownBy(() -> map(LENGTH));
    }

    /** To count takes a descriptor. */
    @Test
    void shouldRefuseWhatCannotBeCounted() throws IOException {
        for (int i = 0; i < 6; i++) {
            allowance.take();
        }
        all = 0;
        assertThatIOException().isThrownBy(() -> map(LENGTH));
        allowance.giveBack();
        map(LENGTH).close();
    }

    @Test
    void shouldTakeNothingForWhatCannotBeMapped() throws IOException {
        for (int i = 0; i < 20; i++) {
            FileChannel closed = FileChannel.open(file);
            closed.close();
            assertThatIOException()
                    .isThrownBy(() -> DiskMapping.of(closed, MapMode.READ_ONLY, LENGTH, allowance))
                    .withMessage(null);
        }
        map(LENGTH).close();
    }

    /** The least of any distribution is some 65,000. */
    @Test
    void shouldKnowTheLimitOfThisProcess() {
        assertThat(Allowance.ofProcess().limit()).isGreaterThan(10_000);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldCountTheMappingsOfThisProcess() {
        assertThat(Allowance.counted()).isPositive();
    }
}
