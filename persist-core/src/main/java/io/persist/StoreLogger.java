package io.persist;

import io.persist.codec.Decoder;
import io.persist.detached.DetachedConfig;
import io.persist.file.Storage;
import io.persist.format.LentBytes;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.OrderedReads;
import io.persist.store.StoreConfig;
import io.persist.store.StoreEntry;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.SingleOperations;
import io.persist.store.transaction.StoreThread;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The state of a process: byte keys with values, changed by transactions that survive what their commit waited for.
 *
 * <pre>{@code
 * StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of("state")).build()).build();
 * try (StoreLogger store = StoreLogger.open(config)) {
 *     Transaction transaction = store.begin();
 *     transaction.put(key, value);
 *     transaction.commit(Durability.SYNCED);
 *     ByteBuffer read = store.get(key);
 * }
 * }</pre>
 *
 * <p>Keys are 1 to 1024 bytes, ordered as unsigned bytes; values are bounded by what a record of the log can hold. The
 * index is in memory off the heap, the values stay in the log and are read where they lie. Checkpoints of the index
 * make recovery short, compaction keeps the log in proportion to what lives; a thread in the background does both.
 *
 * <p><b>Threads:</b> any, for everything, attached too; a transaction belongs to the thread that began it. Commits are
 * applied one after the other.
 *
 * <p><b>Durability:</b> of the level that the configuration, or a single commit, asks for; see {@link Durability}.
 * Threads that wait for SYNCED at the same time share syncs.
 *
 * <p><b>Allocation:</b> none per put, remove, commit and step of a scan; of what is read the copy, but none by the
 * methods whose names end in {@code UntilNext}.
 *
 * <p><b>Errors:</b> after a failed write or sync every call throws the first cause, a
 * {@link io.persist.error.LogIOException}, until the store is opened anew; gets and scans too, since what they would
 * show may not be there then. Only snapshots and scans that are open can be read on, statistics can be looked at, and
 * all can be closed. A {@link io.persist.error.LogFullException}
 * ends nothing: the transaction is still open. A value that is damaged on disk is a
 * {@link io.persist.error.CorruptLogException} for its key only.
 */
public final class StoreLogger extends StoreJournal implements OrderedReads {

    private final SingleOperations single;

    private StoreLogger(StoreEngine engine) {
        super(engine);
        this.single = engine.single();
    }

    /**
     * Opens the store in the configured directories, after recovering it from whatever stop; makes them if they do not
     * exist.
     *
     * @throws io.persist.error.LogLockedException if there is another writer
     * @throws io.persist.error.CorruptLogException if acknowledged changes are damaged; if that shows only in the
     *     checkpoints or in the log's older segments, the log was recovered by then, as its report would have said;
     *     acknowledged changes and checkpoints are as they were
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it, or it is no store; nothing was
     *     changed
     * @throws io.persist.error.IndexFullException if the index does not fit the memory
     * @throws io.persist.error.LogIOException if the operating system refuses something
     */
    public static StoreLogger open(StoreConfig config) {
        return new StoreLogger(new StoreOpener(config, null).open());
    }

    /** The same on storages of the caller's, for tests. */
    public static StoreLogger open(StoreConfig config, Storage log, Storage checkpoints) {
        return new StoreLogger(new StoreOpener(config, null).open(log, checkpoints));
    }

    /** Opens the store detached, as {@link #open(StoreConfig)} does: a writer thread writes the log. */
    public static StoreLogger open(StoreConfig config, DetachedConfig detached) {
        return new StoreLogger(new StoreOpener(config, detached).open());
    }

    /** The same on storages of the caller's, for tests. */
    public static StoreLogger open(StoreConfig config, DetachedConfig detached, Storage log, Storage checkpoints) {
        return new StoreLogger(new StoreOpener(config, detached).open(log, checkpoints));
    }

    /**
     * Begins a transaction of the calling thread.
     *
     * @throws IllegalStateException if it has one open
     */
    public Transaction begin() {
        core.checkUsable();
        return engine.thread().begin();
    }

    /**
     * Begins a transaction of the calling thread that is committed only if nothing that it has read was changed since.
     *
     * @throws IllegalStateException if it has one open, of whichever kind
     */
    public OptimisticTransaction beginOptimistic() {
        core.checkUsable();
        return engine.thread().beginOptimistic();
    }

    /** Puts with the configured durability, as {@link #put(byte[], byte[], Durability)} does. */
    public long put(byte[] key, byte[] value) {
        return put(key, value, single.durability());
    }

    /**
     * The key has this value from now on: a transaction of its own, which has nothing to do with one that the thread
     * may have open. Waits for {@code level}, and fails, as {@link Transaction#commit(Durability)} does.
     *
     * @return the position right after it in the log
     * @throws IllegalArgumentException if the key is not of 1 to 1024 bytes, or key and value are longer than a record
     *     of the log can be
     */
    public long put(byte[] key, byte[] value, Durability level) {
        return single.put(key, value, level);
    }

