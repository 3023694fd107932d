package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Command;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Others may write to the directory of the results too, and have put links to files elsewhere in their places. */
class LinkedResultsTest {

    @TempDir
    Path directory;

    private Path precious;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void write() throws IOException {
        precious = Files.writeString(directory.resolve("precious"), "precious");
    }

    private int compare(String flags) {
        String[] args =
                ("--engines bare-copy --modes sync --rounds 1 --seconds 0.01 --messages 100 --warmup 0 --heap 256m"
                                + " --dir " + directory + " " + flags)
                        .split(" ");
        return new ComparePeers()
                .run(
                        args,
                        new PrintStream(new ByteArrayOutputStream()),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void shouldRefuseALinkForAllNumbersBeforeItMeasures() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("peers.json"), precious);

        assertThat(compare("--json " + link)).isEqualTo(Command.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--json " + link + " is a symbolic link")
                .hasLineCount(1);
        assertThat(precious).hasContent("precious");
    }

    @Test
    void shouldWriteNoLatenciesThroughALink() throws IOException {
        Path run = Files.createDirectories(directory.resolve("runs/sync-bare-copy"));
        Path link = Files.createSymbolicLink(run.resolve("latencies.hlog"), precious);

        assertThat(compare("--output " + directory.resolve("runs"))).isEqualTo(Command.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(link + " is a symbolic link; take it away");
        assertThat(precious).hasContent("precious");
    }
}
