package io.persist.store;

import io.persist.error.LogIOException;
import io.persist.format.LentBytes;
import io.persist.format.MissingPage;
import io.persist.log.Durability;
import io.persist.log.LogSegment;
import io.persist.log.LogWriter;
import io.persist.log.RecoveryReport;
import io.persist.log.Tailer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An open store: what {@code StoreLogger} shows, and what each of its threads has of its own.
 *
 * <p><b>Threads:</b> any.
 */
public final class Store implements AutoCloseable {

    private final StoreCore core;
    private final Checkpoints checkpoints;
    private final StoreRecovery recovery;
    private final Snapshots snapshots;
    private final Upkeep upkeep;
    private final ThreadLocal<StoreThread> threads;
    private final SingleOperations single;
    private final SegmentHolds holds = new SegmentHolds();

    Store(StoreCore core, Checkpoints checkpoints, StoreRecovery recovery, long retryNs) throws IOException {
        this.core = core;
        this.checkpoints = checkpoints;
        this.recovery = recovery;
        this.snapshots = new Snapshots(core);
        this.single = new SingleOperations(core);
        this.threads = ThreadLocal.withInitial(() -> new StoreThread(core, holds.add()));
        this.upkeep = new Upkeep(core, snapshots, checkpoints, recovery, retryNs);
        core.listen(upkeep::committed);
        upkeep.start();
    }

    /** The log, for its positions and for readers: what is appended to it goes through the store. */
    public LogWriter writer() {
        return core.writer();
    }

    /** What opening the store found and did. */
    public StoreRecovery recovery() {
        return recovery;
    }

    /** What opening its log found and did. */
    public RecoveryReport logRecovery() {
        return core.log().recovery();
    }

    /** Begins a transaction of the calling thread. */
    public Transaction begin() {
        core.checkUsable();
        return threads.get().transaction().begin();
    }

    /** Begins a transaction of the calling thread whose commit is refused if what it has read has changed. */
    public OptimisticTransaction beginOptimistic() {
        core.checkUsable();
        return threads.get().transaction().beginOptimistic();
    }

    /** Operations on one key. */
    public SingleOperations single() {
        return single;
    }

    /** The value of {@code key}, null if there is none; lent until the calling thread's next call like this. */
    public @Nullable LentBytes getUntilNext(byte[] key) {
        StoreThread thread = threads.get();
        thread.key().set(key, 0, key.length);
        return thread.get();
    }

    /** The same with a key of {@code length} bytes at {@code offset} of {@code source}. */
    public @Nullable LentBytes getUntilNext(DirectBuffer source, int offset, int length) {
        StoreThread thread = threads.get();
        thread.key().set(source, offset, length);
        return thread.get();
    }

    /** How many keys there are. */
    public long size() {
        try {
            core.rangeRemovals().lockSettled();
            try {
                return core.state().index().size();
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }

    /** This moment's state; to be closed. */
    public StoreSnapshot snapshot() {
        return snapshots.open();
    }

    /** A scan of this moment's state; to be closed. */
    public StoreScan scan(KeyRange range, Direction direction) {
        return snapshots.open().scanAlone(range, direction);
    }

    /** The changes from {@code position} on, which a commit or a snapshot has told; 0 for all; to be closed. */
    public ChangeReader changes(long position) {
        core.checkUsable();
        if (position < 0) {
            throw new IllegalArgumentException("position=" + position + ", min=0");
        }
        if (writer().flushedPosition() < position) {
            core.flush(); // the reader begins in the file, where the position is known only then
        }
        return opened(writer().tailer(), reader -> reader.from(position, LogSegment.list(core.storage())));
    }

    /** The changes from where the reader {@code name} last stored its place; to be closed. */
    public ChangeReader changes(String name) {
        core.checkUsable();
        return opened(writer().tailer(name), reader -> reader.resume(LogSegment.list(core.storage())));
    }

    private interface Begin {
        ChangeReader at(ChangeReader reader) throws IOException;
    }

    /** The segments are looked at only when the tailer holds what it has to read. */
    private ChangeReader opened(Tailer tailer, Begin begin) {
        ChangeReader reader = new ChangeReader(tailer, core.segments());
        boolean opened = false;
        try {
            ChangeReader ready = begin.at(reader);
            opened = true;
            return ready;
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        } finally {
            if (!opened) {
                reader.close();
            }
        }
    }

    /** Makes everything committed FLUSHED. */
    public void flush() {
        core.flush();
    }

    /** Makes everything committed SYNCED. */
    public void sync() {
        core.sync();
    }

    /** The end of the log, as far as it is committed. */
    public long position() {
        try {
            core.lock();
            try {
                return core.appliedEnd();
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }

    /** As {@link LogWriter#await} says; what is in a write buffer is flushed first. */
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        core.flush();
        return writer().await(position, level, timeout);
    }

    /** As {@link LogWriter#reached} says; what is in a write buffer is flushed first. */
    public CompletableFuture<Long> reached(long position, Durability level) {
        core.flush();
        return writer().reached(position, level);
    }

    /** Writes a checkpoint now, as fast as the device allows; returns its bytes. */
    public long checkpoint() {
        return upkeep.checkpoint();
    }

    /** Compacts now, until little is left to gain or {@code budgetBytes} were copied; returns bytes given back. */
    public long compact(long budgetBytes) {
        return upkeep.compact(budgetBytes);
    }

    /** The store's numbers at this moment, also if its log has failed. */
    public StoreStatistics statistics() {
        try {
            core.lockAnyway();
            try {
                core.checkOpen();
                return upkeep.statistics();
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }

    /**
     * Makes everything committed SYNCED and ends the store; open transactions are rolled back, open scans end.
     *
     * @throws LogIOException if the log has failed, now or earlier; all is closed nevertheless
     */
    @Override
    public void close() {
        MissingPage.settle();
        if (!core.shut()) {
            return;
        }
        upkeep.close();
        try {
            writer().close();
        } finally {
            MissingPage.settle();
            snapshots.closeAll();
            holds.leaveDone();
            core.workspaces().leaveSegments();
            core.segments().close();
            core.state().close();
            checkpoints.close();
        }
    }
}
