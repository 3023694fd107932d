package io.persist.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpaceWatchTest {

    private static final Duration EVER = Duration.ofDays(1);

    /** Between two looks it waits for the end, too. */
    @Test
    void shouldLookFirstAndLast(@TempDir Path directory) throws Exception {
        Files.write(directory.resolve("one"), new byte[100]);
        long startNs = System.nanoTime();
        List<SpaceWatch.Sample> samples;
        try (SpaceWatch watch = SpaceWatch.start(directory, startNs, EVER)) {
            samples = watch.stop();
        }
        assertThat(samples).extracting(SpaceWatch.Sample::bytes).containsExactly(100L, 100L);
        assertThat(samples.get(0).atNs()).isBetween(0L, samples.get(1).atNs());
    }
}
