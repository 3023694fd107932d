package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.log.LogConfig;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program whose output is lost says so, and one whose reader has gone ends. */
class StandardOutputTest {

    private static final int CLOSED_PIPE = 141;

    /** More than a pipe holds. */
    private static final int RECORDS = 20_000;

    @TempDir
    Path directory;

    @BeforeEach
    void writeALog() {
        try (MessageLogger logger = MessageLogger.open(config())) {
            for (int i = 1; i <= RECORDS; i++) {
                logger.append(("record " + i).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private LogConfig config() {
        return LogConfig.builder(directory.resolve("log"))
                .segmentLength(1 << 20)
                .build();
    }

    private Process start(ProcessBuilder.Redirect out, String command) throws IOException {
        return ChildProgram.builder(directory, command).redirectOutput(out).start();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.persist.bench.Main dump --format json log",
                "io.persist.bench.Main help",
                "io.persist.bench.Main verify log",
                "io.persist.bench.Main stats --watch log",
                "io.persist.bench.Main tail -f log",
                "com.neeve.perf.persist.MessageLogger -k bench -c 10 -t 0 -i 0.01 --segmentSize 1"
            })
    void shouldFailWhenTheDiskBelowTheOutputIsFull(String command) throws Exception {
        Process process = start(ProcessBuilder.Redirect.to(new File("/dev/full")), command);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(directory.resolve("err"))
                .content()
                .isEqualTo("persist: cannot write to standard output: No space left on device;"
                        + " what was printed is not whole\n");
        assertThat(process.exitValue()).isEqualTo(Command.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dump log", "dump --format html log", "stats --watch --interval 0.01 log", "tail -f log"})
    void shouldEndWhenThePipeIsClosed(String command) throws Exception {
        Process process = start(ProcessBuilder.Redirect.PIPE, "io.persist.bench.Main " + command);
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isNotEmpty();
        }

        // tail has nothing more to write after its ten lines, and ends all the same
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(CLOSED_PIPE);
        assertThat(directory.resolve("err")).isEmptyFile();
    }

    @Test
    void shouldGoOnWhileTheReaderIsThere() throws Exception {
        Process process = start(ProcessBuilder.Redirect.PIPE, "io.persist.bench.Main tail -n 1 -f log");
        try (BufferedReader out = process.inputReader();
                MessageLogger logger = MessageLogger.open(config())) {
            assertThat(out.readLine()).contains("record " + RECORDS);
            logger.append("one more".getBytes(StandardCharsets.UTF_8));
            assertThat(out.readLine()).contains("one more");
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.size(directory.resolve("err"))).isZero();
    }
}
