package io.persist.memcached.cache;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.LogConfig;
import io.persist.memcached.cache.Cache.StoreMode;
import io.persist.memcached.cache.Cache.Stored;
import io.persist.memcached.cache.StoredItems.Safety;
import io.persist.memcached.item.Item;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A cas number that a client has seen is never another item's. */
class CasNumbersTest {

    private static final byte[] KEY = "key".getBytes(US_ASCII);

    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(64 << 10).build())
            .build();

    private CrashableStorage log = new CrashableStorage();
    private CrashableStorage checkpoints = new CrashableStorage();

    @Test
    void shouldRefuseTheNumberOfAnItemThatAPowerCutHasTaken() {
        StoredItems.open(config, Safety.LATER, log, checkpoints).close();
        for (int life = 0; life < 3; life++) { // each ends without a sync
            long seen = set(cache());
            log = log.crash(new Random(life), Loss.ALL_LOST);
            checkpoints = checkpoints.crash(new Random(life), Loss.ALL_LOST);

            Cache cache = cache();
            assertThat(cache.get(KEY)).as("the power cut has taken it").isNull();
            set(cache); // another client's
            assertThat(cache.store(StoreMode.CAS, KEY, bytes(), 0, 0, seen, position -> {}))
                    .isEqualTo(Stored.EXISTS);
            log = log.crash(new Random(life), Loss.ALL_LOST);
            checkpoints = checkpoints.crash(new Random(life), Loss.ALL_LOST);
        }
    }

    private Cache cache() {
        StoredItems items = StoredItems.open(config, Safety.LATER, log, checkpoints);
        return new Cache(items, () -> 1_800_000_000L, new Counters());
    }

    /** Returns the cas number of what it has stored. */
    private static long set(Cache cache) {
        cache.store(StoreMode.SET, KEY, bytes(), 0, 0, 0, position -> {});
        return cache.get(KEY).cas();
    }

    private static byte[] bytes() {
        return new byte[Item.HEADER_LENGTH + 1];
    }
}
