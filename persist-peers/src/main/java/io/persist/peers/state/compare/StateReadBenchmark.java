package io.persist.peers.state.compare;

import io.persist.log.Durability;
import io.persist.peers.state.StateData;
import io.persist.peers.state.StateEngine;
import io.persist.peers.state.StateEngineKind;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * What reading random keys of a {@code StoreLogger} and of RocksDB costs, each of which is there: one value, and 100 of
 * them in order. Values are copied into an array of the caller's. The page cache has all files if the machine has the
 * memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(2)
public class StateReadBenchmark {

    private static final int SCANNED = 100;

    @Param({"STORE", "ROCKSDB"})
    public StateEngineKind engine;

    @Param({"100", "2048", "10240"})
    public int valueLength;

    @Param("1000000")
    public int keys;

    /** Fewer keys if these would be more MiB, so that large values do not fill the disk. */
    @Param("4096")
    public int maxLiveMiB;

    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] key = new byte[StateData.KEY_LENGTH];
    private StateData data;
    private LoadedEngine loaded;
    private StateEngine state;
    private byte[] value;

    @Setup(Level.Trial)
    public void load() throws IOException {
        data = new StateData(keys, valueLength, (long) maxLiveMiB << 20);
        loaded = new LoadedEngine(engine, Durability.BUFFERED, data);
        state = loaded.engine();
        value = new byte[valueLength];
    }

    private byte[] randomKey() {
        StateData.key(random.nextInt(data.keys()), key);
        return key;
    }

    @Benchmark
    public byte[] get() {
        if (state.get(randomKey(), value) != valueLength) {
            throw new IllegalStateException("a value is missing");
        }
        return value;
    }

    @Benchmark
    public int scan100(Blackhole blackhole) {
        return state.scan(randomKey(), SCANNED, valueLength, (scannedKey, keyLength, scannedValue, length) -> {
            blackhole.consume(scannedKey);
            blackhole.consume(scannedValue);
        });
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        loaded.close();
    }
}
