package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.IndexFullException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.transaction.Transaction;
import io.persist.support.InMemory;
import io.persist.support.Seeds;
import io.persist.support.Versions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads that get values while others commit: small and large transactions, removals of ranges, checkpoints, compaction
 * of short segments, and an index with so little memory that nodes leave it. Each value says of which key and version it
 * is. Two keys that lie far apart always change together; so what a get has found says what the next one must find: not
 * an older version, of either key, and none that is older than what was committed before the get began.
 */
class LockFreeGetThreadsTest {

    private static final int WRITERS = 2;
    private static final int READERS = 2;

    /** Things that each writer has. */
    private static final int OWN = 3_000;

    private static final int CHANGES = Seeds.isNightly() ? 100_000 : 3_000;

    /** More changes than are made at once in a log of such segments, two for each. */
    private static final int LARGE = 300;

    private static final int SEGMENT_LENGTH = 256 << 10;
    private static final int PADDING = 100;
    private static final int MOST_REFUSED = 1_000;

    /** Large transactions need more memory for the index than it fills, so there is nothing evicted beside them. */
    enum Kind {
        MAPPED,
        MAPPED_SCARCE,
        FILE_SCARCE,
        DETACHED;

        boolean isScarce() {
            return name().endsWith("SCARCE");
        }
    }

    @TempDir(factory = InMemory.class)
    Path directory;

    private final Versions versions = new Versions(WRITERS * OWN);

    private StoreEngine open(Kind kind) {
        LogConfig log = LogConfig.builder(directory)
                .segmentLength(SEGMENT_LENGTH)
                .writeMode(kind == Kind.FILE_SCARCE ? WriteMode.FILE : WriteMode.MAPPED)
                .build();
        StoreConfig config = StoreConfig.builder(log)
                .indexMemoryBytes(kind.isScarce() ? 1 << 20 : 32 << 20)
                .checkpointMinLogBytes(500_000)
                .checkpointPercent(1)
                .maxSpaceRatio(1.5)
                .compactionStepBytes(4096)
                .build();
        return new StoreOpener(
                        config, kind == Kind.DETACHED ? DetachedConfig.builder().build() : null)
                .open();
    }

    private static byte[] key(int thing, int half) {
        return Texts.bytes((half == 0 ? "a/" : "z/") + (1_000_000 + thing) + "/workflow/task".repeat(5));
    }

    private static byte[] value(int thing, int half, long version) {
        ByteBuffer value = ByteBuffer.allocate(PADDING + (int) (version % 50));
        return value.putLong(version).putInt(thing).putInt(half).array();
    }

    private static long version(int thing, int half, byte @Nullable [] value) {
        if (value == null) {
            return -1;
        }
        ByteBuffer read = ByteBuffer.wrap(value).order(ByteOrder.BIG_ENDIAN);
        long version = read.getLong();
        if (read.getInt() != thing || read.getInt() != half || value.length != PADDING + version % 50) {
            throw new AssertionError("the value of another key: " + thing + ", " + half + ", version " + version);
        }
        return version;
    }

    /** One transaction of the things from {@code first} on. */
    private void commit(StoreEngine store, int first, int count, boolean removesAll, Durability level) {
        try (Transaction transaction = store.thread().begin()) {
            if (removesAll) {
                for (int half = 0; half < 2; half++) {
                    transaction.removeRange(KeyRange.between(key(first, half), key(first + count, half)));
                }
            }
            for (int thing = first; thing < first + count; thing++) {
                long version = removesAll ? versions.beginRemoval(thing) : versions.begin(thing);
                for (int half = 0; half < 2 && !removesAll; half++) {
                    if (Versions.isRemoval(version)) {
                        transaction.remove(key(thing, half));
                    } else {
                        transaction.put(key(thing, half), value(thing, half, version));
                    }
                }
            }
            commit(transaction, level);
        }
        for (int thing = first; thing < first + count; thing++) {
            versions.end(thing);
        }
    }

    /** Where memory is scarce, a commit may be refused, since the other writer needs some, too: it is tried again. */
    private static void commit(Transaction transaction, Durability level) {
        for (int refused = 0; ; refused++) {
            try {
                transaction.commit(level);
                return;
            } catch (IndexFullException e) {
                if (refused == MOST_REFUSED) {
                    throw e;
                }
            }
        }
    }

    private void write(StoreEngine store, Kind kind, int writer, Random random) {
        for (int done = 0; done < CHANGES; ) {
            int draw = random.nextInt(100);
            boolean removesAll = draw == 99;
            int count = removesAll ? 200 : draw == 0 && !kind.isScarce() ? LARGE : draw < 20 ? 5 : 1;
            int first = writer * OWN + random.nextInt(OWN - count);
            Durability level = random.nextInt(20) == 0 ? Durability.FLUSHED : Durability.BUFFERED;
            commit(store, first, count, removesAll, level);
            done += count;
            if (random.nextInt(1_000) == 0) {
                store.upkeep().checkpoint();
            }
        }
    }

    /** Reads until the writers are done; each version that it sees was the newest at a moment of the get. */
    private long read(StoreEngine store, List<Future<?>> writers, Random random) {
        Versions.Reader reader = versions.new Reader();
        long gets = 0;
        while (writers.stream().anyMatch(writer -> !writer.isDone())) {
            int thing = random.nextInt(WRITERS * OWN);
            int first = random.nextInt(2);
            for (int i = 0; i < 2; i++, gets++) {
                int half = (first + i) % 2;
                long floor = reader.floor(thing);
                reader.sees(thing, floor, version(thing, half, get(store, key(thing, half), random)));
            }
        }
        return gets;
    }

    private static byte @Nullable [] get(StoreEngine store, byte[] key, Random random) {
        if (random.nextBoolean()) {
            return store.single().getBytes(key);
        }
        var lent = store.thread().get(key);
        return lent == null ? null : lent.bytes();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldSeeEachTransactionAsAWholeAndNoOlderOneThen(Kind kind) {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS);
            try (StoreEngine store = open(kind)) {
                List<Future<?>> writers = new ArrayList<>();
                List<Future<Long>> readers = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    int writer = i;
                    Random own = new Random(random.nextLong());
                    writers.add(threads.submit(() -> write(store, kind, writer, own)));
                }
                for (int i = 0; i < READERS; i++) {
                    Random own = new Random(random.nextLong());
                    readers.add(threads.submit(() -> read(store, writers, own)));
                }
                for (Future<?> writer : writers) {
                    writer.get();
                }
                long gets = 0;
                for (Future<Long> reader : readers) {
                    gets += reader.get();
                }
                StoreStatistics now = store.statistics();
                System.out.println(kind + ": gets=" + gets + ", underLock="
                        + store.lookups().count() + ", evicted=" + now.index().evictedNodes() + ", checkpoints="
                        + now.checkpoint().written() + ", vacated="
                        + now.compaction().vacatedSegments());
                for (int thing = 0; thing < WRITERS * OWN; thing++) {
                    long version = version(thing, 0, store.single().getBytes(key(thing, 0)));
                    assertThat(version < 0 ? 0 : version)
                            .isEqualTo(Versions.isRemoval(versions.now(thing)) ? 0 : versions.now(thing));
                }
            } finally {
                threads.shutdown();
            }
        });
    }
}
