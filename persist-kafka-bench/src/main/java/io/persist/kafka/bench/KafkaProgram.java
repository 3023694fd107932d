package io.persist.kafka.bench;

import io.persist.bench.Machine;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.DiskSpace;
import io.persist.bench.load.Stop;
import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.Ending;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.command.launch.Commands;
import io.persist.kafka.bench.server.EngineKind;
import io.persist.kafka.bench.server.RunSize;
import io.persist.kafka.bench.server.ServerSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;

/**
 * {@code bin/persist kafka}: what its help says.
 *
 * <p><b>Threads:</b> one.
 */
public final class KafkaProgram {

    static final String NAME = "kafka";
    private static final String PREFIX = "persist " + NAME + ": ";

    /** Log of the broker and of the changelog, and the files of an engine at the worst moment, per byte of payload. */
    private static final int SPACE_FACTOR = 8;

    private static final long LEAST_SPACE = 256L << 20;

    /** What the program can be asked for. */
    private enum Verb {
        SETUP("setup"),
        SERVER("server"),
        LAUNCH("launchTests"),
        WORKFLOW_METRICS("workflowMetrics"),
        STORE_METRICS("storeMetrics"),
        RESTORE("restore"),
        COMPARE("compare");

        private final String text;

        Verb(String text) {
            this.text = text;
        }

        static Verb of(List<String> operands) {
            String all = Arrays.stream(values()).map(verb -> verb.text).collect(Collectors.joining(", "));
            if (operands.isEmpty()) {
                throw new UsageException("no command is given; give one of " + all + ", or see --help");
            }
            return Arrays.stream(values())
                    .filter(verb -> verb.text.equals(operands.get(0)))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(operands.get(0) + " is no command; give one of " + all));
        }
    }

    private final KafkaFlags flags;
    private final Verb verb;
    private final List<String> operands;
    private final List<String> command;
    private final PrintStream out;
    private final PrintStream err;

    private KafkaProgram(
            KafkaFlags flags, List<String> operands, List<String> command, PrintStream out, PrintStream err) {
        this.flags = flags;
        this.verb = Verb.of(operands);
        this.operands = operands.subList(1, operands.size());
        this.command = command;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] args) {
        Commands.end(KafkaProgram::run, args);
        System.exit(Command.OK); // a broker in this process may leave threads behind
    }

    /** Runs the program; returns its exit code, as {@link Command} has them. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Ending.of(() -> tryRun(args, out, err), PREFIX, err);
    }

    private static int tryRun(String[] args, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        KafkaFlags flags = new KafkaFlags();
        CommandLine commandLine = CommandLine.withOperands(flags);
        commandLine.parse(args);
        if (flags.help) {
            KafkaHelp.print(commandLine, out);
            return Command.OK;
        }
        List<String> command = new ArrayList<>(List.of("bin/persist", NAME));
        command.addAll(Arrays.asList(args));
        try {
            return new KafkaProgram(flags, commandLine.operands(), command, out, err).run();
        } catch (KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause(); // it says what was wrong
            throw new IOException(Text.describe(cause), e);
        } catch (Trial.Stopped e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private int run() throws IOException, InterruptedException {
        List<EngineKind> byDefault =
                verb == Verb.COMPARE ? List.of(EngineKind.PERSIST, EngineKind.ROCKSDB) : List.of(EngineKind.PERSIST);
        flags.validate(byDefault);
        flags.refuseIgnored(verb.text);
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
            return new KafkaSteps(flags, engines.get(0), out, err).run(verb.text, size, windows);
        }
        flags.paths.make();
        long needed = LEAST_SPACE + SPACE_FACTOR * size.taskRuns() * (size.payload() + 300L);
        DiskSpace.require(flags.paths.dir(), needed, "the run takes", "a smaller W SIZE T, or another --dir");
        Path scratch = Files.createTempDirectory(flags.paths.dir(), "kafka-");
        try (Stop stop = Stop.onInterrupt()) {
            try (Broker broker = broker(scratch, stop)) {
                return switch (verb) {
                    case SETUP -> setup(broker);
                    case SERVER ->
                        new KafkaSteps(flags, engines.get(0), out, err)
                                .serve(broker, scratch.resolve("state"), stop::requested);
                    default -> measure(broker, scratch, engines, size, windows, stop);
                };
            } catch (Trial.Stopped e) {
                err.println(PREFIX + e.getMessage()); // the JVM ends as soon as nothing stops it any more
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
        boolean isDone = comparison.run(engines, verb == Verb.COMPARE ? flags.rounds() : 1, extent(), answer, stop);
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
