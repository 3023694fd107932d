package io.persist.tool;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A store in memory, which does nothing by itself. */
public final class ToolStore {

    public static final StoreConfig CONFIG = StoreConfig.builder(LogConfig.builder(Path.of("memory"))
                    .segmentLength(ToolLog.SEGMENT_LENGTH)
                    .build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();

    private ToolStore() {}

    public static StoreLogger open(Storage storage) {
        return StoreLogger.open(CONFIG, storage, storage);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static void put(StoreLogger store, String key, String value) {
        Transaction transaction = store.begin();
        transaction.put(bytes(key), bytes(value));
        transaction.commit();
    }

    /** Puts {@code count} values of 1000 bytes, all of the same key. */
    public static void overwrite(StoreLogger store, int count) {
        for (int i = 0; i < count; i++) {
            put(store, "changing", "v".repeat(1000));
        }
    }

    /**
     * Makes a closed store of two keys, whose first segment is full of a value that lives, and whose next ones held
     * records 2 to 40 and were vacated, but for the last.
     */
    public static void compacted(Storage storage) {
        try (StoreLogger store = open(storage)) {
            put(store, "big", "b".repeat(3900));
            overwrite(store, 40);
            store.compact(Long.MAX_VALUE);
        }
    }
}
