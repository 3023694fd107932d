package io.persist.micrometer;

import static io.persist.micrometer.Measure.Kind.BYTES;
import static io.persist.micrometer.Measure.Kind.BYTE_COUNT;
import static io.persist.micrometer.Measure.Kind.COUNT;
import static io.persist.micrometer.Measure.Kind.NUMBER;
import static io.persist.micrometer.Measure.Kind.TIME;

import io.persist.StoreLogger;
import io.persist.store.StoreStatistics;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The meters of a store, beside those of its log. */
final class StoreMeasures {

    private StoreMeasures() {}

    static List<Measure<StoreLogger>> all() {
        return Stream.concat(ofContent().stream(), ofCompaction().stream()).toList();
    }

    private static List<Measure<StoreLogger>> ofContent() {
        return List.of(
                of("keys", NUMBER, "keys in the store", StoreStatistics::keys),
                of("live", BYTES, "log that holds the keys and their values", StoreStatistics::liveBytes),
                of("space", BYTES, "all segments of the log", StoreStatistics::spaceBytes),
                of("index", BYTES, "memory of the index", now -> now.index().bytes()),
                of("index.used", BYTES, "of that in use", now -> now.index().usedBytes()),
                of(
                        "index.nodes",
                        NUMBER,
                        "nodes of the index, of 4 KiB each",
                        now -> now.index().nodes()),
                of(
                        "index.nodes.memory",
                        NUMBER,
                        "of these in memory",
                        now -> now.index().nodesInMemory()),
                of(
                        "index.nodes.read",
                        COUNT,
                        "nodes of the index that were read",
                        now -> now.index().readNodes()),
                of(
                        "index.nodes.evicted",
                        COUNT,
                        "nodes of the index that gave their memory up",
                        now -> now.index().evictedNodes()),
                of("snapshots", NUMBER, "snapshots and scans that are open", StoreStatistics::openSnapshots),
                of("replay", BYTES, "log since the last checkpoint", StoreStatistics::logBytes),
                of(
                        "checkpoints",
                        COUNT,
                        "checkpoints written",
                        now -> now.checkpoint().written()),
                of(
                        "checkpoint.failures",
                        COUNT,
                        "checkpoints that could not be written",
                        now -> now.checkpoint().failures()),
                of(
                        "checkpoint.size",
                        BYTES,
                        "the newest checkpoint",
                        now -> now.checkpoint().bytes()),
                of(
                        "checkpoint.time",
                        TIME,
                        "how long the last checkpoint took",
                        now -> now.checkpoint().elapsedNs()));
    }

    private static List<Measure<StoreLogger>> ofCompaction() {
        return List.of(
                of(
                        "compaction.moved",
                        BYTE_COUNT,
                        "log that compaction copied",
                        now -> now.compaction().movedBytes()),
                of(
                        "compaction.segments",
                        COUNT,
                        "segments that compaction took away",
                        now -> now.compaction().vacatedSegments()),
                of(
                        "compaction.waiting",
                        NUMBER,
                        "empty segments that a reader still needs",
                        now -> now.compaction().waitingSegments()),
                of(
                        "compaction.damaged",
                        NUMBER,
                        "segments left alone because of damage",
                        now -> now.compaction().damagedSegments()),
                of(
                        "compaction.unmovable",
                        NUMBER,
                        "segments kept by a value that new segments are too short for",
                        now -> now.compaction().unmovableSegments()));
    }

    private static Measure<StoreLogger> of(
            String name, Measure.Kind kind, String meaning, ToDoubleFunction<StoreStatistics> value) {
        return new Measure<>("persist.store." + name, kind, meaning, store -> value.applyAsDouble(store.statistics()));
    }
}
