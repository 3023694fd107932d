package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.support.Seeds;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The thread of a snapshot reads what it needs, while frames of what it reads get other nodes all the time. */
class IndexEvictionThreadsTest {

    private static final int KEYS = 20_000;
    private static final int SCANS = 8;
    private static final int EVICTIONS = 1_000;

    /** Many times those that it takes to have so many. */
    private static final int MOST_ROUNDS = 10_000;

    private static final int MOST_PUTS = 10;
    private static final long MEMORY = 130L * Node.LENGTH;

    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();

    private KeyBuffer key(int n) {
        byte[] bytes = KeyShape.RANDOM_8.key(n);
        return key.set(bytes, 0, bytes.length);
    }

    @Test
    void shouldReadASnapshotWhileNodesAreEvicted() throws Exception {
        KeyIndex first = new KeyIndex();
        for (int i = 0; i < KEYS; i++) {
            first.put(key(i), i, 1, location);
        }
        Images images = new Images();
        images.take(first.image(IndexImage.Scope.ALL));
        ExecutorService other = Executors.newSingleThreadExecutor();
        AtomicBoolean isEnough = new AtomicBoolean();
        Random random = new Random(Seeds.seed());
        try (KeyIndex index = new Images(images).restore(MEMORY);
                IndexSnapshot snapshot = index.snapshot()) {
            Future<?> reader = other.submit(() -> {
                for (int i = 0; i < SCANS || !isEnough.get(); i++) { // the other thread may be the slower one
                    scan(snapshot);
                }
            });
            int puts = 0;
            int rounds = 0;
            while (!reader.isDone()) {
                for (int i = 0; i < 100; i++) {
                    assertThat(index.get(key(random.nextInt(KEYS)), location)).isTrue();
                }
                if (puts < MOST_PUTS) { // the snapshot keeps what each of them has replaced
                    index.put(key(random.nextInt(KEYS)), KEYS, 1, location);
                    puts++;
                }
                if (random.nextInt(50) == 0) {
                    IndexImage image = index.image(IndexImage.Scope.CHANGED);
                    images = new Images(images);
                    images.take(image);
                    image.close();
                    index.source(new Images(images)).close();
                }
                if (random.nextInt(20) == 0) {
                    index.giveChunkBack(); // it may have it again at once, for other nodes
                }
                isEnough.set(index.budget().use().evicted() > EVICTIONS || ++rounds > MOST_ROUNDS);
            }
            reader.get();
            assertThat(index.budget().use().evicted()).isGreaterThan(EVICTIONS);
        } finally {
            isEnough.set(true);
            other.shutdown();
        }
    }

    private static void scan(IndexSnapshot snapshot) {
        long sum = 0;
        int keys = 0;
        Location found = new Location();
        KeyBuffer last = new KeyBuffer();
        IndexCursor cursor = snapshot.cursor();
        while (cursor.next()) {
            boolean isInOrder = last.compareTo(cursor.key()) < 0;
            last.copyFrom(cursor.key());
            sum += cursor.position();
            keys++;
            if (!isInOrder || !snapshot.get(last, found) || found.position() != cursor.position()) {
                throw new AssertionError("key " + keys);
            }
        }
        assertThat(keys).isEqualTo(KEYS);
        assertThat(sum).isEqualTo((KEYS - 1L) * KEYS / 2);
    }
}
