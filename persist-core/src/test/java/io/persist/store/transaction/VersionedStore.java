package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A store and which version of which key it has, and changes of it. */
final class VersionedStore implements AutoCloseable {

    static final long ABSENT = 0;

    private static final int SEGMENT_LENGTH = 64 << 10;

    /** More goes into the index in steps. */
    private static final int MOST_AT_ONCE = SEGMENT_LENGTH / 512;

    /** With the last of these a commit looks at a scan of all without the lock. */
    private static final int[] KEYS = {20, 300, 9_000};

    final Random random;
    final CrashableStorage storage = new CrashableStorage();
    final StoreConfig config;
    final long[] versions;

    StoreLogger store;
    long lastVersion;
    long movedBytes;
    int compactions;

    VersionedStore(Random random) {
        this.random = random;
        this.versions = new long[KEYS[random.nextInt(KEYS.length)]];
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength(SEGMENT_LENGTH)
                .build();
        this.config = StoreConfig.builder(log).maxSpaceRatio(0).build();
        this.store = StoreLogger.open(config, storage, storage);
        for (int from = 0; from < versions.length; from += MOST_AT_ONCE) {
            large(from);
        }
        if (random.nextBoolean()) { // the nodes of the index have to be read
            store.checkpoint();
            store.close();
            store = StoreLogger.open(config, storage, storage);
        }
    }

    @Override
    public void close() {
        store.close();
    }

    static byte[] key(int number) {
        return Texts.bytes("key-" + (10_000 + number));
    }

    int number() {
        return random.nextInt(versions.length);
    }

    byte[] newValue() {
        return ByteBuffer.allocate(8 + random.nextInt(40))
                .putLong(0, ++lastVersion)
                .array();
    }

    void put(int number) {
        store.put(key(number), newValue());
        versions[number] = lastVersion;
    }

    void remove(int number) {
        store.remove(key(number));
        versions[number] = ABSENT;
    }

    void other() {
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> put(number());
            case 3, 4 -> remove(number());
            case 5 -> {
                int from = number();
                int below = Math.min(versions.length, from + 1 + random.nextInt(4));
                store.removeRange(KeyRange.between(key(from), key(below)));
                Arrays.fill(versions, from, below, ABSENT);
            }
            case 6 -> {
                int number = number();
                if (versions[number] == ABSENT) {
                    put(number);
                    remove(number);
                }
            }
            case 7 -> large(number());
            default -> { // values lie elsewhere then, and are what they were
                long before = store.statistics().compaction().movedBytes();
                store.compact(Long.MAX_VALUE);
                long moved = store.statistics().compaction().movedBytes() - before;
                movedBytes += moved;
                compactions += moved > 0 ? 1 : 0;
            }
        }
    }

    /** By another thread: this one has a transaction open. */
    private void large(int from) {
        int below = Math.min(versions.length, from + MOST_AT_ONCE + 50);
        List<byte[]> values = new ArrayList<>();
        for (int i = from; i < below; i++) {
            boolean isPut = random.nextInt(3) > 0;
            values.add(isPut ? newValue() : null);
            versions[i] = isPut ? lastVersion : ABSENT;
        }
        Thread other = new Thread(() -> {
            try (Transaction transaction = store.begin()) {
                for (int i = from; i < below; i++) {
                    if (values.get(i - from) == null) {
                        transaction.remove(key(i));
                    } else {
                        transaction.put(key(i), values.get(i - from));
                    }
                }
                transaction.commit();
            }
        });
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void check() {
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            for (int i = 0; i < versions.length; i++) {
                if (versions[i] != ABSENT) {
                    assertThat(scan.next()).isTrue();
                    assertThat(scan.keyBytes()).isEqualTo(key(i));
                    assertThat(scan.value().order(ByteOrder.BIG_ENDIAN).getLong())
                            .isEqualTo(versions[i]);
                }
            }
            assertThat(scan.next()).isFalse();
        }
        assertThat(store.statistics().openSnapshots()).isZero();
    }
}
