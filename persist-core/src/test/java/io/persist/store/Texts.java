package io.persist.store;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Stores whose keys and values are texts, for tests. */
public final class Texts {

    public static final int SEGMENT_LENGTH = 4096;

    private Texts() {}

    public static StoreConfig config() {
        return StoreConfig.builder(LogConfig.builder(Path.of("store"))
                        .segmentLength(SEGMENT_LENGTH)
                        .build())
                .maxSpaceRatio(0)
                .build();
    }

    public static StoreLogger open(CrashableStorage storage) {
        return StoreLogger.open(config(), storage, storage);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static @Nullable String text(@Nullable ByteBuffer bytes) {
        return bytes == null
                ? null
                : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    public static @Nullable String get(StoreLogger store, String key) {
        return text(store.get(bytes(key)));
    }

    public static long put(StoreLogger store, String key, String value) {
        Transaction transaction = store.begin();
        transaction.put(bytes(key), bytes(value));
        return transaction.commit();
    }

    /** The keys that are left of a scan, one right after the other. */
    public static String keys(StoreScan scan) {
        StringBuilder keys = new StringBuilder();
        while (scan.next()) {
            keys.append(text(scan.key()));
        }
        return keys.toString();
    }

    /** All keys with their values, as a scan has them. */
    public static TreeMap<String, String> state(StoreLogger store) {
        TreeMap<String, String> state = new TreeMap<>();
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                state.put(String.valueOf(text(scan.key())), String.valueOf(text(scan.value())));
            }
        }
        return state;
    }

    /** Puts the keys {@code key-0} to {@code key-(keys - 1)} in turn, {@code puts} times in all. */
    public static void fill(StoreLogger store, int keys, int puts) {
        for (int i = 0; i < puts; i++) {
            put(store, "key-" + i % keys, "a value that takes some space: " + i);
        }
    }
}
