package io.persist.memcached;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.command.UsageException;
import io.persist.memcached.Child.Client;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program from its flags to its end. */
class ProgramTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(CompletableFuture<Throwable> end, String... arguments) {
        return new MemcachedProgram(end)
                .run(arguments, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }

    private void assertRefused(int code, String message, String... arguments) {
        err.reset();
        CompletableFuture<Throwable> stopped = new CompletableFuture<>(); // else one that serves would do so for ever
        stopped.cancel(false);
        assertThat(run(stopped, arguments)).as(err.toString(UTF_8)).isEqualTo(code);
        assertThat(err.toString(UTF_8))
                .startsWith("persist memcached: ")
                .contains(message)
                .hasLineCount(1);
    }

    @Test
    void shouldSayInOneLineWhatIsWrong() throws Exception {
        String data = directory.resolve("data").toString();
        assertRefused(2, "--mode often is none of off, async, sync", "--mode", "often");
        assertRefused(2, "--port 65,536 is out of range; give a value from 0 to 65,535", "--port", "65536");
        assertRefused(2, "unknown flag", "--nothing");
        assertRefused(1, "--host nowhere.invalid is not known", "--host", "nowhere.invalid", "--mode", "off");
        assertRefused(2, "--host is empty", "--host", "", "--mode", "off");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            String message = "127.0.0.1:" + port + ": Address already in use; stop what listens there, or give another";
            assertRefused(1, message, "--port", port, "--data", data);
            assertThat(Path.of(data)).as("made for nothing").doesNotExist();
        }
        Path file = Files.createFile(directory.resolve("file"));
        assertRefused(1, "file", "--data", file.toString(), "--port", "0");
        try (Child other = Child.start(Path.of(data), "async")) {
            assertThat(other.process.isAlive()).isTrue();
            assertRefused(1, data, "--data", data, "--port", "0");
        }
    }

    /** Sockets are open files: without any left the store cannot make its own. */
    @Test
    void shouldLeaveFilesForTheStore() {
        assertThat(MemcachedFlags.mostConnections(1 << 20)).isEqualTo((1 << 20) - 640);
        assertThat(MemcachedFlags.mostConnections(1024)).isEqualTo(512);
        MemcachedFlags flags = new MemcachedFlags();
        flags.connections = 512;
        flags.validate(1024);
        flags.connections = 513;
        assertThatThrownBy(() -> flags.validate(1024))
                .isInstanceOf(UsageException.class)
                .hasMessage("--connections 513 is more than 512, as the process may have 1024 files open, and the store"
                        + " needs some of them; give fewer, or raise ulimit -n");
    }

    /** The heap would be full before the items count as too many, and then nothing works any more. */
    @Test
    void shouldRefuseToFillTheHeapWithItems() {
        long heap = Runtime.getRuntime().maxMemory() >> 20;
        String memory = Long.toString(heap);
        assertRefused(2, "PERSIST_JAVA_OPTS=-Xmx" + 2 * heap + "m", "--mode", "off", "--port", "0", "--memory", memory);
        CompletableFuture<Throwable> stopped = new CompletableFuture<>();
        stopped.cancel(false);
        String most = Long.toString(heap * 3 / 4 - 1);
        assertThat(run(stopped, "--mode", "off", "--port", "0", "--memory", most))
                .isZero();
        String data = directory.toString();
        assertThat(run(stopped, "--data", data, "--port", "0", "--memory", memory))
                .isZero();
    }

    /** What clients are sending does not count as items: here that alone is more than the heap. */
    @Test
    void shouldKeepInStepWithClientsForWhoseItemsThereIsNoMemory() throws Exception {
        int clients = 140;
        int length = 1 << 20;
        List<Client> sending = new ArrayList<>();
        try (Child server = Child.start(directory, "off");
                Client watching = server.client()) {
            for (int i = 0; i < clients; i++) {
                Client client = server.client();
                sending.add(client);
                client.send("set key" + i + " 0 0 " + length + "\r\n" + "x".repeat(length));
                awaitBytes(watching, (long) (i + 1) * length);
            }
            int refused = 0;
            for (Client client : sending) {
                String answer = client.ask("");
                assertThat(answer).isIn("STORED", "SERVER_ERROR out of memory storing object");
                refused += answer.equals("STORED") ? 0 : 1;
                assertThat(client.ask("version")).startsWith("VERSION");
            }
            assertThat(refused).isPositive();
            assertThat(server.process.isAlive()).isTrue();
        } finally {
            for (Client client : sending) {
                client.close();
            }
        }
    }

    /** Waits until the server has received so many. */
    private static void awaitBytes(Client client, long bytes) throws IOException {
        long received = 0;
        while (received < bytes) {
            client.send("stats\r\n");
            for (String line = client.line(); !line.equals("END"); line = client.line()) {
                if (line.startsWith("STAT bytes_read ")) {
                    received = Long.parseLong(line.substring("STAT bytes_read ".length()));
                }
            }
        }
    }

    @Test
    void shouldTellWhatItDoesAndEndCleanlyOnSigterm() throws Exception {
        int port;
        try (Child server = Child.start(directory, "async");
                Client client = server.client()) {
            port = server.port;
            assertThat(client.ask("set a 0 0 1\r\nb")).isEqualTo("STORED");
            client.send("stats\r\nstats persistence\r\n");
            List<String> stats = new ArrayList<>();
            List<String> values = new ArrayList<>();
            int ends = 0;
            while (ends < 2) {
                String line = client.line();
                ends += line.equals("END") ? 1 : 0;
                values.add(line);
                stats.add(line.replaceFirst(" [^ ]*$", ""));
            }
            assertThat(values).contains("STAT curr_items 1", "STAT use_persistence on", "STAT async_logging true");
            assertThat(stats)
                    .contains("STAT pid", "STAT curr_items", "STAT bytes", "STAT cmd_get", "STAT get_hits")
                    .contains("STAT curr_connections", "STAT threads", "STAT limit_maxbytes", "STAT evictions")
                    .endsWith(
                            "STAT use_persistence",
                            "STAT data_path",
                            "STAT logs_path",
                            "STAT async_logging",
                            "STAT chkpt_interval_pct_snapshot",
                            "STAT chkpt_interval_min_logsize",
                            "STAT recovery_elapsed_time_sec",
                            "STAT last_chkpt_in_progress",
                            "STAT last_chkpt_failure_count",
                            "STAT last_chkpt_start_time",
                            "STAT last_chkpt_elapsed_time_sec",
                            "STAT last_chkpt_snapshot_filesize_bytes",
                            "STAT current_command_log_filesize_bytes",
                            "END");
            server.process.destroy();
            assertThat(server.process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(server.process.exitValue()).as("128 + SIGTERM").isEqualTo(143);
            assertThat(client.line()).isNull();
        }
        assertThat(port).isPositive();
        try (Child server = Child.start(directory, "sync");
                Client client = server.client()) {
            assertThat(server.ready).endsWith("with 1 items");
            client.send("stats persistence\r\n");
            assertThat(client.line()).isEqualTo("STAT use_persistence on");
            String line = client.line();
            while (!line.startsWith("STAT async_logging")) {
                line = client.line();
            }
            assertThat(line).isEqualTo("STAT async_logging false");
            while (!line.equals("END")) {
                line = client.line();
            }
            client.send("get a\r\n");
            client.endOutput();
            assertThat(client.line()).isEqualTo("VALUE a 0 1");
            assertThat(client.line()).isEqualTo("b");
            assertThat(client.line()).isEqualTo("END");
            assertThat(client.line()).isNull();
        }
    }

    @Test
    void shouldSayWhatEachFlagDoesAndWhichHasNoEffect() {
        assertThat(run(new CompletableFuture<>(), "--help")).isZero();
        assertThat(out.toString(UTF_8)).contains("--port PORT", "11211", "--mode MODE", "--data DIR");
        MemcachedFlags flags = new MemcachedFlags();
        flags.mode = MemcachedFlags.Mode.OFF;
        assertThat(flags.settings().get("data")).contains("not used");
        assertThat(flags.settings().get("syncInterval")).contains("not used");
        flags.mode = MemcachedFlags.Mode.SYNC;
        assertThat(flags.settings().get("data")).doesNotContain("not used");
        assertThat(flags.settings().get("memory")).contains("not used");
        assertThat(flags.store().log().syncInterval())
                .as("for what has no answer")
                .isEqualTo(Duration.ofSeconds(1));
    }
}
