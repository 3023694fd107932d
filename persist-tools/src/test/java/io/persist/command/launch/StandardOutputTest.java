package io.persist.command.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.command.Command;
import io.persist.log.LogConfig;
import io.persist.support.ChildJvm;
import io.persist.support.Seeds;
import io.persist.tool.verb.ToolsMain;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
        return builder(out, command).start();
    }

    private ProcessBuilder builder(ProcessBuilder.Redirect out, String command) {
        List<String> line = ChildJvm.briefly(ToolsMain.class, (Object[]) command.split(" "));
        return new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectOutput(out)
                .redirectError(directory.resolve("err").toFile());
    }

    private static Stream<String> whatFails() {
        return drawn("dump --format json log", "help", "verify log", "stats --watch log", "tail -f log");
    }

    private static Stream<String> whatEnds() {
        return drawn("dump log", "dump --format html log", "stats --watch --interval 0.01 log", "tail -f log");
    }

    /** A build takes two of them, by chance. */
    private static Stream<String> drawn(String... all) {
        List<String> drawn = new ArrayList<>(List.of(all));
        Collections.shuffle(drawn);
        return drawn.stream().limit(Seeds.isNightly() ? all.length : 2);
    }

    @ParameterizedTest
    @MethodSource("whatFails")
    void shouldFailWhenTheDiskBelowTheOutputIsFull(String command) throws Exception {
        Process process = start(ProcessBuilder.Redirect.to(new File("/dev/full")), command);

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(directory.resolve("err"))
                .content()
                .isEqualTo("persist: cannot write to standard output: No space left on device;"
                        + " what was printed is not whole\n");
        assertThat(process.exitValue()).isEqualTo(Command.FAILED);
    }

    @ParameterizedTest
    @MethodSource("whatEnds")
    void shouldEndWhenThePipeIsClosed(String command) throws Exception {
        Process process = start(ProcessBuilder.Redirect.PIPE, command);
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isNotEmpty();
        }

        // tail has nothing more to write after its ten lines, and ends all the same
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(CLOSED_PIPE);
        assertThat(directory.resolve("err")).isEmptyFile();
    }

    /** German, if this machine has the system's messages in it. */
    @Test
    void shouldKnowAClosedPipeWhateverLanguageTheSystemSpeaks() throws Exception {
        ProcessBuilder german = builder(ProcessBuilder.Redirect.PIPE, "dump log");
        german.environment().put("LC_ALL", "C.UTF-8");
        german.environment().put("LANGUAGE", "de");
        Process process = german.start();
        process.getInputStream().close();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(directory.resolve("err")).isEmptyFile();
        assertThat(process.exitValue()).isEqualTo(CLOSED_PIPE);
    }

    @Test
    void shouldGoOnWhileTheReaderIsThere() throws Exception {
        Process process = start(ProcessBuilder.Redirect.PIPE, "tail -n 1 -f log");
        try (BufferedReader out = process.inputReader();
                MessageLogger logger = MessageLogger.open(config())) {
            assertThat(out.readLine()).contains("record " + RECORDS);
            logger.append("one more".getBytes(StandardCharsets.UTF_8));
            assertThat(out.readLine()).contains("one more");
        }
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.size(directory.resolve("err"))).isZero();
    }
}
