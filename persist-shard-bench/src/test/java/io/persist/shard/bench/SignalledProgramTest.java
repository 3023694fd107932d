package io.persist.shard.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.bench.Main;
import io.persist.command.Command;
import io.persist.shard.postgres.server.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that is ended while it has servers: results are printed, and no server stays. */
@Tag("nightly") // it starts JVMs and servers
class SignalledProgramTest {

    @TempDir
    Path directory;

    /** It leads a group of processes, as what is typed at a terminal does. */
    private Process start() throws IOException {
        assumeThat(PostgresServer.whyMissing()).isNull();
        assumeThat(Path.of("/usr/bin/setsid")).isExecutable();
        return new ProcessBuilder(
                        "setsid",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "shard",
                        "--backend=s3",
                        "--runtime=10m",
                        "--dir=" + directory)
                .redirectErrorStream(true)
                .start();
    }

    private static void signal(String signal, String whom) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-s", signal, "--", whom).start().waitFor())
                .isZero();
    }

    private static void awaitEnd(List<ProcessHandle> servers) throws Exception {
        CompletableFuture<?>[] ends =
                servers.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(ends).get(2, TimeUnit.MINUTES);
    }

    private static List<ProcessHandle> awaitServers(BufferedReader says, Process program) throws IOException {
        for (String line = ""; !line.contains("reader 0 has read "); line = says.readLine()) {
            assertThat(line).isNotNull();
        }
        List<ProcessHandle> servers = program.descendants().toList();
        assertThat(servers).hasSizeGreaterThan(3); // S3, a shell, PostgreSQL and what that has started
        return servers;
    }

    /** Ctrl-C is a signal to all of the group, as is what {@code timeout} sends; an orderly SIGTERM is one to the JVM. */
    @ParameterizedTest
    @ValueSource(strings = {"INT -", "TERM -", "TERM "})
    void shouldPrintWhatWasDoneAndLeaveNothing(String signal) throws Exception {
        Process program = start();
        try (BufferedReader says = program.inputReader(UTF_8)) {
            List<ProcessHandle> servers = awaitServers(says, program);
            signal(signal.replaceFirst(" .*", ""), signal.replaceFirst(".* ", "") + program.pid());

            assertThat(says.lines().toList())
                    .anyMatch(line -> line.startsWith("| durable | "))
                    .anyMatch(line -> line.startsWith("| goal "))
                    .last()
                    .asString()
                    .endsWith("interrupted; this is what was done until then");
            program.waitFor();
            awaitEnd(servers);
            assertThat(directory).isEmptyDirectory();
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void shouldLeaveNoServerIfItIsKilled() throws Exception {
        Process program = start();
        try (BufferedReader says = program.inputReader(UTF_8)) {
            List<ProcessHandle> servers = awaitServers(says, program);
            program.destroyForcibly();

            awaitEnd(servers);
            assertThat(program.exitValue()).isNotEqualTo(Command.OK);
        } finally {
            program.destroyForcibly();
        }
    }
}
