package io.persist.bench.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PinningTest {

    private static final Path STATUS = Path.of("/proc/thread-self/status");

    /** Where no machine has one, so that the system refuses. */
    private static final CpuSet NO_CPU = CpuSet.parse("[900]");

    @BeforeEach
    void needsLinux() {
        assumeTrue(Files.exists(STATUS));
    }

    @Test
    void shouldBindTheThreadsThatItMakesAndNoOthers() throws Exception {
        String before = allowed();
        CpuSet one = firstOf(before);
        List<String> seen = new ArrayList<>();
        Pinning pinning = Pinning.to(one);
        Thread thread = pinning.threadFactory("pinned").newThread(() -> seen.add(allowed()));
        thread.start();
        thread.join();

        pinning.check();
        assertThat(seen).containsExactly(one.toString());
        assertThat(allowed()).isEqualTo(before);
    }

    @Test
    void shouldBindAThreadUntilItIsClosed() throws Exception {
        String before = allowed();
        CpuSet one = firstOf(before);
        Pinning.Pinned pinned = Pinning.to(one).pin();
        String meanwhile = allowed();
        pinned.close();

        assertThat(meanwhile).isEqualTo(one.toString());
        assertThat(allowed()).isEqualTo(before);
    }

    @Test
    void shouldSayThatTheSystemRefuses() {
        assertThatThrownBy(Pinning.to(NO_CPU)::tryOut)
                .isInstanceOf(Pinning.PinningException.class)
                .hasMessageStartingWith("--affinity: a thread cannot be bound to CPU 900 (")
                .hasMessageEndingWith("or leave --affinity out");
    }

    @Test
    void shouldSayThatTheSystemAllowsOnlyAPart() {
        CpuSet one = firstOf(allowed());
        CpuSet both = CpuSet.parse("[" + one + ",900]");

        assertThatThrownBy(Pinning.to(both)::tryOut)
                .isInstanceOf(Pinning.PinningException.class)
                .hasMessageContaining("CPU " + one + ", 900: the system allows CPU " + one + " only");
    }

    @Test
    void shouldLetAThreadWorkThatCannotBeBoundAndTellLater() throws Exception {
        List<String> seen = new ArrayList<>();
        Pinning pinning = Pinning.to(NO_CPU);
        Thread thread = pinning.threadFactory("unpinned").newThread(() -> seen.add("ran"));
        thread.start();
        thread.join();

        assertThat(seen).containsExactly("ran");
        assertThatThrownBy(pinning::check).isInstanceOf(Pinning.PinningException.class);
    }

    /** The CPUs that the current thread may use. */
    private static String allowed() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> CpuSet.ranges(
                                    line.substring(line.indexOf(':') + 1).strip())
                            .toString())
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static CpuSet firstOf(String cpus) {
        return CpuSet.parse("[" + cpus.split(",")[0] + "]");
    }
}
