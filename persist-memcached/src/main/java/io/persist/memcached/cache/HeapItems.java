package io.persist.memcached.cache;

import io.persist.memcached.item.Item;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Items in a map on the heap, which are gone with the process. */
public final class HeapItems implements Items {

    /** Of an item: its objects, and its share of the map's table. */
    private static final int OVERHEAD = 120;

    /**
     * From this length on an array can have whole regions of G1 for itself: its object is longer than half of the
     * smallest region, 1 MiB. Then up to as much as it takes is wasted.
     */
    private static final int LONG_ARRAY = (512 << 10) - 16;

    private static final int STEP = 256;

    private final ConcurrentHashMap<Key, Item> map = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;
    private volatile FlushMark mark = FlushMark.NONE;

    /** Items that take about {@code maxBytes} at most. */
    public HeapItems(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public @Nullable Item get(byte[] key) {
        return map.get(new Key(key));
    }

    @Override
    public void put(byte[] key, Item item) {
        Key place = new Key(key);
        Item before = map.get(place);
        long added = size(key, item) - (before == null ? 0 : size(key, before));
        if (bytes.addAndGet(added) > maxBytes && added > 0) {
            bytes.addAndGet(-added);
            throw new OutOfMemoryException("items take " + bytes + " bytes, and may take " + maxBytes);
        }
        try {
            map.put(place, item);
        } catch (OutOfMemoryError e) {
            bytes.addAndGet(-added);
            throw e;
        }
    }

    @Override
    public void remove(byte[] key) {
        Item before = map.remove(new Key(key));
        if (before != null) {
            bytes.addAndGet(-size(key, before));
        }
    }

    /** They have no order. */
    @Override
    public int removeRun(byte[] first, byte[] last, Predicate<Item> isDead) {
        return 0;
    }

    @Override
    public void removeAll() {
        map.keySet().forEach(key -> remove(key.bytes));
        mark = FlushMark.NONE;
    }

    @Override
    public long position() {
        return NOTHING;
    }

    private static long size(byte[] key, Item item) {
        long length = item.bytes().length;
        return OVERHEAD + key.length + (length < LONG_ARRAY ? length : 2 * length);
    }

    @Override
    public FlushMark flushMark() {
        return mark;
    }

    @Override
    public void putFlushMark(FlushMark newMark) {
        mark = newMark;
    }

    @Override
    public long firstCas() {
        return 0;
    }

    @Override
    public void reserveCas(long last) {}

    @Override
    public boolean isSafe(long position) {
        return true;
    }

    @Override
    public CompletableFuture<?> whenSafe(long position) {
        return CompletableFuture.completedFuture(position);
    }

    @Override
    public boolean hasFailed() {
        return false;
    }

    @Override
    public long count() {
        return map.mappingCount();
    }

    @Override
    public long bytes() {
        return bytes.get();
    }

    @Override
    public Walk walk() {
        return new Steps(map.entrySet().iterator());
    }

    @Override
    public void close() {}

    private record Steps(Iterator<Map.Entry<Key, Item>> all) implements Walk {

        @Override
        public boolean step(BiConsumer<byte[], Item> visitor) {
            for (int i = 0; i < STEP && all.hasNext(); i++) {
                Map.Entry<Key, Item> next = all.next();
                visitor.accept(next.getKey().bytes, next.getValue());
            }
            return all.hasNext();
        }
    }

    /** Bytes that are equal if they have the same content. */
    private static final class Key implements Comparable<Key> {

        private final byte[] bytes;
        private final int hash;

        Key(byte[] bytes) {
            this.bytes = bytes;
            this.hash = Arrays.hashCode(bytes);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        /** Keys whose hashes were made equal on purpose are a tree in the map, not a list. */
        @Override
        public int compareTo(Key other) {
            return Arrays.compare(bytes, other.bytes);
        }
    }
}
