package io.persist.peers.state.compare;

import io.persist.bench.result.Median;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.peers.state.StateData;
import io.persist.peers.state.StateEngine;
import io.persist.peers.state.StateEngineConfig;
import io.persist.peers.state.StateEngineKind;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How long an engine takes to open after an orderly end until a first value is read, in a process that has opened it
 * before, with its files in the page cache.
 */
final class RecoveryComparison {

    static final String TITLE = """
            | value | keys | live MiB | engine | since the checkpoint | open ms | ms per live GiB |
            |---|---|---|---|---|---|---|""";

    private static final double MIB = 1 << 20;

    /** What has to be done again. */
    private enum Behind {
        /** All that was ever written: a store replays all of its log. RocksDB has written its memtables as ever. */
        NO_CHECKPOINT,
        /** What was overwritten after the checkpoint, one key per commit. */
        TAIL,
        NOTHING;

        private String describe(ComparisonSettings settings) {
            return switch (this) {
                case NO_CHECKPOINT -> "all, there was none";
                case TAIL -> settings.tailMiB + " MiB";
                case NOTHING -> "nothing";
            };
        }
    }

    private final ComparisonSettings settings;
    private final StateData data;
    private final int valueLength;
    private final byte[] key = new byte[StateData.KEY_LENGTH];
    private final Map<StateEngineKind, Map<Behind, List<Double>>> millis = new EnumMap<>(StateEngineKind.class);

    RecoveryComparison(ComparisonSettings settings, StateData data, int valueLength) {
        this.settings = settings;
        this.data = data;
        this.valueLength = valueLength;
    }

    void run(PrintStream out) throws IOException {
        for (int i = 0; i < settings.repeats; i++) {
            for (StateEngineKind kind : settings.engines) {
                measure(kind);
            }
        }
        millis.forEach((kind, all) -> all.forEach((behind, times) -> {
            double median =
                    Median.of(times.stream().mapToDouble(Double::doubleValue)).orElseThrow();
            StateComparison.row(
                    out,
                    "| %d | %d | %.0f | %s | %s | %.1f | %.0f |",
                    valueLength,
                    data.keys(),
                    data.liveBytes() / MIB,
                    kind,
                    behind.describe(settings),
                    median,
                    median * 1024 * MIB / data.liveBytes());
        }));
    }

    private void measure(StateEngineKind kind) throws IOException {
        try (ScratchDirectory directory = ComparisonSettings.directory(4 * data.liveBytes() + settings.tailLength())) {
            StateEngineConfig config =
                    StateEngineConfig.of(directory.path(), settings.durability).withoutCheckpoints();
            try (StateEngine engine = kind.open(config)) {
                data.load(engine);
            }
            for (Behind behind : Behind.values()) {
                if (behind != Behind.NO_CHECKPOINT) {
                    checkpoint(kind, config, behind);
                }
                millis.computeIfAbsent(kind, any -> new EnumMap<>(Behind.class))
                        .computeIfAbsent(behind, any -> new ArrayList<>())
                        .add(open(kind, config));
            }
        }
    }

    private void checkpoint(StateEngineKind kind, StateEngineConfig config, Behind behind) throws IOException {
        try (StateEngine engine = kind.open(config)) {
            engine.checkpoint();
            long tail = behind == Behind.TAIL ? settings.tailLength() : 0;
            for (long i = 0; i < tail / (StateData.KEY_LENGTH + valueLength); i++) {
                StateData.key((int) (i % data.keys()), key);
                engine.put(key, data.value((int) i));
                engine.commit();
            }
        }
    }

    private double open(StateEngineKind kind, StateEngineConfig config) throws IOException {
        StateData.key(data.keys() - 1, key);
        byte[] target = new byte[valueLength];
        long startNs = System.nanoTime();
        try (StateEngine engine = kind.open(config)) {
            int length = engine.get(key, target);
            double took = (System.nanoTime() - startNs) / 1e6;
            if (length != valueLength) {
                throw new IllegalStateException("a value was lost, engine=" + kind);
            }
            return took;
        }
    }
}
