package io.persist.jmh.read;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.jmh.support.Payloads;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.core.KeyFinder;
import io.persist.store.core.Lookups;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.value.ValueReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A get of a random key of a store that is in memory: the key is looked up, its value copied and verified. Without the
 * store's lock, as gets are, and under it beside that. Alone with {@code -t 1}, as readers with {@code -t 2}, and in
 * groups beside a thread that puts random keys as fast as it can; the time of its puts is in the same table.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(3)
public class StoreGetBenchmark {

    private static final int KEY_LENGTH = 16;
    private static final long FILES_LENGTH = 2L << 30;

    /** A prime that is far from all powers of 2: each key is found out of the cache. */
    private static final int STRIDE = 7_919;

    @Param("100000")
    public int keys;

    @Param("100")
    public int valueLength;

    private byte[] keyBytes;
    private ScratchDirectory directory;
    private StoreEngine store;

    /** What a thread has. */
    @State(Scope.Thread)
    public static class Caller {

        private final KeyBuffer key = new KeyBuffer();
        private final Location found = new Location();
        private final ValueReader reader = new ValueReader();
        private KeyFinder finder;
        private Lookups underLock;
        private byte[] bytes;
        private byte[] value;
        private int next;

        @Setup(Level.Trial)
        public void begin(StoreGetBenchmark benchmark) {
            finder = benchmark.store.lookups().finder();
            underLock = benchmark.store.lookups();
            value = new byte[benchmark.valueLength];
            bytes = new byte[KEY_LENGTH];
            next = (int) (Thread.currentThread().getId() * 31 % benchmark.keys);
        }

        private int nextOffset(StoreGetBenchmark benchmark) {
            next = (int) (((long) next + STRIDE) % benchmark.keys);
            return next * KEY_LENGTH;
        }

        private KeyBuffer nextKey(StoreGetBenchmark benchmark) {
            return key.set(benchmark.keyBytes, nextOffset(benchmark), KEY_LENGTH);
        }

        private int read(boolean isThere) {
            if (!isThere) {
                throw new IllegalStateException("no key");
            }
            return reader.read(key, found.position(), found.length()).view().remaining();
        }

        int get(StoreGetBenchmark benchmark) {
            return read(finder.find(nextKey(benchmark), found, reader));
        }

        int getUnderLock(StoreGetBenchmark benchmark) {
            return read(underLock.find(nextKey(benchmark), found, reader));
        }

        long put(StoreGetBenchmark benchmark) {
            System.arraycopy(benchmark.keyBytes, nextOffset(benchmark), bytes, 0, KEY_LENGTH);
            return benchmark.store.single().put(bytes, value, Durability.BUFFERED);
        }

        @TearDown(Level.Trial)
        public void end() {
            reader.leave();
        }
    }

    @Setup(Level.Trial)
    public void fill() throws IOException {
        keyBytes = Payloads.random(keys * KEY_LENGTH);
        directory = ScratchDirectory.create(FILES_LENGTH);
        LogConfig log = LogConfig.builder(directory.path())
                .segmentLength(16 << 20)
                .durability(Durability.BUFFERED)
                .build();
        store = new StoreOpener(StoreConfig.builder(log).build(), null).open();
        byte[] key = new byte[KEY_LENGTH];
        byte[] value = new byte[valueLength];
        for (int i = 0; i < keys; i++) {
            System.arraycopy(keyBytes, i * KEY_LENGTH, key, 0, KEY_LENGTH);
            store.single().put(key, value, Durability.BUFFERED);
        }
    }

    @Benchmark
    public int get(Caller caller) {
        return caller.get(this);
    }

    @Benchmark
    public int getUnderLock(Caller caller) {
        return caller.getUnderLock(this);
    }

    @Benchmark
    @Group("besidePuts")
    public int getBesidePuts(Caller caller) {
        return caller.get(this);
    }

    @Benchmark
    @Group("besidePuts")
    public long putBesideGets(Caller caller) {
        return caller.put(this);
    }

    @Benchmark
    @Group("besidePutsUnderLock")
    public int getUnderLockBesidePuts(Caller caller) {
        return caller.getUnderLock(this);
    }

    @Benchmark
    @Group("besidePutsUnderLock")
    public long putBesideGetsUnderLock(Caller caller) {
        return caller.put(this);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        store.close();
        directory.close();
    }
}
