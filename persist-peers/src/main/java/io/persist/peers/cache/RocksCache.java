package io.persist.peers.cache;

import io.persist.bench.cache.CacheEngine;
import java.io.IOException;

/** RocksDB, for {@link java.util.ServiceLoader}. */
public final class RocksCache implements CacheEngine.Kind {

    /** One of it is as good as another. */
    public RocksCache() {}

    @Override
    public String id() {
        return "rocksdb";
    }

    @Override
    public CacheEngine open(CacheEngine.Place place) throws IOException {
        return new RocksCacheEngine(place);
    }
}
