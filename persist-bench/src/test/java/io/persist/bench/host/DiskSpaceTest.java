package io.persist.bench.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {

    /** Of a file system that tells no size. */
    private static final Path PROC = Path.of("/proc");

    @TempDir
    Path directory;

    @Test
    void shouldSayWhatIsNeededAndWhatToGiveInstead() {
        Path place = directory.resolve("not/there/yet");
        assertThatIOException()
                .isThrownBy(() -> DiskSpace.require(place, 1L << 50, "the rows take", "a smaller -batch-count"))
                .withMessageMatching("the rows take about 1\\.0 PiB, but only .* are free in " + place
                        + "; give a smaller -batch-count");
    }

    @Test
    void shouldLookAtWhatIsThereOfADirectory() throws IOException {
        assertThat(DiskSpace.existing(directory.resolve("not/there/yet"))).isEqualTo(directory);
        assertThat(DiskSpace.usable(directory.resolve("not/there/yet"))).isPositive();
    }

    @Test
    void shouldHaveAsMuchAsAnybodyWantsWhereItIsNotTold() throws IOException {
        assumeThat(PROC).isDirectory();
        assumeThat(Files.getFileStore(PROC).getTotalSpace()).isZero();
        assertThatNoException().isThrownBy(() -> DiskSpace.require(PROC, Long.MAX_VALUE, "all that", "nothing"));
    }
}
