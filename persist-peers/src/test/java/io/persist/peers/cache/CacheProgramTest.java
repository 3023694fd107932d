package io.persist.peers.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program with RocksDB. */
class CacheProgramTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"rocksdb, sync", "rocksdb, async", "store, sync"})
    void shouldFindEachAcknowledgedSet(String engine, String mode) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Path logs = directory.resolve("logs");
        String arguments = "--items 300 --requests 1001 --threads 2 --clients 5 --warmup 0 --ratio 3:7 --checkpoint 0"
                + " --chkptRateMBps 100 --engine " + engine + " --mode " + mode + " --logsPath " + logs + " --dataPath "
                + directory.resolve("data");
        int code = CacheProgram.command()
                .run(
                        arguments.split(" "),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("| 3:7 | " + mode + " | " + engine + " |", "Checkpoint from ")
                .contains("of 300 items with an acknowledged set 0 are lost.");
        assertThat(logs).doesNotExist();
        assertThat(directory).isEmptyDirectory();
    }
}
