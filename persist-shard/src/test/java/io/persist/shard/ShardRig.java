package io.persist.shard;

import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A place in memory, a clock, and clients of both, as if each were a process. */
final class ShardRig {

    static final Duration NOW = Duration.ZERO;
    static final Duration LONG = Duration.ofMinutes(2);
    static final String ID = "s1";

    final MemBlob blob = new MemBlob();
    final MemConsensus consensus = new MemConsensus();
    final ManualClock clock = new ManualClock();
    final ShardConfig config;

    ShardRig() {
        this(ShardConfig.builder());
    }

    ShardRig(ShardConfig.Builder settings) {
        config = settings.clock(clock)
                .readerLease(Duration.ofMillis(1_000))
                .writerLease(Duration.ofMillis(4_000))
                .retryTime(Duration.ZERO)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .build();
    }

    ShardClient client() {
        return ShardClient.open(blob, consensus, config);
    }

    Shard<String, String> shard() {
        return client().shard(ID, Codec.utf8(), Codec.utf8());
    }

    int objects() {
        int[] count = {0};
        blob.list("", (name, length) -> count[0]++);
        return count[0];
    }

    static Update<String, String> update(String key, long time, long diff) {
        return new Update<>(key, "", time, diff);
    }

    /** One update for each key and time, with diff 1. */
    static List<Update<String, String>> updates(String key, long from, long below) {
        List<Update<String, String>> updates = new ArrayList<>();
        for (long time = from; time < below; time++) {
            updates.add(update(key, time, 1));
        }
        return updates;
    }

    /** The sums by key. */
    static Map<String, Long> contents(ShardReader<String, String> reader, long asOf) throws InterruptedException {
        Map<String, Long> sums = new TreeMap<>();
        try (Snapshot<String, String> snapshot = reader.snapshot(asOf, NOW)) {
            for (Update<String, String> update : snapshot.toList()) {
                if (update.time() != asOf || update.diff() == 0 || sums.put(update.key(), update.diff()) != null) {
                    throw new AssertionError("not summed: " + update);
                }
            }
        }
        return sums;
    }

    /** All events up to the progress to {@code frontier}, as text. */
    static List<String> events(ShardListener<String, String> listener, Frontier frontier) throws InterruptedException {
        List<String> texts = new ArrayList<>();
        while (listener.frontier().isBelow(frontier)) {
            ShardEvent<String, String> event = listener.poll(LONG);
            if (event instanceof ShardEvent.Updates<String, String> updates) {
                updates.updates()
                        .forEach(update -> texts.add(update.key() + "@" + update.time() + "*" + update.diff()));
            } else if (event instanceof ShardEvent.Progress<String, String> progress) {
                texts.add("<" + progress.frontier());
            } else {
                throw new AssertionError("no event within " + LONG);
            }
        }
        return texts;
    }
}
