package io.persist.index;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.support.Allocation;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a thread allocates on the heap per call in the long run: nothing. */
class IndexAllocationTest {

    private static final int KEYS = 10_000;
    private static final int CALLS = 20_000;

    private final KeyIndex index = new KeyIndex();
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private final byte[][] keys = new byte[KEYS][];
    private int next;

    @BeforeEach
    void fill() {
        Random random = new Random(1);
        for (int i = 0; i < KEYS; i++) {
            keys[i] = KeyShape.TASK_RUN.key(random.nextInt(10 * KEYS));
            index.put(nextKey(), i, i, location);
        }
        index.budget().reserve(1000);
    }

    @AfterEach
    void close() {
        index.close();
    }

    private KeyBuffer nextKey() {
        byte[] bytes = keys[next];
        next = next + 1 == KEYS ? 0 : next + 1;
        return key.set(bytes, 0, bytes.length);
    }

    private static void shouldNotAllocate(Runnable call) {
        Allocation.checkNone(CALLS, CALLS, call);
    }

    @Test
    void shouldNotAllocateToGet() {
        shouldNotAllocate(() -> index.get(nextKey(), location));
    }

    /** With the splits and merges that belong to it. */
    @Test
    void shouldNotAllocateToPutAndRemove() {
        boolean[] put = {false};
        shouldNotAllocate(() -> {
            put[0] = next == 0 ? !put[0] : put[0];
            if (put[0]) {
                index.put(nextKey(), 1, 1, location);
            } else {
                index.remove(nextKey(), location);
            }
        });
    }

    /** One object of a snapshot and what belongs to it in 4000 calls. */
    @Test
    void shouldNotAllocateToCopyNodes() {
        IndexSnapshot[] open = {index.snapshot()};
        int[] calls = {0};
        shouldNotAllocate(() -> {
            index.put(nextKey(), 1, 1, location);
            if (++calls[0] % 4000 == 0) {
                open[0].close();
                open[0] = index.snapshot();
            }
        });
        open[0].close();
    }

    @Test
    void shouldNotAllocateToScan() {
        try (IndexSnapshot snapshot = index.snapshot()) {
            IndexCursor cursor = snapshot.cursor();
            shouldNotAllocate(() -> {
                if (!cursor.next()) {
                    cursor.toStart();
                }
            });
            shouldNotAllocate(() -> {
                if (!cursor.previous()) {
                    cursor.toEnd();
                }
            });
            shouldNotAllocate(() -> cursor.to(nextKey()));
            shouldNotAllocate(() -> snapshot.get(nextKey(), location));
        }
    }
}
