package io.persist.shard.bench.micro;

import io.persist.shard.ShardClient;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Version;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.StateBytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Versions of some keys, without shards above them: one of each key at the same time, and the next when all are there.
 * A version has the length of all records together, as in Materialize's benchmark, but at most {@value #MOST_BYTES}.
 * Or what a write of one batch takes bare: its objects, if it is too long for a version, and then its version. All are
 * bytes of the records: a database that compresses what it is given finds as little in them as in those of a shard.
 */
final class CompareAndSets implements Benchmark.Body {

    private static final int MOST_BYTES = 64 << 10;

    /** So few versions stay that memory does not matter. */
    private static final long KEPT = 64;

    /** About what a version has besides the batch. */
    private static final int STATE_BYTES = 200;

    private final Consensus consensus;
    private final Blob blob;
    private final byte[] bytes;
    private final List<byte[]> objects;
    private final List<String> names = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();

    /** Null if there is one key: then the caller's thread sets it. */
    private final @Nullable RoundThreads threads;

    // Others look at these in a round only.
    private long number;
    private Version next;

    private CompareAndSets(Place place, DataSet data, int count, long versionBytes, List<byte[]> objects) {
        this.consensus = place.consensus();
        this.blob = place.blob();
        this.bytes = data.encoded(0, (int) Math.min(MOST_BYTES, versionBytes));
        this.next = new Version(1, bytes);
        this.objects = objects;
        for (int i = 0; i < count; i++) {
            keys.add(ShardClient.newId());
        }
        this.threads = count == 1
                ? null
                : new RoundThreads(
                        "cas",
                        keys.stream().<Runnable>map(key -> () -> set(key)).toList());
    }

    static Benchmark.Body one(Place place, DataSet data) {
        return new CompareAndSets(place, data, 1, data.bytes(), List.of());
    }

    /** What lies below a write of a batch: as many bytes at the same places. */
    static Benchmark.Body bareWrite(Place place, DataSet data) {
        ShardConfig config = ShardConfig.builder().build();
        long left = Math.min(data.records(), data.batchRecords()) * data.recordBytes();
        if (left <= config.inlineBatchBytes()) {
            return new CompareAndSets(place, data, 1, left + STATE_BYTES, List.of());
        }
        List<byte[]> objects = new ArrayList<>();
        long record = 0;
        for (; left > 0; left -= config.partBytes()) {
            objects.add(data.encoded(record, (int) Math.min(left, config.partBytes())));
            record += config.partBytes() / data.recordBytes();
        }
        return new CompareAndSets(place, data, 1, STATE_BYTES, objects);
    }

    static Benchmark.Body perCpu(Place place, DataSet data) {
        return new CompareAndSets(place, data, Runtime.getRuntime().availableProcessors(), data.bytes(), List.of());
    }

    @Override
    public long run(Benchmark.Sink sink) throws InterruptedException {
        long startNs = System.nanoTime();
        for (byte[] object : objects) {
            names.add("bare/" + UUID.randomUUID());
            blob.create(names.get(names.size() - 1), object);
        }
        setAll();
        long tookNs = System.nanoTime() - startNs;
        sink.took(tookNs);
        if (!names.isEmpty()) {
            blob.deleteAll(names);
            names.clear();
        }
        if (number % KEPT == 0) {
            keys.forEach(key -> consensus.truncate(key, number));
        }
        return tookNs;
    }

    private void setAll() throws InterruptedException {
        next = new Version(number + 1, bytes);
        if (threads == null) {
            set(keys.get(0));
        } else {
            threads.run();
        }
        number++;
    }

    private void set(String key) {
        if (!consensus.compareAndSet(key, number == 0 ? Consensus.NONE : number, next)) {
            throw new IllegalStateException("somebody else writes this key");
        }
    }

    /** The last version of each is that of a shard of which nothing is left: others may look at the place. */
    @Override
    public void close() {
        if (threads != null) {
            threads.close();
        }
        if (number > 0) {
            for (String key : keys) {
                Version last =
                        new Version(number + 1, StateBytes.whole(tombstone(key, number + 1), StateBytes.NOTHING));
                consensus.compareAndSet(key, number, last);
                consensus.truncate(key, last.number());
            }
        }
    }

    private static ShardState tombstone(String key, long version) {
        return new ShardState(
                key,
                "",
                version,
                "bytes",
                "bytes",
                Frontier.EMPTY,
                Frontier.EMPTY,
                List.of(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap());
    }
}
