package io.persist.log;

import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.file.BootId;
import io.persist.file.DirectoryStorage;
import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.format.SegmentName;
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
 * positions, {@link #await} and {@link #statistics} may be used by any thread meanwhile, and each {@link #tailer} by a thread
 * of its own. An interrupt of any of them harms nothing.
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

    private Log(
            Storage storage,
            LogConfig config,
            WriterLock lock,
            BootId boot,
            Recovery.Recovered recovered,
            Opened opened) {
        this.storage = storage;
        this.config = config;
        this.lock = lock;
        this.control = recovered.control();
        this.recovery = recovered.report();
        this.positions = opened.positions;
        this.syncer = opened.syncer;
        this.filler = opened.filler;
        WriteWindow window = switch (config.writeMode()) {
            case MAPPED -> new MappedWindow(positions, syncer);
            case FILE -> new BufferWindow(positions, syncer, config.fileMode(), config.writeBufferLength());
        };
        this.appender = new Appender(
                positions,
                syncer,
                filler,
                control,
                window,
                opened.tailSegment,
                recovered.tail(),
                recovered.lastSequence(),
                recovered.lastPosition());
        control.block().hint(recovered.lastPosition());
        control.block().open(boot.high(), boot.low(), ProcessHandle.current().pid());
        filler.start();
    }

    /** The parts of a log that are made before the log itself. */
    private record Opened(LogPositions positions, Syncer syncer, SegmentFiller filler, Segment tailSegment) {}

    /**
     * Opens the log in the configured directory, after recovering it from whatever stop; makes both if they do not exist.
     *
     * @throws LogLockedException if there is another writer
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
        try {
            WriterLock lock = storage.tryLock(SegmentName.LOCK);
            if (lock == null) {
                throw new LogLockedException("log is open for writing elsewhere: directory=" + storage.description()
                        + holder(storage) + "; close it there first");
            }
            boolean opened = false;
            try {
                Log log = openLocked(config, storage, lock);
                opened = true;
                return log;
            } finally {
                if (!opened) {
                    lock.close();
                }
            }
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot open the log: " + e.getMessage(), e);
        }
    }

    private static String holder(Storage storage) throws IOException {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            return control == null ? "" : ", pid=" + control.block().pid();
        }
    }

    private static Log openLocked(LogConfig config, Storage storage, WriterLock lock) throws IOException {
        BootId boot = BootId.current();
        Recovery.Recovered recovered = new Recovery(storage, config, boot).run();
        Opened opened;
        try {
            opened = openSegments(config, storage, recovered);
        } catch (IOException | RuntimeException | Error e) {
            recovered.control().close();
            throw e;
        }
        return new Log(storage, config, lock, boot, recovered, opened);
    }

    private static Opened openSegments(LogConfig config, Storage storage, Recovery.Recovered recovered)
            throws IOException {
        SegmentFactory factory = new SegmentFactory(storage, config, recovered.logId());
        LogPositions positions =
                new LogPositions(recovered.control().block(), config.writeMode(), recovered.tail(), recovered.synced());
        Syncer syncer = new Syncer(positions);
        WriterSegments segments = WriterSegments.open(factory, recovered);
        segments.unsynced().forEach(syncer::add);
        SegmentFiller filler = new SegmentFiller(
                storage,
                factory,
                positions,
                syncer,
                config,
                segments,
                recovered.report().firstPosition() + config.initialLength());
        boolean filled = false;
        try {
            if (config.prefill() == Prefill.BEFORE_OPEN) {
                filler.fillInitial();
            }
            filled = true;
            return new Opened(positions, syncer, filler, segments.tail());
        } finally {
            if (!filled) {
                filler.close();
                syncer.close();
            }
        }
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
     * Waits until everything before {@code position} is safe at {@code level}. Threads that wait for SYNCED sync what is
     * flushed themselves, and share one sync; what is in a write buffer is only flushed by the appending thread.
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
        return new Retention(storage, tailers);
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
     * Syncs everything and ends the log. Tailers stay usable and have to be closed for themselves. After a failure it only
     * gives back what the log holds.
     *
     * @throws LogIOException if the last sync fails; all is closed nevertheless
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
            if (!positions.hasFailed()) {
                control.block().closed(appender.position(), appender.lastPosition());
                control.force();
            }
        } catch (IOException e) {
            throw positions.fail("force of the control block", e);
        } finally {
            filler.close();
            syncer.close();
            control.close();
            lock.close();
        }
    }
}
