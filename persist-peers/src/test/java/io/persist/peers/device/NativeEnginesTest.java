package io.persist.peers.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.bench.device.DeviceCommand;
import io.persist.bench.device.access.DeviceEngines;
import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeEnginesTest {

    private static final int BLOCK = 4096;

    @TempDir
    private Path directory;

    @Test
    void shouldBeFoundByTheProgram() {
        assertThat(DeviceEngines.load().all().stream()
                        .filter(each -> DeviceEngines.NATIVE.contains(each.name()))
                        .map(each -> each.missing().get().orElse("")))
                .hasSize(3)
                .noneMatch(why -> why.contains("not on this class path"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"libaio", "io_uring", "io_uring-direct"})
    void shouldMeasureOrSayWhyNot(String name) throws IOException {
        Path csv = directory.resolve("cells.csv");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String arguments = "--engine " + name + " --pattern rand,append --op write,read --syncEvery 0,1,3 --depth 3"
                + " --fileSize 256k --block 4096 --seconds 0.02 --warmup 0 --file " + directory.resolve("noise")
                + " --csv " + csv;
        int code = new DeviceCommand()
                .run(
                        arguments.split(" "),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(out, true, StandardCharsets.UTF_8));
        Optional<String> missing = DeviceEngines.load().all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(DeviceEngine::missing)
                .flatMap(reason -> reason.get());
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));

        assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(Files.readAllLines(csv))
                .hasSize(8)
                .filteredOn(row -> row.startsWith(name))
                .hasSize(7)
                .allMatch(row -> row.endsWith(","), "nothing is missing");
        assertThat(directory.resolve("noise")).doesNotExist();
        assertThat(directory.resolve("noise.append")).doesNotExist();
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // it would wait for good
    void shouldEndAfterAReadThatFailed() throws IOException {
        assumeTrue(UringAccess.missing().isEmpty());
        Path file = Files.write(directory.resolve("short"), new byte[BLOCK]);
        AccessSpec spec = new AccessSpec(file, 4 * BLOCK, BLOCK, 1, Operation.READ, 1);
        try (UringAccess access = UringAccess.open(spec, 0)) {
            access.begin(request(0, 2 * BLOCK, false)); // behind its end
            assertThatThrownBy(access::await)
                    .isInstanceOf(IOException.class)
                    .hasMessage("at 8192 io_uring ended with 0");
        }
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldWaitForTheSyncOfAWriteThatFailed() throws IOException {
        assumeTrue(UringAccess.missing().isEmpty());
        Path file = Files.write(directory.resolve("short"), new byte[BLOCK]);
        AccessSpec spec = new AccessSpec(file, BLOCK, BLOCK, 2, Operation.WRITE, 1);
        try (UringAccess access = UringAccess.open(spec, 0)) {
            access.begin(request(0, Long.MAX_VALUE - BLOCK, true)); // further than any file goes
            assertThatThrownBy(access::await).isInstanceOf(IOException.class).hasMessageContaining("ended with -");
            access.begin(request(1, 0, true));
            assertThatThrownBy(access::await).as("its sync").hasMessageContaining("ended with -125");
            assertThat(access.await().slot()).isEqualTo(1);
        }
    }

    private static Request request(int slot, long offset, boolean isSynced) {
        Request request = new Request(slot);
        request.set(offset, 1, isSynced);
        return request;
    }

    @Test
    void shouldSayWhatToDoIfTheKernelRefuses() {
        assertThat(UringAccess.whyNoRing(38)).contains("Linux 5.6");
        assertThat(UringAccess.whyNoRing(1)).contains("kernel.io_uring_disabled=0", "seccomp");
        assertThat(UringAccess.whyNoRing(12)).contains("ulimit -l");
        assertThat(UringAccess.whyNoRing(5)).contains("error 5");
    }
}
