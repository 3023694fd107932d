package io.persist.peers.state.compare;

import io.persist.bench.doctor.Fingerprint;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.peers.state.StateEngineKind;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * {@code bin/persist compare-rocksdb}: a {@code StoreLogger} beside RocksDB in what takes longer than a benchmark's
 * iteration: how long they take to open, what overwriting costs in space and pauses, and a whole workload.
 */
public final class StateComparison extends Program {

    private final ComparisonSettings settings = new ComparisonSettings();

    /** What can be compared. */
    enum Part {
        RECOVERY,
        SPACE,
        WORKFLOW
    }

    /** At its defaults. */
    public StateComparison() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "compare-rocksdb",
                        "",
                        "Compares a store with RocksDB: recovery, space and pauses, and a workflow engine's state.")
                .note("Tables go to standard output as Markdown. Files are made below " + ScratchDirectory.parent()
                        + ", or what -D" + ScratchDirectory.PARENT_PROPERTY + "=DIRECTORY names, and deleted.")
                .example("space and pauses, at a rate", "--parts space --values 2048 --rate 20000")
                .example("a workflow engine's state", "--parts workflow --workflow 1000x2000x1000 --timers stepByStep")
                .exits("failed");
    }

    @Override
    protected List<?> flags() {
        return List.of(settings);
    }

    @Override
    protected int work(Call call) throws IOException {
        settings.validate();
        try {
            compare(call.out());
        } catch (IllegalStateException e) { // of an engine, or a check has found that a value is not what was put
            throw new IOException(e.getMessage(), e);
        }
        return OK;
    }

    private void compare(PrintStream out) throws IOException {
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

    static String cell(double value) {
        return String.format(Locale.ROOT, "| %.1f ", value);
    }

    static void row(PrintStream out, String format, Object... cells) {
        out.printf(Locale.ROOT, format + "%n", cells);
    }
}
