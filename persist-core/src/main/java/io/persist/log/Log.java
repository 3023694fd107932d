package io.persist.log;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.DirectoryStorage;
import io.persist.file.Storage;
import io.persist.file.WriterLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A log that is open for writing: segments as one stream of records.
 *
 * <p>Assumptions: one thread at a time appends, claims, commits, flushes, syncs, retires and closes. Guarantees: the
 * positions, {@link #await} and {@link #statistics} may be used by any thread meanwhile, and each {@link #tailer} by a
 * thread of its own. An interrupt of any of them harms nothing.
 */
public final class Log implements AutoCloseable {

    private static final long AWAIT_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final Storage storage;
    private final LogConfig config;
    private final WriterLock lock;
    private final ControlFile control;
    private final LogPositions positions;
    private final Syncer syncer;
    private final SegmentFiller filler;
    private final Appender appender;
    private final RecoveryReport recovery;
    private final Set<Tailer> tailers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private Log(LogOpener.Parts parts) {
        this.storage = parts.storage();
        this.config = parts.config();
        this.lock = parts.lock();
        this.control = parts.control();
        this.positions = parts.positions();
        this.syncer = parts.syncer();
        this.filler = parts.filler();
        this.appender = parts.appender();
        this.recovery = parts.recovery();
    }

    /**
     * Opens the log in the configured directory, after recovering it from whatever stop; makes both if they do not
     * exist.
     *
     * @throws io.persist.error.LogLockedException if there is another writer
     * @throws io.persist.error.CorruptLogException if acknowledged records are damaged; nothing was changed
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote the log; nothing was changed
     * @throws LogIOException if the operating system refuses something
     */
    public static Log open(LogConfig config) {
        try {
            return open(config, DirectoryStorage.create(config.directory()));
        } catch (IOException e) {
            throw new LogIOException("cannot open the log: " + e.getMessage(), e);
        }
    }

    /** The same on a storage of the caller's. */
    public static Log open(LogConfig config, Storage storage) {
        return new Log(new LogOpener(config, storage).open());
    }

    /** Appends a record; returns the position right after it. */
    public long append(byte[] source, int offset, int length) {
        return appender.append(source, offset, length);
    }

    /** Appends what remains of {@code source}, whose position stays as it is; returns the position right after it. */
    public long append(ByteBuffer source) {
        return appender.append(source);
    }

    /** Space for a record of {@code length} bytes, to be filled in place. */
    public Claim claim(int length) {
        return appender.claim(length);
    }

    /** Ends a commit and waits for what {@code level} says; returns the position up to which the log is committed. */
    public long commit(Durability level) {
        return appender.commit(level);
    }

    /** Hands everything appended to the operating system. */
    public void flush() {
        appender.flush();
    }

    /** Returns when everything appended is on the device. */
    public void sync() {
        appender.sync();
    }

    /** The end of the log: where the last record ends. */
    public long position() {
        return positions.published();
    }

    /** The end of what is committed. */
    public long committedPosition() {
        return positions.committed();
    }

    /** The end of what survives the process. */
    public long flushedPosition() {
        return positions.flushed();
    }

    /** The end of what survives a power cut. */
    public long syncedPosition() {
        return positions.synced();
    }

    /** The number of the last record, 0 if there is none. */
    public long lastSequence() {
        return appender.lastSequence();
    }

    /** Where the last record begins, 0 if there is none. */
    public long lastPosition() {
        return appender.lastPosition();
    }

    /**
     * Waits until everything before {@code position} is safe at {@code level}. Threads that wait for SYNCED sync what
     * is flushed themselves, and share one sync; what is in a write buffer is only flushed by the appending thread.
     *
     * @return false if the time ran out first
     */
    public boolean await(long position, Durability level, long timeout, TimeUnit unit) {
        long deadlineNs = System.nanoTime() + unit.toNanos(timeout);
        while (true) {
            checkOpen();
            positions.check();
            if (level == Durability.SYNCED && positions.flushed() >= position) {
                syncer.syncTo(position);
            }
            if (reached(level) >= position) {
                return true;
            }
            if (System.nanoTime() - deadlineNs >= 0) {
                return false;
            }
            LockSupport.parkNanos(AWAIT_PAUSE_NS);
        }
    }

    private long reached(Durability level) {
        return switch (level) {
            case BUFFERED -> positions.published();
            case FLUSHED -> positions.flushed();
            case SYNCED -> positions.synced();
        };
    }

    /** A new tailer at the start of the log. Retention leaves alone what it still has to read. */
    public Tailer tailer() {
        checkOpen();
        try {
            Tailer tailer = new Tailer(storage, config, tailers::remove);
            tailers.add(tailer);
            return tailer;
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** What {@code rule} would take away now: a dry run. */
    public RetentionPlan planRetention(RetentionRule rule) {
        checkOpen();
        try {
            return retention().plan(rule, appender.lastPosition(), positions.published());
        } catch (IOException e) {
            throw new LogIOException("cannot plan retention: " + e.getMessage(), e);
        }
    }

    /**
     * Takes away the segments of {@code plan}, after a sync: what remains must be able to tell the log's numbers.
     *
     * @throws LogIOException if a file cannot be taken away; what has been taken is gone, the rest is still there
     */
    public void retire(RetentionPlan plan, Retirement retirement) {
        checkOpen();
        appender.sync();
        try {
            retention().apply(plan, retirement).forEach(filler::recycle);
        } catch (IOException e) {
            throw new LogIOException("cannot retire a segment: " + e.getMessage(), e);
        }
    }

    private Retention retention() {
        return new Retention(storage, config.segmentLength(), tailers);
    }

    public RecoveryReport recovery() {
        return recovery;
    }

    public LogStatistics statistics() {
        return new LogStatistics(appender.rolls(), filler.stalls(), filler.stallNs(), syncer.syncs());
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("logger is closed");
        }
    }

    /**
     * Syncs everything and ends the log. Tailers stay usable and have to be closed for themselves.
     *
     * @throws LogIOException if the log has failed, now or earlier, so that not everything is synced; all is closed
     *     nevertheless. It is a new exception around the first cause, which a try-with-resources statement can add to
     *     that one
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            appender.close();
            filler.close();
            positions.check();
            control.block().closed(appender.position(), appender.lastPosition());
            control.force();
        } catch (IOException e) {
            throw positions.fail("force of the control block", e);
        } catch (PersistException first) {
            throw new LogIOException("log was not closed cleanly: " + first.getMessage(), first);
        } finally {
            filler.close();
            syncer.close();
            control.close();
            lock.close();
        }
    }
}