    /** Removes with the configured durability, as {@link #remove(byte[], Durability)} does. */
    public boolean remove(byte[] key) {
        return remove(key, single.durability());
    }

    /**
     * The key is gone from now on: a transaction of its own, as {@link #put(byte[], byte[], Durability)}.
     *
     * @return whether it was there; if not, nothing is written, and nothing waited for
     */
    public boolean remove(byte[] key, Durability level) {
        return single.remove(key, level);
    }

    /** Removes with the configured durability, as {@link #removeRange(KeyRange, Durability)} does. */
    public boolean removeRange(KeyRange range) {
        return removeRange(range, single.durability());
    }

    /**
     * All keys of {@code range} are gone from now on, at once and for everybody, and after any crash all or none of
     * them: one short record, however many they are. The index is cleared of them before this returns, in small steps
     * between which others go on; who scans, takes a snapshot, or asks for {@link #size} meanwhile waits for that.
     * Readers of changes are told of the range, and not of each key.
     *
     * @return whether there was any; if not, nothing is written, and nothing waited for
     */
    public boolean removeRange(KeyRange range, Durability level) {
        return single.removeRange(range, level);
    }

    /** Compares and sets with the configured durability, as the other one does. */
    public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
        return compareAndSet(key, expected, value, single.durability());
    }

    /**
     * Gives {@code key} the value {@code value} if it has the value {@code expected}, at one moment, so that of several
     * threads that expect the same one succeeds. Null stands for no value: of {@code expected} that the key must not be
     * there, of {@code value} that it is removed. It reads the present value and compares all bytes of it, outside of
     * the store's lock; so it costs a get, and a commit if it succeeds. After a change by others in between it begins
     * anew.
     *
     * @return whether it was so; if not, nothing is written, and nothing waited for
     * @throws io.persist.error.CorruptLogException if the present value is damaged
     */
    public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value, Durability level) {
        return single.compareAndSet(key, expected, value, level);
    }

    /** Whether there is {@code key}. Its value is not looked at, so it may be damaged. */
    public boolean contains(byte[] key) {
        return single.contains(key);
    }

    @Override
    public @Nullable StoreEntry neighbour(byte[] key, Neighbour which) {
        return single.neighbour(key, which);
    }

    /**
     * The value of {@code key} in a buffer of its own, from position to limit; null if there is none. Read-only and
     * little-endian; it stays what it is, also after {@link #close}. Detached, or in {@code FILE} mode, the value of a
     * commit that is still on its way to the file is waited for.
     *
     * @throws io.persist.error.CorruptLogException if the value is damaged; others can be read
     */
    public @Nullable ByteBuffer get(byte[] key) {
        return single.get(key);
    }

    /** The value of the key that is {@code length} bytes of {@code key} from {@code offset} on. */
    public @Nullable ByteBuffer get(DirectBuffer key, int offset, int length) {
        return single.get(key, offset, length);
    }

    /** The value of {@code key} in an array of its own, as {@link #get(byte[])} has it; null if there is none. */
    public byte @Nullable [] getBytes(byte[] key) {
        return single.getBytes(key);
    }

    /**
     * As {@link #get(byte[])}, without allocation: one buffer of the calling thread, which has the value only until the
     * thread's next {@code getUntilNext}, or get in a transaction. Then it is empty, or has another value. A thread
     * that calls this has some memory of its own in the store while it lives; those that call {@code get} have none.
     */
    public @Nullable ByteBuffer getUntilNext(byte[] key) {
        StoreThread thread = engine.thread();
        thread.key().set(key, 0, key.length);
        LentBytes value = thread.get();
        return value == null ? null : value.view();
    }

    /** The same with a key that is {@code length} bytes of {@code key} from {@code offset} on. */
    public @Nullable ByteBuffer getUntilNext(DirectBuffer key, int offset, int length) {
        StoreThread thread = engine.thread();
        thread.key().set(key, offset, length);
        LentBytes value = thread.get();
        return value == null ? null : value.view();
    }

    /**
     * What {@code decoder} makes of the value of {@code key}; null if there is none. It may use the store itself; what
     * it is given is empty once it has returned.
     *
     * @throws java.io.UncheckedIOException if the decoder cannot read the value
     */
    public <T> @Nullable T get(byte[] key, Decoder<T> decoder) {
        return single.decode(key, decoder);
    }

    /** How many keys there are. */
    public long size() {
        return engine.lookups().size();
    }

    /** Goes through the keys of {@code range} as they are now, whatever is committed meanwhile; to be closed. */
    public StoreScan scan(KeyRange range, Direction direction) {
        return engine.snapshots().scan(range, direction);
    }

    /** The state as it is now, for reading by any one thread; to be closed. */
    public StoreSnapshot snapshot() {
        return engine.snapshots().open();
    }
}
