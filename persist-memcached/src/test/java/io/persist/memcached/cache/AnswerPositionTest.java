package io.persist.memcached.cache;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.LogConfig;
import io.persist.memcached.cache.Cache.StoreMode;
import io.persist.memcached.cache.StoredItems.Safety;
import io.persist.memcached.item.Item;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A client that was told that an item is gone does not find it after a power cut. */
class AnswerPositionTest {

    private static final byte[] KEY = "key".getBytes(US_ASCII);

    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(64 << 10).build())
            .build();

    @Test
    void shouldNotBringBackWhatASecondDeleteDidNotFind() {
        CrashableStorage log = new CrashableStorage();
        CrashableStorage checkpoints = new CrashableStorage();
        StoredItems items = StoredItems.open(config, Safety.SYNCED, log, checkpoints);
        Cache cache = cache(items);
        cache.store(StoreMode.SET, KEY, new byte[Item.HEADER_LENGTH + 1], 0, 0, 0, at -> awaitSafe(items, at));
        AtomicLong ofOther = new AtomicLong();
        assertThat(cache.delete(KEY, ofOther::set)).isTrue();
        assertThat(items.isSafe(ofOther.get()))
                .as("a power cut may take the other one's")
                .isFalse();
        AtomicLong ofStale = new AtomicLong();
        cache.removeStale(KEY, ofStale::set); // for a set that could not be stored
        assertThat(ofStale.get()).isGreaterThanOrEqualTo(ofOther.get());
        assertThat(cache.delete(KEY, at -> awaitSafe(items, at))).isFalse();

        CrashableStorage crashed = log.crash(new Random(1), Loss.ALL_LOST);
        try (StoredItems again = StoredItems.open(config, Safety.SYNCED, crashed, checkpoints.afterKill())) {
            assertThat(cache(again).get(KEY)).isNull();
        }
    }

    private static Cache cache(Items items) {
        return new Cache(items, () -> 1_800_000_000L, new Counters());
    }

    private static void awaitSafe(Items items, long position) {
        items.whenSafe(position).join();
    }
}
