package io.persist.kafka.bench;

import com.sun.net.httpserver.HttpServer;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.load.Stop;
import io.persist.command.Checks;
import io.persist.command.Command;
import io.persist.command.Text;
import io.persist.kafka.bench.server.EngineKind;
import io.persist.kafka.bench.server.RunSize;
import io.persist.kafka.bench.server.ServerMain;
import io.persist.kafka.bench.server.ServerSpec;
import io.persist.kafka.bench.server.WorkflowServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The commands that do one part each, on a broker that is there. */
final class KafkaSteps {

    private static final long LOOK_MS = 100;

    private final KafkaFlags flags;
    private final EngineKind engine;
    private final PrintStream out;
    private final PrintStream err;

    KafkaSteps(KafkaFlags flags, EngineKind engine, PrintStream out, PrintStream err) {
        this.flags = flags;
        this.engine = engine;
        this.out = out;
        this.err = err;
    }

    /** Returns the exit code. */
    int run(Verb verb, RunSize size, int windows) throws IOException, InterruptedException {
        Broker broker = Broker.at(flags.bootstrap);
        switch (verb) {
            case SETUP -> {
                broker.createInput(flags.application);
                out.println("made the topic " + ServerSpec.inputOf(flags.application));
            }
            case LAUNCH -> launch(broker, size);
            case WORKFLOW_METRICS -> out.println(new ServerClient(flags.server()).text("/workflowMetrics?" + windows));
            case STORE_METRICS -> out.println(new ServerClient(flags.server()).text("/storeMetrics"));
            case RESTORE -> restore(broker);
            default -> {
                return inScratch((scratch, stop) -> serve(broker, scratch, stop));
            }
        }
        return Command.OK;
    }

    private void launch(Broker broker, RunSize size) throws IOException, InterruptedException {
        broker.createInput(flags.application); // else a producer waits for it
        long startNs = System.nanoTime();
        long[] newsNs = {startNs};
        broker.send(flags.application, size, System.currentTimeMillis(), sent -> {
            if (System.nanoTime() - newsNs[0] > TimeUnit.SECONDS.toNanos(2)) {
                newsNs[0] = System.nanoTime();
                err.println("sent " + Text.grouped(sent) + " of " + Text.grouped(size.commands()) + " commands");
            }
        });
        double seconds = (System.nanoTime() - startNs) / 1e9;
        out.println("sent " + Text.grouped(size.commands()) + " commands in "
                + Text.decimal(Math.round(seconds * 1000) / 1000.0)
                + " s; workflowMetrics shows how they are executed");
    }

    private interface Work {
        int run(Path scratch, BooleanSupplier stopped) throws IOException, InterruptedException;
    }

    private int inScratch(Work work) throws IOException, InterruptedException {
        Checks.directory("--dir", flags.paths.dir());
        Path scratch = Files.createTempDirectory(flags.paths.dir(), "kafka-");
        try (Stop stop = Stop.onInterrupt()) {
            try {
                return work.run(scratch, stop::requested);
            } finally {
                DirectoryTree.delete(scratch);
            }
        }
    }

    /** A second instance, on an empty directory, until it has restored the store. */
    private void restore(Broker broker) throws IOException, InterruptedException {
        inScratch((scratch, stopped) -> {
            ServerSpec spec = flags.spec(broker.bootstrap(), flags.application, engine, scratch.resolve("state"), 0, 0);
            try (ServerProcess server = ServerProcess.start(spec, flags.heap(), scratch)) {
                server.awaitRunning();
                WorkflowServer.Status status = server.status();
                double seconds = status.restoredNs() / 1e9;
                out.println("restored " + Text.grouped(status.restoredRecords()) + " records in "
                        + Text.decimal(Math.round(seconds * 1000) / 1000.0) + " s");
                server.stop();
            }
            return Command.OK;
        });
    }

    /** Executes commands in this process until {@code stopped}. */
    int serve(Broker broker, Path directory, BooleanSupplier stopped) throws IOException, InterruptedException {
        broker.createInput(flags.application);
        ServerSpec spec = flags.spec(broker.bootstrap(), flags.application, engine, directory, flags.port(), 0);
        try (WorkflowServer server = new WorkflowServer(spec)) {
            HttpServer http;
            try {
                http = ServerMain.serve(server, spec.port());
            } catch (IOException e) {
                throw new IOException("--port " + spec.port() + ": " + e.getMessage() + "; give another one", e);
            }
            try {
                server.start();
                server.awaitRunning();
                out.println("running: --bootstrap " + broker.bootstrap() + " --server localhost:"
                        + http.getAddress().getPort() + "; end it with Ctrl-C");
                while (!stopped.getAsBoolean() && server.status().failure().isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(LOOK_MS);
                }
            } finally {
                http.stop(0);
            }
            String failure = server.status().failure();
            if (!failure.isEmpty()) {
                throw new IOException("the server failed: " + failure);
            }
            return Command.OK;
        }
    }
}
