package io.persist.peers.state.compare;

import io.persist.bench.doctor.Fingerprint;
import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.Ending;
import io.persist.command.Text;
import io.persist.command.launch.Commands;
import io.persist.error.PersistException;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.peers.state.StateEngineKind;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Compares a {@code StoreLogger} with RocksDB in what takes longer than a benchmark's iteration: how long they take to
 * open, what overwriting costs in space and pauses, and a whole workload. Prints tables in Markdown.
 *
 * <pre>
 *   bin/persist compare-rocksdb
 *   bin/persist compare-rocksdb --parts space --values 2048 --rate 20000
 *   bin/persist compare-rocksdb --parts workflow --workflow 1000x2000x1000 --timers stepByStep
 * </pre>
 */
public final class StateComparison {

    private static final String NAME = "compare-rocksdb";
    private static final String PREFIX = "persist " + NAME + ": ";

    /** What can be compared. */
    enum Part {
        RECOVERY,
        SPACE,
        WORKFLOW
    }

    private StateComparison() {}

    public static void main(String[] args) {
        Commands.end(StateComparison::run, args);
    }

    /** Runs the program; returns its exit code, as {@link Command} has them. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Ending.of(() -> tryRun(args, out, err), PREFIX, err);
    }

    private static int tryRun(String[] args, PrintStream out, PrintStream err) throws IOException {
        ComparisonSettings settings = new ComparisonSettings();
        CommandLine commandLine = CommandLine.of(settings);
        commandLine.parse(args);
        if (settings.help) {
            printHelp(commandLine, out);
            return Command.OK;
        }
        settings.validate();
        try {
            compare(settings, out);
            return Command.OK;
        } catch (PersistException | IllegalStateException e) {
            // Of an engine, or a check has found that a value is not what was put.
            err.println(PREFIX + Text.describe(e));
            return Command.FAILED;
        }
    }

    private static void compare(ComparisonSettings settings, PrintStream out) throws IOException {
        Fingerprint.of(ScratchDirectory.parent()).describe().forEach(out::println);
        out.println();
        if (settings.parts.contains(Part.RECOVERY)) {
            out.println(RecoveryComparison.TITLE);
            for (int valueLength : settings.values) {
                new RecoveryComparison(settings, settings.data(valueLength), valueLength).run(out);
            }
            out.println();
        }
        if (settings.parts.contains(Part.SPACE)) {
            out.println(SpaceComparison.TITLE);
            for (int valueLength : settings.values) {
                for (StateEngineKind kind : settings.engines) {
                    new SpaceComparison(settings, settings.data(valueLength), valueLength).run(kind, out);
                }
            }
            out.println();
        }
        if (settings.parts.contains(Part.WORKFLOW)) {
            new WorkflowComparison(settings, out).run();
        }
    }

    private static void printHelp(CommandLine commandLine, PrintStream out) {
        out.println("Compares a store with RocksDB: recovery, space and pauses, and a workflow engine's state.");
        out.println();
        out.println("  bin/persist " + NAME);
        out.println("  bin/persist " + NAME + " --parts space --values 2048 --rate 20000");
        out.println("  bin/persist " + NAME + " --parts workflow --workflow 1000x2000x1000 --timers stepByStep");
        out.println();
        commandLine.printFlags(out);
        out.println();
        Text.lines(
                        "",
                        "Tables go to standard output as Markdown. Files are made below " + ScratchDirectory.parent()
                                + ", or what -D" + ScratchDirectory.PARENT_PROPERTY + "=DIRECTORY names, and deleted.")
                .forEach(out::println);
        out.println("Exit code: 0 done, 1 failed, 2 wrong use.");
    }

    static String cell(double value) {
        return String.format(Locale.ROOT, "| %.1f ", value);
    }

    static void row(PrintStream out, String format, Object... cells) {
        out.printf(Locale.ROOT, format + "%n", cells);
    }
}
