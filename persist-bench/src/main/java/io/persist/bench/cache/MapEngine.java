package io.persist.bench.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A map on the heap: nothing is logged, and nothing is there after the process. */
final class MapEngine implements CacheEngine {

    /** Of the heap, for an item besides its value: its key, both headers, the entry and its places in the table. */
    static final long OVERHEAD = 144;

    private final Map<String, byte[]> items = new ConcurrentHashMap<>();

    @Override
    public long set(byte[] key, byte[] value) {
        items.put(new String(key, ISO_8859_1), value);
        return 0;
    }

    @Override
    public void whenSynced(long ticket, Synced synced) {
        throw new UnsupportedOperationException("nothing is logged");
    }

    @Override
    public boolean ordersSets() {
        return false;
    }

    @Override
    public boolean get(byte[] key, ValueReader reader) {
        byte[] value = items.get(new String(key, ISO_8859_1));
        if (value == null) {
            return false;
        }
        reader.read(ByteBuffer.wrap(value));
        return true;
    }

    @Override
    public void sync() {}

    @Override
    public void checkpoint() {}

    @Override
    public long syncs() {
        return 0;
    }

    @Override
    public void close() {}
}
