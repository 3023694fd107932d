package io.persist;

import io.persist.codec.Decoder;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.memory.LentBytes;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreConfig;
import io.persist.store.StoreEntry;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The state of a process: keys and values, which transactions change. A transaction survives what its commit waited
 * for.
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
 * <p>Keys are 1 to 1024 bytes, ordered as unsigned bytes. A key and its value have to fit a record of the log. The
 * index is in memory off the heap; the values stay in the log and are read there. Checkpoints of the index make
 * recovery short. Compaction keeps the log in proportion to its live bytes. A background thread does both.
 *
 * <p><b>Threads:</b> any thread may call every method, also attached. A transaction belongs to the thread that began
 * it. Commits are applied one after the other.
 *
 * <p><b>Durability:</b> a commit waits for the level that the configuration or the call names; see {@link Durability}.
 * Threads that wait for SYNCED at the same time share syncs.
 *
 * <p><b>Allocation:</b> none per put, remove, commit and step of a scan. A read allocates the copy that it returns; the
 * methods whose names end in {@code UntilNext} allocate nothing.
 *
 * <p><b>Errors:</b> after a failed write or sync every call throws the first failure again, a {@link
 * io.persist.error.LogIOException}, until the store is opened anew. Gets and scans throw it too, because the store that
 * is opened anew may not have what they would show. Only snapshots and scans that are open can be read on, statistics
 * can be read, and everything can be closed. After a {@link io.persist.error.LogFullException} the store goes on, and
 * the transaction is still open. Detached, it may have been accepted: a get of what waits in the queue for space, and a
 * new scan or snapshot, throw the same until there is some. A value that is damaged on disk is a {@link
 * io.persist.error.CorruptLogException} for its key only. A key that is not of 1 to 1024 bytes is an {@link
 * IllegalArgumentException}. After {@link #close} every call is an {@link IllegalStateException}.
 */
public final class StoreLogger extends StoreOperations implements StoreReads {

    private StoreLogger(StoreEngine engine) {
        super(engine);
    }

    /**
     * Opens the store in the configured directories attached, and recovers it after a crash. It makes the directories
     * and the store if they do not exist. The caller has to close the store.
     *
     * @throws io.persist.error.LogLockedException if the store has another writer, in this or another process, for
     *     longer than {@link io.persist.log.LogConfig#lockTimeout}; or if the wait for it was interrupted
     * @throws io.persist.error.CorruptLogException if acknowledged changes are damaged; acknowledged changes and
     *     checkpoints are as they were. If the damage is in a checkpoint or in an older segment of the log, the end of
     *     the log was recovered before it was found
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote the log, or it is not one of a
     *     store; nothing was changed
     * @throws io.persist.error.IndexFullException if the index does not fit into the direct memory
     * @throws io.persist.error.LogIOException if the operating system refuses something, or the disk is full
     */
    public static StoreLogger open(StoreConfig config) {
        return new StoreLogger(new StoreOpener(config, null).open());
    }

    /** Opens the store in these storages in place of the configured directories, for tests. */
    public static StoreLogger open(StoreConfig config, Storage log, Storage checkpoints) {
        return new StoreLogger(new StoreOpener(config, null).open(log, checkpoints));
    }

    /** Opens the store detached: a writer thread writes the log. Else as {@link #open(StoreConfig)}. */
    public static StoreLogger open(StoreConfig config, DetachedConfig detached) {
        return new StoreLogger(new StoreOpener(config, Objects.requireNonNull(detached, "detached")).open());
    }

    /** Opens the store detached in these storages, for tests. */
    public static StoreLogger open(StoreConfig config, DetachedConfig detached, Storage log, Storage checkpoints) {
        return new StoreLogger(
                new StoreOpener(config, Objects.requireNonNull(detached, "detached")).open(log, checkpoints));
    }

    /**
     * Begins a transaction of the calling thread.
     *
     * @throws IllegalStateException if the thread has one open, or the store is closed
     * @throws io.persist.error.LogIOException if the log has failed
     */
    public Transaction begin() {
        core.checkUsable();
        return engine.thread().begin();
    }

    /**
     * Begins a transaction of the calling thread that is committed only if nothing that it has read was changed since.
     *
     * @throws IllegalStateException if the thread has a transaction of any kind open, or the store is closed
     * @throws io.persist.error.LogIOException if the log has failed
     */
    public OptimisticTransaction beginOptimistic() {
        core.checkUsable();
        return engine.thread().beginOptimistic();
    }

    /** Rolls back the transaction of either kind that the calling thread has open, for code that has lost it. */
    public void rollback() {
        engine.thread().rollback();
    }

    @Override
    public boolean contains(byte[] key) {
        return single.contains(key);
    }

    @Override
    public @Nullable StoreEntry neighbour(byte[] key, Neighbour which) {
        return single.neighbour(key, which);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Detached, or in {@code FILE} mode, this waits for a value that is still on its way to the file.
     *
     * @throws io.persist.error.LogIOException if the log has failed
     */
    @Override
    public @Nullable ByteBuffer get(byte[] key) {
        return single.get(key);
    }

    @Override
    public @Nullable ByteBuffer get(DirectBuffer key, int offset, int length) {
        return single.get(key, offset, length);
    }

    @Override
    public byte @Nullable [] getBytes(byte[] key) {
        return single.getBytes(key);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Each thread has one buffer, which has the value until the thread's next {@code getUntilNext}, or read in a
     * transaction. A thread that calls this keeps some memory in the store as long as it lives; {@code get} keeps none.
     */
    @Override
    public @Nullable ByteBuffer getUntilNext(byte[] key) {
        return LentBytes.viewOf(engine.thread().get(key));
    }

    @Override
    public @Nullable ByteBuffer getUntilNext(DirectBuffer key, int offset, int length) {
        return LentBytes.viewOf(engine.thread().get(key, offset, length));
    }

    /**
     * {@inheritDoc}
     *
     * <p>No copy is made for the decoder, which may use the store: the buffer is empty once the decoder has returned.
     */
    @Override
    public <T> @Nullable T get(byte[] key, Decoder<T> decoder) {
        return single.decode(key, decoder);
    }

    /**
     * The number of keys now. The store knows it, unless a large transaction or a removed range is not all in the index
     * yet: then this call counts their keys, without the lock, and may throw what {@link #snapshot} does.
     */
    public long size() {
        return engine.lookups().size();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Throws what {@link #snapshot} does, too.
     */
    @Override
    public StoreScan scan(KeyRange range, Direction direction) {
        return engine.snapshots().scan(range, direction);
    }

    /**
     * Opens a snapshot of the store as it is now, for one thread at a time. The caller has to close it.
     *
     * @throws io.persist.error.IndexFullException if others are open, and the index has no memory left for what was
     *     committed since
     */
    public StoreSnapshot snapshot() {
        return engine.snapshots().open();
    }
}
