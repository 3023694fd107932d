package io.persist.shard.s3;

import io.persist.shard.ShardReader;
import io.persist.shard.Snapshot;
import io.persist.shard.model.Update;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** What the tests of this module find in a shard. */
final class Contents {

    static final Duration LONG = Duration.ofMinutes(2);

    private Contents() {}

    /** How often each key is there as of a time. */
    static Map<String, Long> of(ShardReader<String, String> reader, long asOf) throws InterruptedException {
        Map<String, Long> sums = new TreeMap<>();
        try (Snapshot<String, String> snapshot = reader.snapshot(asOf, LONG)) {
            while (snapshot.hasNext()) {
                Update<String, String> update = snapshot.next();
                sums.merge(update.key(), update.diff(), Long::sum);
            }
        }
        return sums;
    }
}
