package io.persist.memcached.cache;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.memcached.item.Item;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Items in a store. What the cache keeps besides has keys that begin with a zero, which no client's key does.
 *
 * <p><b>Durability:</b> each change is committed BUFFERED, so no event loop waits for the device. In a killed process
 * nothing is lost by that, as the log is mapped. If changes have to be synced, they are safe when their position is.
 * Only a reservation of cas numbers is SYNCED.
 */
public final class StoredItems implements Items {

    private static final byte[] FORMAT = "\0format".getBytes(US_ASCII);
    private static final byte[] FORMAT_NAME = "memcached 1".getBytes(US_ASCII);
    private static final byte[] CAS = "\0cas".getBytes(US_ASCII);
    private static final byte[] FLUSH = "\0flush".getBytes(US_ASCII);
    private static final int OWN_KEYS = 3;
    private static final KeyRange ALL_ITEMS = KeyRange.from(new byte[] {1});
    private static final int STEP = 256;
    private static final long STEP_BYTES = 1 << 20;

    private final StoreLogger store;
    private final boolean mustBeSynced;

    private StoredItems(StoreLogger store, Safety safety) {
        this.store = store;
        this.mustBeSynced = safety == Safety.SYNCED;
    }

    /** What a change waits for before it is acknowledged. */
    public enum Safety {
        /** For nothing: a sync follows at the configured interval. */
        LATER,
        SYNCED
    }

    /**
     * Opens the store, and makes one if there is none.
     *
     * @throws io.persist.error.PersistException if it cannot be opened
     * @throws IllegalStateException if it is a store of another program; nothing was changed
     */
    public static StoredItems open(StoreConfig config, Safety safety) {
        return checked(StoreLogger.open(config), config, safety);
    }

    /** Opens the store in these storages in place of the configured directory, for tests. */
    public static StoredItems open(StoreConfig config, Safety safety, Storage log, Storage checkpoints) {
        return checked(StoreLogger.open(config, log, checkpoints), config, safety);
    }

    private static StoredItems checked(StoreLogger store, StoreConfig config, Safety safety) {
        try {
            checkFormat(store, config);
            return new StoredItems(store, safety);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static void checkFormat(StoreLogger store, StoreConfig config) {
        byte[] format = store.getBytes(FORMAT);
        if (format == null && store.size() == 0) {
            store.put(CAS, number(0), Durability.BUFFERED);
            store.put(FLUSH, mark(FlushMark.NONE), Durability.BUFFERED);
            store.put(FORMAT, FORMAT_NAME, Durability.SYNCED);
        } else if (format == null && isBeginning(store)) {
            store.put(FORMAT, FORMAT_NAME, Durability.SYNCED);
        } else if (!Arrays.equals(format, FORMAT_NAME)) {
            throw new IllegalStateException("the store is of another program, or of a newer version: directory="
                    + config.log().directory() + "; name another directory");
        }
    }

    /** Whether the process ended while it made the store. */
    private static boolean isBeginning(StoreLogger store) {
        return store.contains(CAS) && store.size() == (store.contains(FLUSH) ? 2 : 1);
    }

    /** For statistics. */
    public StoreLogger store() {
        return store;
    }

    @Override
    public @Nullable Item get(byte[] key) {
        byte[] bytes = store.getBytes(key);
        return bytes == null ? null : Item.of(bytes);
    }

    @Override
    public void put(byte[] key, Item item) {
        store.put(key, item.bytes(), Durability.BUFFERED);
    }

    @Override
    public void remove(byte[] key) {
        store.remove(key, Durability.BUFFERED);
    }

    @Override
    public int removeRun(byte[] first, byte[] last, Predicate<Item> isDead) {
        KeyRange run = KeyRange.closed(first, last);
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            int dead = dead(transaction, run, isDead);
            transaction.removeRange(run);
            return dead > 0 && transaction.tryCommit(Durability.BUFFERED) ? dead : 0;
        }
    }

    /** How many items there are; 0 if one is not dead, or cannot be read. */
    private static int dead(OptimisticTransaction transaction, KeyRange run, Predicate<Item> isDead) {
        int dead = 0;
        try (StoreScan scan = transaction.scan(run, Direction.FORWARD)) {
            while (scan.next()) {
                if (!isDead.test(Item.of(scan.valueBytes()))) {
                    return 0;
                }
                dead++;
            }
        } catch (CorruptLogException | LogIOException e) {
            return 0;
        }
        return dead;
    }

    @Override
    public void removeAll() {
        try (Transaction transaction = store.begin()) {
            transaction.remove(FLUSH);
            transaction.removeRange(ALL_ITEMS);
            transaction.commit(Durability.BUFFERED);
        }
    }

    @Override
    public long position() {
        return store.position();
    }

    @Override
    public FlushMark flushMark() {
        byte[] bytes = store.getBytes(FLUSH);
        if (bytes == null) {
            return FlushMark.NONE;
        }
        ByteBuffer mark = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new FlushMark(mark.getLong(), mark.getLong());
    }

    @Override
    public void putFlushMark(FlushMark newMark) {
        store.put(FLUSH, mark(newMark), Durability.BUFFERED);
    }

    private static byte[] mark(FlushMark mark) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(mark.cas())
                .putLong(mark.atSecond())
                .array();
    }

    @Override
    public long firstCas() {
        byte[] bytes = store.getBytes(CAS);
        return bytes == null
                ? 0
                : ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    @Override
    public void reserveCas(long last) {
        store.put(CAS, number(last), Durability.SYNCED);
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    @Override
    public boolean isSafe(long position) {
        return !mustBeSynced || position <= store.syncedPosition();
    }

    @Override
    public CompletableFuture<?> whenSafe(long position) {
        return mustBeSynced ? store.reached(position, Durability.SYNCED) : CompletableFuture.completedFuture(position);
    }

    @Override
    public boolean hasFailed() {
        return store.hasFailed();
    }

    @Override
    public long count() {
        return Math.max(0, store.size() - (store.contains(FLUSH) ? OWN_KEYS : OWN_KEYS - 1));
    }

    @Override
    public long bytes() {
        return store.statistics().liveBytes();
    }

    @Override
    public Walk walk() {
        return new Steps();
    }

    @Override
    public void close() {
        store.close();
    }

    /** Each step has a scan of its own, because an open one keeps memory and segments. */
    private final class Steps implements Walk {

        private KeyRange rest = ALL_ITEMS;

        @Override
        public boolean step(BiConsumer<byte[], Item> visitor) {
            long bytes = 0;
            try (StoreScan scan = store.scan(rest, Direction.FORWARD)) {
                for (int i = 0; i < STEP && bytes < STEP_BYTES; i++) {
                    if (!scan.next()) {
                        return false;
                    }
                    byte[] key = scan.keyBytes();
                    rest = KeyRange.after(key);
                    bytes += show(scan, key, visitor);
                }
            }
            return true;
        }

        private int show(StoreScan scan, byte[] key, BiConsumer<byte[], Item> visitor) {
            byte[] value;
            try {
                value = scan.valueBytes();
            } catch (CorruptLogException | LogIOException e) {
                return 0; // a get of this key says so; the other items are walked past all the same
            }
            visitor.accept(key, Item.of(value));
            return value.length;
        }
    }
}
