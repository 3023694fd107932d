package io.persist.shard.bench.place;

import io.persist.shard.postgres.server.PostgresServer;
import io.persist.shard.s3.server.S3Server;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Servers that are started for a run, and end with it, whatever happens to this process. */
final class Servers {

    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long LOOK_MS = 10;
    private static final String BUCKET = "persist";

    /** As the shell has it: a signal that is ignored stays so in the program that it becomes. Ctrl-C is for all, as is
     * what {@code timeout} sends. */
    private static final String UNTIL_ITS_INPUT_ENDS = "trap '' INT TERM HUP; exec \"$@\"";

    /**
     * A server.
     *
     * @param uri of the place that it serves
     * @param directory where all of its files are
     * @param server ends it, and returns when it has ended
     */
    record Running(String uri, Path directory, Closeable server) {}

    private Servers() {}

    /** A PostgreSQL server with the programs of this machine. */
    static Running postgres() throws IOException {
        String missing = PostgresServer.whyMissing();
        if (missing != null) {
            throw new IOException(missing + "; or name servers that are there by --blob-uri and --consensus-uri");
        }
        try {
            PostgresServer server = PostgresServer.start();
            return new Running(server.uri(), server.directory(), server::close);
        } catch (IllegalStateException said) {
            throw new IOException(said.getMessage(), said);
        }
    }

    /** A server for S3's protocol in a JVM of its own, with its objects below {@code directory}. */
    static Running s3(Path directory) throws IOException {
        Path errors = directory.resolve("s3.err");
        Path objects = Files.createDirectories(directory.resolve("s3")).toRealPath();
        ProcessBuilder builder = new ProcessBuilder(
                "sh",
                "-c",
                UNTIL_ITS_INPUT_ENDS,
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                S3Server.class.getName(),
                objects.toString(),
                BUCKET);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.redirectError(errors.toFile()).start();
        BufferedReader says = process.inputReader(StandardCharsets.UTF_8);
        String endpoint = awaitLine(process, says);
        if (endpoint == null) {
            process.destroyForcibly();
            end(process);
            try (Stream<String> lines = Files.lines(errors, StandardCharsets.ISO_8859_1)) {
                throw new IOException("the S3 server does not start: "
                        + lines.filter(line -> !line.isBlank()).findFirst().orElse("it says nothing"));
            }
        }
        S3Server.useCredentials();
        return new Running(S3Server.uri(BUCKET, endpoint), objects, () -> end(process));
    }

    /** Its first line; null if it ends before, or says nothing for a minute. */
    private static @Nullable String awaitLine(Process process, BufferedReader says) throws IOException {
        long endNs = System.nanoTime() + PATIENCE_NS;
        try {
            while (!says.ready() && process.isAlive() && System.nanoTime() - endNs < 0) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        return says.ready() ? says.readLine() : null;
    }

    private static void end(Process process) throws IOException {
        process.getOutputStream().close();
        boolean isInterrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException again) {
                isInterrupted = true;
                process.destroyForcibly();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
