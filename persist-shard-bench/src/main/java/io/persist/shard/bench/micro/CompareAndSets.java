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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
    private final ExecutorService pool;
    private long number;

    private CompareAndSets(Place place, DataSet data, int count, long versionBytes, List<byte[]> objects) {
        this.consensus = place.consensus();
        this.blob = place.blob();
        this.bytes = data.encoded(0, (int) Math.min(MOST_BYTES, versionBytes));
        this.objects = objects;
        for (int i = 0; i < count; i++) {
            keys.add(ShardClient.newId());
        }
        this.pool = Executors.newFixedThreadPool(count);
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
        all(bytes);
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

    private void all(byte[] data) throws InterruptedException {
        long expected = number == 0 ? Consensus.NONE : number;
        Version next = new Version(number + 1, data);
        if (keys.size() == 1) {
            check(consensus.compareAndSet(keys.get(0), expected, next));
        } else {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            keys.forEach(key -> tasks.add(() -> consensus.compareAndSet(key, expected, next)));
            for (Future<Boolean> task : pool.invokeAll(tasks)) {
                check(done(task));
            }
        }
        number++;
    }

    private static boolean done(Future<Boolean> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        }
    }

    private static void check(boolean isSet) {
        if (!isSet) {
            throw new IllegalStateException("somebody else writes this key");
        }
    }

    /** The last version of each is that of a shard of which nothing is left: others may look at the place. */
    @Override
    public void close() {
        pool.shutdown();
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
