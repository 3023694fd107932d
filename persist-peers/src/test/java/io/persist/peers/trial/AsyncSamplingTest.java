package io.persist.peers.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the kernel's frames can be had. */
class AsyncSamplingTest {

    @TempDir
    Path directory;

    @Test
    void shouldSeeWhetherTheKernelShowsItsAddresses() throws IOException {
        Path file = directory.resolve("kallsyms");
        assertThat(AsyncSampling.kernelSymbols(file)).isFalse();
        Files.writeString(file, "0000000000000000 A fixed_percpu_data\n0000000000000000 T _text\n");
        assertThat(AsyncSampling.kernelSymbols(file)).isFalse();
        Files.writeString(file, "0000000000000000 A fixed_percpu_data\nffffffff81000000 T _text\n");
        assertThat(AsyncSampling.kernelSymbols(file)).isTrue();
    }
}
