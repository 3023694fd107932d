package io.persist.kafka.bench;

import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.SpaceWatch;
import io.persist.command.Text;
import io.persist.kafka.bench.server.EngineKind;
import io.persist.kafka.bench.server.RunResultJson;
import io.persist.kafka.bench.server.RunSize;
import io.persist.kafka.bench.server.ServerSpec;
import io.persist.kafka.bench.server.WorkflowServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One engine in one round: an application of its own on the broker, of which nothing is left in the end. */
final class Trial implements AutoCloseable {

    /** What is done once all commands are executed. */
    enum Extent {
        RUN,
        RESTORE,
        KILL_AND_RESTORE
    }

    private static final long LOOK_MS = 50;
    private static final Duration DISK_EVERY = Duration.ofMillis(100);
    private static final long NEWS_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(3);

    private final Broker broker;
    private final KafkaFlags flags;
    private final RunSize size;
    private final EngineKind engine;
    private final Path directory;
    private final Path own;
    private final ServerSpec spec;
    private final Consumer<String> news;
    private final BooleanSupplier stopped;
    private ServerProcess server;
    private long newsNs;

    /**
     * @param scratch where its files are made
     * @param application a name that no other one has
     * @param news is told how far it is
     * @param stopped whether the user wants it to end
     */
    Trial(
            Broker broker,
            KafkaFlags flags,
            RunSize size,
            EngineKind engine,
            Path scratch,
            String application,
            Consumer<String> news,
            BooleanSupplier stopped) {
        this.broker = broker;
        this.flags = flags;
        this.size = size;
        this.engine = engine;
        this.own = scratch.resolve(application);
        this.directory = own.resolve("state");
        this.spec = flags.spec(broker.bootstrap(), application, engine, directory, 0, size.commands());
        this.news = news;
        this.stopped = stopped;
    }

    /** The user wants the end. */
    static final class Stopped extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Stopped() {
            super("interrupted");
        }
    }

    /**
     * Sends all commands, starts the server, which executes them, and does the rest of what {@code extent} says. They
     * are sent before, so that the producer has no part of the processors while engines are measured.
     */
    TrialResult run(int round, Extent extent) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        broker.createInput(spec.application());
        broker.send(spec.application(), size, 1, sent -> tell("sending", sent));
        start();
        TrialResult result;
        try (SpaceWatch disk = SpaceWatch.start(directory, System.nanoTime(), DISK_EVERY)) {
            awaitCommands();
            List<SpaceWatch.Sample> samples = disk.stop();
            RunResultJson measured = server.client().result();
            Map<String, Long> digest = digest();
            check(digest);
            long memory = server.peakMemory();
            long ownMemory = server.ownMemory();
            TrialResult.Return killed = extent == Extent.KILL_AND_RESTORE ? kill(digest) : null;
            TrialResult.Return restored = extent == Extent.RUN ? null : restore(digest);
            result = new TrialResult(
                    engine, round, measured, memory, ownMemory, samples, killed, restored, digest.get("checksum"));
        }
        return result;
    }

    ServerClient client() {
        return server.client();
    }

    private void start() throws IOException {
        news.accept("starting");
        server = ServerProcess.start(spec, flags.heap(), own);
        server.awaitRunning();
    }

    private void awaitCommands() throws IOException, InterruptedException {
        long before = -1;
        long movedNs = System.nanoTime();
        while (true) {
            long commands = server.status().commands();
            if (commands >= size.commands()) {
                return;
            }
            if (commands != before) {
                before = commands;
                movedNs = System.nanoTime();
            } else if (System.nanoTime() - movedNs > PATIENCE_NS) {
                throw new IOException("the server has executed nothing for minutes, after " + commands + " commands");
            }
            tell("executed", commands);
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }

    private void tell(String what, long commands) {
        if (stopped.getAsBoolean()) {
            throw new Stopped();
        }
        if (System.nanoTime() - newsNs > NEWS_NS) {
            newsNs = System.nanoTime();
            news.accept(what + " " + Text.grouped(commands) + " of " + Text.grouped(size.commands()) + " commands");
        }
    }

    /** The server has a rebalance now and then, in which it cannot answer. */
    private Map<String, Long> digest() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        while (true) {
            try {
                return server.client().digest();
            } catch (IOException e) {
                if (System.nanoTime() - startNs > PATIENCE_NS || stopped.getAsBoolean()) {
                    throw e;
                }
                server.status();
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
        }
    }

    private void check(Map<String, Long> digest) throws IOException {
        if (digest.get("workflows") != size.workflows() || digest.get("taskRuns") != size.taskRuns()) {
            throw new IOException(engine.id() + " has " + digest + " after " + size);
        }
    }

    private TrialResult.Return kill(Map<String, Long> digest) throws IOException, InterruptedException {
        news.accept("kill -9");
        long startNs = System.nanoTime();
        server.kill();
        return comeBack(startNs, digest);
    }

    private TrialResult.Return restore(Map<String, Long> digest) throws IOException, InterruptedException {
        server.stop();
        DirectoryTree.delete(directory);
        Files.createDirectories(directory);
        news.accept("restoring");
        return comeBack(System.nanoTime(), digest);
    }

    /** Waits until the instance has the same state as before. */
    private TrialResult.Return comeBack(long startNs, Map<String, Long> digest)
            throws IOException, InterruptedException {
        start();
        long elapsedNs = System.nanoTime() - startNs;
        WorkflowServer.Status status = server.status();
        long patientNs = System.nanoTime() + PATIENCE_NS;
        Map<String, Long> now = digest();
        while (!now.equals(digest)) { // it executes once more what Kafka had not committed
            if (System.nanoTime() > patientNs || stopped.getAsBoolean()) {
                throw new IOException(engine.id() + " has lost something: " + now + " in place of " + digest);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            now = digest();
        }
        return new TrialResult.Return(elapsedNs, status.restoredNs(), status.restoredRecords());
    }

    /** Ends the server, and deletes the topics and the files. */
    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
        DirectoryTree.delete(own);
        try {
            broker.deleteTopics(spec.application());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
