package io.persist.peers.state.compare;

import com.beust.jcommander.JCommander;
import com.beust.jcommander.ParameterException;
import io.persist.bench.doctor.Fingerprint;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.peers.state.StateEngineKind;
import java.io.IOException;
import java.util.Locale;

/**
 * Compares a {@code StoreLogger} with RocksDB in what takes longer than a benchmark's iteration: how long they take to
 * open, what overwriting costs in space and pauses, and a whole workload. Prints tables in Markdown.
 *
 * <pre>
 *   bin/persist compare-rocksdb
 *   bin/persist compare-rocksdb --parts SPACE --values 2048 --rate 20000
 *   bin/persist compare-rocksdb --parts WORKFLOW --workflow 1000x2000x1000 --timers STEP_BY_STEP
 * </pre>
 */
public final class StateComparison {

    /** What can be compared. */
    enum Part {
        RECOVERY,
        SPACE,
        WORKFLOW
    }

    private StateComparison() {}

    public static void main(String[] args) {
        ComparisonSettings settings = new ComparisonSettings();
        JCommander commander = JCommander.newBuilder()
                .programName("bin/persist compare-rocksdb")
                .addObject(settings)
                .build();
        try {
            commander.parse(args);
            String complaint = settings.complaint();
            if (complaint != null) {
                throw new ParameterException(complaint);
            }
        } catch (ParameterException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
        if (settings.help) {
            commander.usage();
            return;
        }
        try {
            run(settings);
        } catch (IOException | IllegalStateException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static void run(ComparisonSettings settings) throws IOException {
        Fingerprint.of(ScratchDirectory.parent()).describe().forEach(System.out::println);
        System.out.println();
        if (settings.parts.contains(Part.RECOVERY)) {
            System.out.println(RecoveryComparison.TITLE);
            for (int valueLength : settings.values) {
                new RecoveryComparison(settings, settings.data(valueLength), valueLength).run();
            }
            System.out.println();
        }
        if (settings.parts.contains(Part.SPACE)) {
            System.out.println(SpaceComparison.TITLE);
            for (int valueLength : settings.values) {
                for (StateEngineKind kind : settings.engines) {
                    new SpaceComparison(settings, settings.data(valueLength), valueLength).run(kind);
                }
            }
            System.out.println();
        }
        if (settings.parts.contains(Part.WORKFLOW)) {
            new WorkflowComparison(settings).run();
        }
    }

    static String cell(double value) {
        return String.format(Locale.ROOT, "| %.1f ", value);
    }

    static void row(String format, Object... cells) {
        System.out.printf(Locale.ROOT, format + "%n", cells);
    }
}
