package io.persist;

import io.persist.codec.ObjectCodec;
import io.persist.detached.DetachedConfig;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.Tailer;
import io.persist.store.ChangeReader;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Store;
import io.persist.store.StoreConfig;
import io.persist.store.StoreOpener;
import io.persist.store.StoreRecovery;
import io.persist.store.StoreScan;
import io.persist.store.StoreSnapshot;
import io.persist.store.StoreStatistics;
import io.persist.store.Transaction;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.ReadBytesMarshallable;
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
 * <p><b>Allocation:</b> none per put, remove, commit, get and step of a scan.
 *
 * <p><b>Errors:</b> after a failed write or sync every call throws the first cause, a
 * {@link io.persist.error.LogIOException}, until the store is opened anew; gets and scans too, since what they would
 * show may not be there then. Only snapshots and scans that are open can be read on, statistics can be looked at, and
 * all can be closed. A {@link io.persist.error.LogFullException}
 * ends nothing: the transaction is still open. A value that is damaged on disk is a
 * {@link io.persist.error.CorruptLogException} for its key only.
 */
public final class StoreLogger implements AutoCloseable {

    private final Store store;
    private final ThreadLocal<ObjectCodec> codecs = ThreadLocal.withInitial(ObjectCodec::new);

    private StoreLogger(Store store) {
        this.store = store;
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
        return store.begin();
    }

    /**
     * The value of {@code key}, from position to limit; null if there is none. A read-only, little-endian view of the
     * log, valid until the calling thread's next get. Detached, or in {@code FILE} mode, the value of a commit that is
     * still on its way to the file is waited for.
     *
     * @throws io.persist.error.CorruptLogException if the value is damaged; others can be read
     */
    public @Nullable ByteBuffer get(byte[] key) {
        return store.get(key);
    }

    /** The value of the key that is {@code length} bytes of {@code key} from {@code offset} on. */
    public @Nullable ByteBuffer get(DirectBuffer key, int offset, int length) {
        return store.get(key, offset, length);
    }

    /**
     * Reads {@code target} from the value of {@code key}.
     *
     * @return false if there is none; then it is as it was
     */
    public boolean getObject(byte[] key, ReadBytesMarshallable target) {
        ByteBuffer value = store.get(key);
        if (value == null) {
            return false;
        }
        codecs.get().decode(value, target);
        return true;
    }

    /** How many keys there are. */
    public long size() {
        return store.size();
    }

    /** Goes through the keys of {@code range} as they are now, whatever is committed meanwhile; to be closed. */
    public StoreScan scan(KeyRange range, Direction direction) {
        return store.scan(range, direction);
    }

    /** The state as it is now, for reading by any one thread; to be closed. */
    public StoreSnapshot snapshot() {
        return store.snapshot();
    }

    /**
     * The changes from {@code position} on, which a commit or a snapshot has told, as far as they are committed and as
     * they come; 0 for all since the store was made. To be closed.
     *
     * @throws io.persist.error.RetiredException if compaction has taken some of them away: read the state by a {@link
     *     #snapshot}, and the changes from {@link StoreSnapshot#position} on
     */
    public ChangeReader changes(long position) {
        return store.changes(position);
    }

    /**
     * The changes from where the reader {@code name} last called {@link ChangeReader#store}; a new one begins at the
     * oldest position from which all are there. To be closed. From now on compaction leaves what it has not read.
     */
    public ChangeReader changes(String name) {
        return store.changes(name);
    }

    /** Makes everything committed FLUSHED. A flush does not imply a sync. */
    public void flush() {
        store.flush();
    }

    /** Makes everything committed SYNCED. */
    public void sync() {
        store.sync();
    }

    /** The end of the log, as far as it is committed. */
    public long position() {
        return store.position();
    }

    /** The end of what survives the process. */
    public long flushedPosition() {
        return store.writer().flushedPosition();
    }

    /** The end of what survives a power cut. */
    public long syncedPosition() {
        return store.writer().syncedPosition();
    }

    /**
     * Waits until everything before {@code position} is safe at {@code level}.
     *
     * @return false if the time ran out first
     */
    public boolean await(long position, Durability level, long timeout, TimeUnit unit) {
        return store.await(position, level, timeout, unit);
    }

    /**
     * A future that is completed with the end of what has {@code level} once everything before {@code position} has; a
     * sync is begun if need be. The thread that syncs completes it and must not be held up.
     *
     * @param level FLUSHED or SYNCED
     */
    public CompletableFuture<Long> reached(long position, Durability level) {
        return store.reached(position, level);
    }

    /** Has {@code listener} told each time more of the log has {@code level}, until the result is closed. */
    public Registration listen(Durability level, PositionListener listener) {
        return store.writer().listen(level, listener);
    }

    /** A reader of the log's records, which are transactions as the file format has them; to be closed. */
    public Tailer tailer() {
        return store.writer().tailer();
    }

    /**
     * Writes a checkpoint now, as fast as the device allows.
     *
     * @return its length, bytes
     * @throws io.persist.error.LogIOException if it cannot be written; the older ones stay, and so does the store
     */
    public long checkpoint() {
        return store.checkpoint();
    }

    /**
     * Compacts now, as fast as the device allows, until little is left to gain. It writes checkpoints first, since only
     * what lies below two of them can be touched.
     *
     * @param budgetBytes about the most that is copied
     * @return bytes given back
     * @throws io.persist.error.LogFullException if there is no space for what has to be moved
     * @throws io.persist.error.LogIOException if a checkpoint or a segment cannot be written; the store goes on
     */
    public long compact(long budgetBytes) {
        return store.compact(budgetBytes);
    }

    /** What opening the store found and did. */
    public StoreRecovery recovery() {
        return store.recovery();
    }

    /** What opening the store's log found and did, before that. */
    public RecoveryReport logRecovery() {
        return store.logRecovery();
    }

    /** The store's numbers at this moment. */
    public StoreStatistics statistics() {
        return store.statistics();
    }

    /**
     * Makes everything committed SYNCED and closes the store. Open transactions are rolled back; open scans and
     * snapshots end, and what was read from them may not be touched any more.
     *
     * @throws io.persist.error.LogIOException if the log has failed, now or earlier; all is closed nevertheless
     */
    @Override
    public void close() {
        store.close();
    }
}
