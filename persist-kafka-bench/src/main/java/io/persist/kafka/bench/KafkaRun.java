package io.persist.kafka.bench;

import io.persist.bench.Machine;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.DiskSpace;
import io.persist.bench.load.Stop;
import io.persist.bench.result.RunOutput;
import io.persist.command.Command;
import io.persist.command.Program;
import io.persist.command.UsageException;
import io.persist.kafka.bench.server.EngineKind;
import io.persist.kafka.bench.server.RunSize;
import io.persist.kafka.bench.server.ServerSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** One run of {@code bin/persist kafka}. */
final class KafkaRun {

    /** Log of the broker and of the changelog, and the files of an engine at the worst moment, per byte of payload. */
    private static final int SPACE_FACTOR = 8;

    private static final long LEAST_SPACE = 256L << 20;

    private final KafkaFlags flags;
    private final Verb verb;
    private final List<String> operands;
    private final List<String> command;
    private final PrintStream out;
    private final PrintStream err;
    private final String prefix;

    /** @param prefix of lines on the error stream that are the program's own */
    KafkaRun(KafkaFlags flags, Program.Call call, String prefix) {
        this.flags = flags;
        this.verb = Verb.of(call.operands());
        this.operands = call.operands().subList(1, call.operands().size());
        this.command = call.command();
        this.out = call.out();
        this.err = call.err();
        this.prefix = prefix;
    }

    /** Returns the exit code. */
    @SuppressWarnings("try") // the output is given back, and nothing else
    int run() throws IOException, InterruptedException {
        List<EngineKind> byDefault =
                verb == Verb.COMPARE ? List.of(EngineKind.PERSIST, EngineKind.ROCKSDB) : List.of(EngineKind.PERSIST);
        flags.validate(byDefault);
        flags.refuseIgnored(verb);
        List<EngineKind> engines = flags.engines(byDefault);
        if (engines.size() > 1 && verb != Verb.COMPARE) {
            throw new UsageException("--engine has to be one for " + verb.text + "; compare takes several");
        }
        RunSize size = RunSize.of(takesSize() ? operands : List.of());
        int windows = verb == Verb.WORKFLOW_METRICS && !operands.isEmpty()
                ? RunSize.number("N", operands.get(0), 0, Integer.MAX_VALUE)
                : 0;
        if (!takesSize() && operands.size() > (verb == Verb.WORKFLOW_METRICS ? 1 : 0)) {
            throw new UsageException(operands.get(operands.size() - 1) + " is too much for " + verb.text);
        }
        if (flags.bootstrap != null && verb != Verb.COMPARE) {
            return new KafkaSteps(flags, engines.get(0), out, err).run(verb, size, windows);
        }
        flags.paths.make();
        long needed = LEAST_SPACE + SPACE_FACTOR * size.taskRuns() * (size.payload() + 300L);
        DiskSpace.require(flags.paths.dir(), needed, "the run takes", "a smaller W SIZE T, or another --dir");
        Path output = flags.paths.output();
        try (Stop stop = Stop.onInterrupt();
                RunOutput taken = KafkaReport.take(engines, rounds(), output)) {
            if (output != null) {
                KafkaReport.forgetRuns(engines, output);
            }
            Path scratch = Files.createTempDirectory(flags.paths.dir(), "kafka-");
            try (Broker broker = broker(scratch, stop)) {
                return switch (verb) {
                    case SETUP -> setup(broker);
                    case SERVER ->
                        new KafkaSteps(flags, engines.get(0), out, err)
                                .serve(broker, scratch.resolve("state"), stop::requested);
                    default -> measure(broker, scratch, engines, size, windows, stop);
                };
            } catch (Trial.Stopped e) {
                err.println(prefix + e.getMessage()); // the JVM ends as soon as nothing stops it any more
                return Command.FAILED;
            } finally {
                DirectoryTree.delete(scratch);
            }
        }
    }

    private Broker broker(Path scratch, Stop stop) throws IOException {
        if (flags.bootstrap != null) {
            return Broker.at(flags.bootstrap);
        }
        try {
            return Broker.start(scratch.resolve("broker"));
        } catch (IOException e) {
            if (stop.requested()) { // nothing starts while the JVM ends
                throw new Trial.Stopped();
            }
            throw e;
        }
    }

    private int rounds() {
        return verb == Verb.COMPARE ? flags.rounds() : 1;
    }

    private boolean takesSize() {
        boolean restoresItsOwn = verb == Verb.RESTORE && flags.bootstrap == null; // else what is there
        return verb == Verb.LAUNCH || restoresItsOwn || verb == Verb.COMPARE;
    }

    private int setup(Broker broker) throws IOException, InterruptedException {
        broker.createInput(flags.application);
        out.println("made the topic " + ServerSpec.inputOf(flags.application) + " at " + broker.bootstrap()
                + ", which ends with this process; give --bootstrap for one that stays");
        return Command.OK;
    }

    private int measure(Broker broker, Path scratch, List<EngineKind> engines, RunSize size, int windows, Stop stop)
            throws IOException, InterruptedException {
        KafkaReport report = new KafkaReport(
                command,
                Machine.of(flags.paths.dir()).environment(),
                flags.parameters(size),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
        String answer = switch (verb) {
            case WORKFLOW_METRICS -> "/workflowMetrics?" + windows;
            case STORE_METRICS -> "/storeMetrics";
            default -> "";
        };
        KafkaComparison comparison = new KafkaComparison(broker, flags, size, scratch, report, out, err);
        boolean isDone = comparison.run(engines, rounds(), extent(), answer, stop);
        if (stop.requested()) {
            throw new Trial.Stopped();
        }
        return isDone ? Command.OK : Command.FAILED;
    }

    private Trial.Extent extent() {
        return switch (verb) {
            case COMPARE -> Trial.Extent.KILL_AND_RESTORE;
            case RESTORE -> Trial.Extent.RESTORE;
            default -> Trial.Extent.RUN;
        };
    }
}
