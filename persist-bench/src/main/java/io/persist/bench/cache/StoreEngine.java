package io.persist.bench.cache;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A {@link StoreLogger}, attached, with its defaults but for what the mode asks for. */
public final class StoreEngine implements CacheEngine {

    /** Under its name. */
    public static final Kind KIND = new Kind() {

        @Override
        public String id() {
            return "store";
        }

        @Override
        public CacheEngine open(Place place) {
            return new StoreEngine(
                    StoreLogger.open(config(place, LogConfig.DEFAULT_SEGMENT_LENGTH)),
                    place.checkpointBytesPerSecond());
        }
    };

    private static final int SHORT_SEGMENT = 64 << 10;

    private final StoreLogger store;
    private final long checkpointBytesPerSecond;

    private StoreEngine(StoreLogger store, long checkpointBytesPerSecond) {
        this.store = store;
        this.checkpointBytesPerSecond = checkpointBytesPerSecond;
    }

    /** The same in these storages, in short segments, for tests. */
    static StoreEngine open(Place place, Storage log, Storage checkpoints) {
        return new StoreEngine(
                StoreLogger.open(config(place, SHORT_SEGMENT), log, checkpoints), place.checkpointBytesPerSecond());
    }

    private static StoreConfig config(Place place, int segmentLength) {
        LogConfig log = LogConfig.builder(place.logs())
                .segmentLength(segmentLength)
                .syncInterval(place.mode() == CacheMode.ASYNC ? place.syncInterval() : Duration.ZERO)
                .build();
        StoreConfig.Builder store = StoreConfig.builder(log).checkpointDirectory(place.data());
        if (!place.checkpointsByItself()) {
            store.checkpointPercent(0);
        }
        if (place.checkpointBytesPerSecond() > 0) {
            store.checkpointBytesPerSecond(place.checkpointBytesPerSecond());
        }
        return store.build();
    }

    @Override
    public long set(byte[] key, byte[] value) {
        return store.put(key, value, Durability.BUFFERED);
    }

    @Override
    public void whenSynced(long ticket, Synced synced) {
        var unused = store.reached(ticket, Durability.SYNCED).whenComplete((end, failure) -> synced.done(failure));
    }

    @Override
    public boolean ordersSets() {
        return true;
    }

    @Override
    public boolean get(byte[] key, ValueReader reader) {
        ByteBuffer value = store.getUntilNext(key);
        if (value == null) {
            return false;
        }
        reader.read(value);
        return true;
    }

    @Override
    public void sync() {
        store.sync();
    }

    @Override
    public void checkpoint() {
        if (checkpointBytesPerSecond > 0) {
            store.checkpoint(checkpointBytesPerSecond);
        } else {
            store.checkpoint();
        }
    }

    @Override
    public void hurry() {
        store.close(); // which waits for no rate
    }

    @Override
    public long syncs() {
        return store.logStatistics().syncs();
    }

    @Override
    public void close() {
        store.close();
    }
}
