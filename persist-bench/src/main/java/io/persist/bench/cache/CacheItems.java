package io.persist.bench.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The keys, which are memtier's, and values by which a reader knows whose they are; and which set of each item was the
 * last that was acknowledged.
 *
 * <p><b>Threads:</b> any.
 */
final class CacheItems {

    /** A value begins with its item and its stamp. */
    static final int MIN_VALUE_SIZE = 16;

    /** Of the heap, for an item whose value is elsewhere. */
    static final long BYTES_EACH = 2 * Long.BYTES;

    private static final int STRIPES = 1024;

    private final int count;
    private final int valueSize;
    private final Object[] stripes = new Object[STRIPES];
    private final long[] tickets;
    private final long[] stamps;

    CacheItems(int count, int valueSize) {
        this.count = count;
        this.valueSize = valueSize;
        this.tickets = new long[count];
        this.stamps = new long[count];
        Arrays.setAll(stripes, i -> new Object());
    }

    int count() {
        return count;
    }

    /** The key of an item, from 0 on. */
    byte[] key(int item) {
        return ("memtier-" + (item + 1)).getBytes(ISO_8859_1);
    }

    /** A value of an item that no other set has. */
    byte[] value(int item, long stamp) {
        byte[] value = new byte[valueSize];
        ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(item).putLong(stamp);
        long noise = stamp;
        while (bytes.hasRemaining()) {
            noise = noise * 6364136223846793005L + 1442695040888963407L;
            bytes.put((byte) (noise >>> 56));
        }
        return value;
    }

    /** The stamp of an item's value. */
    long stamp(int item, ByteBuffer value) {
        ByteBuffer bytes = value.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() != valueSize || bytes.getLong(bytes.position()) != item) {
            throw new IllegalStateException("item " + (item + 1) + " has the value of another one");
        }
        return bytes.getLong(bytes.position() + Long.BYTES);
    }

    /** A set was acknowledged; {@code stamp} is not 0. */
    void acknowledged(int item, long ticket, long stamp) {
        synchronized (stripes[item % STRIPES]) {
            if (stamps[item] == 0 || ticket >= tickets[item]) {
                tickets[item] = ticket;
                stamps[item] = stamp;
            }
        }
    }

    /** How many items had a set that was acknowledged. */
    long acknowledgedItems() {
        return Arrays.stream(stamps).filter(stamp -> stamp != 0).count();
    }

    /**
     * Looks for each acknowledged set in {@code engine}, which was opened anew.
     *
     * @return how many items were lost, or have an older value
     */
    long lost(CacheEngine engine) {
        long lost = 0;
        long[] found = new long[1];
        for (int item = 0; item < count; item++) {
            if (stamps[item] != 0) {
                int looked = item;
                boolean isThere = engine.get(key(item), value -> found[0] = stamp(looked, value));
                if (!isThere || engine.ordersSets() && found[0] != stamps[item]) {
                    lost++;
                }
            }
        }
        return lost;
    }
}
