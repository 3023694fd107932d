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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What changes of random keys of a {@code StoreLogger} and of RocksDB cost at equal durability, in a closed loop, one
 * thread. The figures are per put; of {@link #deleteAndPut} per delete, commit, put, commit.
 *
 * <p>What an engine puts off to the background is not in a short run's figures unless it stalls; so each trial says how
 * much space was taken in the end, and {@link StateComparison} measures what is put off.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(2)
public class StateWriteBenchmark {

    private static final int PER_COMMIT = 10;

    @Param({"BUFFERED", "FLUSHED", "SYNCED"})
    public Durability durability;

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
    private final byte[][] key = new byte[PER_COMMIT][StateData.KEY_LENGTH];
    private StateData data;
    private LoadedEngine loaded;
    private StateEngine state;
    private int count;

    @Setup(Level.Trial)
    public void load() throws IOException {
        data = new StateData(keys, valueLength, (long) maxLiveMiB << 20);
        loaded = new LoadedEngine(engine, durability, data);
        state = loaded.engine();
    }

    private byte[] randomKey(int index) {
        StateData.key(random.nextInt(data.keys()), key[index]);
        return key[index];
    }

    @Benchmark
    public void put() {
        state.put(randomKey(0), data.value(count++));
        state.commit();
    }

    @Benchmark
    @OperationsPerInvocation(PER_COMMIT)
    public void put10() {
        for (int i = 0; i < PER_COMMIT; i++) {
            state.put(randomKey(i), data.value(count++));
        }
        state.commit();
    }

    @Benchmark
    public void deleteAndPut() {
        byte[] changed = randomKey(0);
        state.delete(changed);
        state.commit();
        state.put(changed, data.value(count++));
        state.commit();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        loaded.close();
    }
}
