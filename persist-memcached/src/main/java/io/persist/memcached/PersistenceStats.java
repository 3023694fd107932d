package io.persist.memcached;

import io.persist.memcached.MemcachedFlags.Mode;
import io.persist.memcached.cache.Items;
import io.persist.memcached.cache.StoredItems;
import io.persist.tool.stats.ArcusStats;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code stats persistence} tells, under the names of ARCUS. */
final class PersistenceStats {

    private PersistenceStats() {}

    static Map<String, String> of(Items items, Mode mode) {
        if (!(items instanceof StoredItems stored)) {
            return Map.of("use_persistence", "off");
        }
        Map<String, String> values = new LinkedHashMap<>(ArcusStats.of(stored.store()));
        values.put("async_logging", Boolean.toString(mode == Mode.ASYNC)); // the server waits, not the store's commits
        return values;
    }
}
