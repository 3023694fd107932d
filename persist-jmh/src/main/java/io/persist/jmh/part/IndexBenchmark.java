package io.persist.jmh.part;

import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.jmh.support.Payloads;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
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

/**
 * The index of a store with a million random keys of {@value #KEY_LENGTH} bytes beside a {@link TreeMap} of them. A
 * put gives a key that is there another place, or takes it away and puts it back; so the size stays. The keys come in
 * random order, so each call finds most of what it needs out of the cache.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(3)
public class IndexBenchmark {

    static final int KEY_LENGTH = 16;
    static final int SCANNED = 100;

    private record Place(long position, int length) {}

    @Param("1000000")
    public int keys;

    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private byte[] keyBytes;
    private ByteBuffer[] mapKeys;
    private int next;

    private KeyIndex index;
    private IndexSnapshot snapshot;
    private IndexCursor cursor;
    private TreeMap<ByteBuffer, Place> map;

    @Setup(Level.Trial)
    public void fill() {
        keyBytes = Payloads.random(keys * KEY_LENGTH);
        mapKeys = new ByteBuffer[keys];
        index = new KeyIndex();
        map = new TreeMap<>();
        for (int i = 0; i < keys; i++) {
            index.put(key.set(keyBytes, i * KEY_LENGTH, KEY_LENGTH), i, i, location);
            mapKeys[i] = ByteBuffer.allocate(KEY_LENGTH).put(0, keyBytes, i * KEY_LENGTH, KEY_LENGTH);
            map.put(mapKeys[i], new Place(i, i));
        }
        snapshot = index.snapshot();
        cursor = snapshot.cursor();
    }

    /** The keys are random; so their order here is, too, compared with that in the index. */
    private KeyBuffer nextKey() {
        next = next + 1 == keys ? 0 : next + 1;
        return key.set(keyBytes, next * KEY_LENGTH, KEY_LENGTH);
    }

    private ByteBuffer nextMapKey() {
        next = next + 1 == keys ? 0 : next + 1;
        return mapKeys[next];
    }

    @Benchmark
    public long get() {
        index.get(nextKey(), location);
        return location.position();
    }

    @Benchmark
    public Place treeMapGet() {
        return map.get(nextMapKey());
    }

    @Benchmark
    public boolean put() {
        endSnapshot();
        return index.put(nextKey(), next, 1, location);
    }

    @Benchmark
    public Place treeMapPut() {
        return map.put(nextMapKey(), new Place(next, 1));
    }

    @Benchmark
    public boolean removeAndPut() {
        endSnapshot();
        index.remove(nextKey(), location);
        return index.put(key, next, 1, location);
    }

    @Benchmark
    public Place treeMapRemoveAndPut() {
        ByteBuffer mapKey = nextMapKey();
        map.remove(mapKey);
        return map.put(mapKey, new Place(next, 1));
    }

    /** The snapshot is for the scans; with it, each put would copy nodes in the beginning. */
    private void endSnapshot() {
        if (snapshot != null) {
            snapshot.close();
            snapshot = null;
        }
    }

    @Benchmark
    public long scan() {
        long sum = 0;
        cursor.to(nextKey());
        for (int i = 0; i < SCANNED && cursor.next(); i++) {
            sum += cursor.position() + cursor.key().length();
        }
        return sum;
    }

    @Benchmark
    public long treeMapScan() {
        long sum = 0;
        Iterator<Map.Entry<ByteBuffer, Place>> entries =
                map.tailMap(nextMapKey()).entrySet().iterator();
        for (int i = 0; i < SCANNED && entries.hasNext(); i++) {
            Map.Entry<ByteBuffer, Place> entry = entries.next();
            sum += entry.getValue().position() + entry.getKey().remaining();
        }
        return sum;
    }

    @TearDown(Level.Trial)
    public void close() {
        endSnapshot();
        index.close();
    }
}
