package io.persist.store;

import io.persist.StoreLogger;
import io.persist.store.read.StoreScan;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;

/** Compares what a store shows with a sorted map. */
public final class StoreContent {

    private StoreContent() {}

    /** In what the store's keys and values are not those of {@code expected}; null if they are the same. */
    public static String difference(StoreLogger store, NavigableMap<byte[], byte[]> expected) {
        if (store.size() != expected.size()) {
            return "size " + store.size() + " instead of " + expected.size();
        }
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            return difference(scan, expected);
        }
    }

    /** The same of a scan that goes the way in which {@code expected} is sorted. */
    public static String difference(StoreScan scan, NavigableMap<byte[], byte[]> expected) {
        Iterator<Map.Entry<byte[], byte[]>> entries = expected.entrySet().iterator();
        while (scan.next()) {
            byte[] key = bytes(scan.key());
            if (!entries.hasNext()) {
                return "key " + text(key) + " behind the last one";
            }
            Map.Entry<byte[], byte[]> entry = entries.next();
            if (!Arrays.equals(key, entry.getKey())) {
                return "key " + text(key) + " instead of " + text(entry.getKey());
            }
            byte[] value = bytes(scan.value());
            if (!Arrays.equals(value, entry.getValue())) {
                return "key " + text(key) + " has " + text(value) + " instead of " + text(entry.getValue());
            }
        }
        return entries.hasNext() ? "no key " + text(entries.next().getKey()) : null;
    }

    public static byte[] bytes(ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    static String text(byte[] bytes) {
        String start = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 24));
        return bytes.length + ":" + start;
    }
}
