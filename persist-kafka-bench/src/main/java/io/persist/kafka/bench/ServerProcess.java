package io.persist.kafka.bench;

import com.google.gson.Gson;
import io.persist.kafka.bench.server.ServerMain;
import io.persist.kafka.bench.server.ServerSpec;
import io.persist.kafka.bench.server.WorkflowServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server in a JVM of its own. */
final class ServerProcess implements AutoCloseable {

    private static final long CLOSE_SECONDS = 60;
    private static final long KIB = 1024;

    /** Flags that each process has for itself. */
    private static final List<String> OWN_FLAGS = List.of("-Xmx", "-Djava.io.tmpdir", "-agentlib", "-javaagent");

    private final Process process;
    private final BufferedReader says;
    private final Path errors;
    private final Thread onInterrupt;
    private final ServerClient client;

    private ServerProcess(Process process, Path errors, Thread onInterrupt) throws IOException {
        this.process = process;
        this.says = process.inputReader(StandardCharsets.UTF_8);
        this.errors = errors;
        this.onInterrupt = onInterrupt;
        this.client = new ServerClient("localhost:" + awaitLine(ServerMain.PORT));
    }

    /**
     * Starts one; it does not execute commands yet.
     *
     * @param heap as -Xmx takes it
     * @param own a directory for what it says on standard error, and for native libraries, which a killed one leaves
     */
    static ServerProcess start(ServerSpec spec, String heap, Path own) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (OWN_FLAGS.stream().noneMatch(flag::startsWith)) {
                command.add(flag);
            }
        }
        command.add("-Djava.io.tmpdir=" + Files.createDirectories(own.resolve("tmp")));
        command.addAll(List.of("-Xmx" + heap, ServerMain.class.getName(), new Gson().toJson(spec)));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Path errors = own.resolve("errors");
        Process process = builder.redirectError(errors.toFile()).start();
        // A signal to this process alone: the one that waits for a line of the server would wait for it first.
        Thread onInterrupt = new Thread(process::destroyForcibly, "end of the server");
        try {
            register(onInterrupt);
            return new ServerProcess(process, errors, onInterrupt);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            forget(onInterrupt);
            throw e;
        }
    }

    private static void register(Thread onInterrupt) throws IOException {
        try {
            Runtime.getRuntime().addShutdownHook(onInterrupt);
        } catch (IllegalStateException e) {
            throw new IOException("the program is being ended", e);
        }
    }

    private static void forget(Thread onInterrupt) {
        try {
            Runtime.getRuntime().removeShutdownHook(onInterrupt);
        } catch (IllegalStateException ignored) {
            // The JVM is about to end: the hook has been started.
        }
    }

    /** Waits until it executes commands. */
    void awaitRunning() throws IOException {
        awaitLine(ServerMain.RUNNING);
    }

    private String awaitLine(String start) throws IOException {
        String line = says.readLine();
        while (line != null && !line.startsWith(start)) {
            if (line.startsWith(ServerMain.FAILED)) {
                throw new IOException("the server " + line);
            }
            line = says.readLine();
        }
        if (line == null) {
            throw new IOException("the server has ended: " + why());
        }
        return line.substring(start.length());
    }

    /** The first line that it has said on standard error. */
    private String why() throws IOException {
        try (Stream<String> lines = Files.lines(errors, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> !line.isBlank()).findFirst().orElse("it said nothing");
        }
    }

    ServerClient client() {
        return client;
    }

    /** The server's status, if it lives and has not failed. */
    WorkflowServer.Status status() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IOException("the server has ended: " + why());
        }
        WorkflowServer.Status status = client.status();
        if (!status.failure().isEmpty()) {
            throw new IOException("the server failed: " + status.failure());
        }
        return status;
    }

    /** The most memory that it ever had, bytes; -1 if the operating system does not tell. */
    long peakMemory() throws IOException {
        return memory("VmHWM:");
    }

    /** Of the memory that it has now, what is not of mapped files, bytes; -1 if the operating system does not tell. */
    long ownMemory() throws IOException {
        return memory("RssAnon:");
    }

    private long memory(String name) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.isReadable(status)) {
            return -1;
        }
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith(name)) {
                return KIB * Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return -1;
    }

    /** As kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Has it close its store, and waits for its end. */
    void stop() throws IOException, InterruptedException {
        try (OutputStream input = process.getOutputStream()) {
            input.write((ServerMain.CLOSE + "\n").getBytes(StandardCharsets.UTF_8));
        }
        if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the server does not close within " + CLOSE_SECONDS + " s");
        }
    }

    /** Kills it, if it still lives. */
    @Override
    public void close() {
        process.destroyForcibly();
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        forget(onInterrupt);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
