package io.persist.jmh;

import com.beust.jcommander.JCommander;
import com.beust.jcommander.ParameterException;
import java.io.IOException;
import java.util.Locale;

/**
 * Compares a {@code StoreLogger} with RocksDB in what takes longer than a benchmark's iteration: how long they take to
 * open, and what overwriting costs in space and pauses. Prints tables in Markdown.
 *
 * <pre>
 *   bin/persist compare-rocksdb
 *   bin/persist compare-rocksdb --parts SPACE --values 2048 --rate 20000
 * </pre>
 */
public final class StateComparison {

    /** What can be compared. */
    enum Part {
        RECOVERY,
        SPACE
    }

    private StateComparison() {}

    public static void main(String[] args) throws IOException {
        ComparisonSettings settings = new ComparisonSettings();
        JCommander commander = JCommander.newBuilder()
                .programName("bin/persist compare-rocksdb")
                .addObject(settings)
                .build();
        try {
            commander.parse(args);
        } catch (ParameterException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
        if (settings.help) {
            commander.usage();
            return;
        }
        run(settings);
    }

    static void run(ComparisonSettings settings) throws IOException {
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
                for (EngineKind kind : settings.engines) {
                    new SpaceComparison(settings, settings.data(valueLength), valueLength).run(kind);
                }
            }
        }
    }

    static void row(String format, Object... cells) {
        System.out.printf(Locale.ROOT, format + "%n", cells);
    }
}
