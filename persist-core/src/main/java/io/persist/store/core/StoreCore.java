package io.persist.store.core;

import io.persist.file.Storage;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogWriter;
import io.persist.store.StoreConfig;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.StoreState;
import io.persist.store.value.MappedSegments;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * The log and the index of a store, which change together under one lock: a transaction goes to the log, and then its
 * places go into the index.
 *
 * <p>The thread that holds the lock is the log's one appending thread, so an attached store serves any thread, too.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none per commit and get.
 */
public final class StoreCore {

    private static final Runnable UNCHECKED = () -> {};
    private static final Consumer<Runnable> RUN = Runnable::run;

    private final StoreLock lock;
    private final StoreConfig config;
    private final Storage storage;
    private final Log log;
    private final LogWriter writer;
    private final StoreState state;
    private final ObjLongConsumer<StagedChanges> apply;
    private final ObjLongConsumer<StagedChanges> layOver;
    private final MappedSegments segments;
    private final LogSpace space;
    private final Flushes flushes;
    private final ShownEnd shown;
    private final Settler settler;
    private final StoreCommits commits;
    private CommitListener listener = end -> {};

    /** Where what is in the index ends in the log. */
    private long appliedEnd;

    /** The number of the last transaction. */
    private long appliedSequence;

    /** How many transactions since the store was opened only moved values, or nothing. */
    private long moves;

    /** Changed under the lock. Code that can use an answer that is a moment old reads it without the lock. */
    private volatile boolean closed;

    /** Joins {@code state}, which is loaded, with {@code log}; {@code writer} is that log, or a queue before it. */
    public StoreCore(StoreConfig config, Storage storage, Log log, LogWriter writer, StoreState state) {
        this.config = config;
        this.storage = storage;
        this.log = log;
        this.writer = writer;
        this.state = state;
        this.apply = state::apply;
        this.layOver = state::layOver;
        this.segments = new MappedSegments(storage, log.position());
        this.appliedEnd = log.position();
        this.appliedSequence = log.lastSequence();
        this.lock = new StoreLock(this);
        this.space = new LogSpace(this);
        this.flushes = new Flushes(this);
        this.shown = new ShownEnd(appliedEnd, lock, log);
        this.settler = new Settler(this);
        this.commits = new StoreCommits(this);
        state.live().begin(appliedEnd);
        state.step().restart();
        state.index().showChanges();
    }

    /** Has {@code newListener} told of commits from now on. */
    public void listen(CommitListener newListener) {
        lockedAnyway(() -> listener = newListener);
    }

    /** Who is told of commits. Under the lock. */
    CommitListener listener() {
        return listener;
    }

    /** The configuration that the store was opened with. */
    public StoreConfig config() {
        return config;
    }

    /** The directory of the log. */
    public Storage storage() {
        return storage;
    }

    /** The log, for what does not go through the queue. */
    public Log log() {
        return log;
    }

    /** What records are appended to: the log, or the queue before it. */
    public LogWriter writer() {
        return writer;
    }

    /** Whether records go through a queue, and another thread appends them to the log. */
    public boolean isQueued() {
        return writer != log;
    }

    /** Space in the log, for which nobody waits with the lock. */
    public LogSpace space() {
        return space;
    }

    /** Flushes and syncs. */
    public Flushes flushes() {
        return flushes;
    }

    /** Makes transactions part of the store. */
    public StoreCommits commits() {
        return commits;
    }

    /** What lookups find without the lock. */
    public ShownEnd shown() {
        return shown;
    }

    /** Brings the index to where the log is. */
    public Settler settler() {
        return settler;
    }

    /** Under the lock. */
    public StoreState state() {
        return state;
    }

    /** The segments of the log, mapped for reading. */
    public MappedSegments segments() {
        return segments;
    }

    /** The end of what is in the index. Under the lock. */
    public long appliedEnd() {
        return appliedEnd;
    }

    /** The number of the last transaction that is in the index, 0 if there is none. Under the lock. */
    public long appliedSequence() {
        return appliedSequence;
    }

    /** A number that is another one after each transaction of a user. Under the lock. */
    public long changeNumber() {
        return appliedSequence - moves;
    }

    /** Enters the store, unless it is closed or its log has failed. */
    public void lock() {
        lock.take();
        boolean entered = false;
        try {
            checkUsable();
            entered = true;
        } finally {
            if (!entered) {
                lock.giveBack();
            }
        }
    }

    /** Enters the store as {@link #lock} does, to change something. */
    void lockToChange() {
        lock();
        state.step().begin();
    }

    /** Throws if a listener, or the step of a future, has called in the middle of a call of the log. */
    public void checkOutside() {
        lock.checkOutside();
    }

    /** Enters the store even if it is closed, or its log has failed. */
    public void lockAnyway() {
        lock.take();
    }

    /** Lets threads that wait for the lock go first, for a moment at most. */
    public void letOthersGo() {
        lock.letOthersGo();
    }

    /** Leaves the store, if this thread is in it. Called once more around what a late error may have cut short. */
    public void unlock() {
        lock.giveBack();
    }

    /** What {@code question} says in the store, which is entered as {@link #lock} does: for what is rare. */
    public boolean ask(BooleanSupplier question) {
        return read(question::getAsBoolean);
    }

    /** The same of anything but a question. */
    public <T> T read(Supplier<T> source) {
        return lock.with(this::checkUsable, source);
    }

    /** The same, also if the store is closed, or its log has failed. */
    public <T> T readAnyway(Supplier<T> source) {
        return lock.with(() -> {}, source);
    }

    /** Does {@code work} in the store, which is entered as {@link #lock} does: for what is rare. */
    public void locked(Runnable work) {
        lock.run(this::checkUsable, work, RUN);
    }

    /** The same, also if the store is closed, or its log has failed. */
    public void lockedAnyway(Runnable work) {
        lockedAnyway(work, RUN);
    }

    /**
     * The same, of {@code work} done to {@code on}. It makes no object: if {@code work} was made before, it can end
     * {@code on} where there is no memory, and nobody else would.
     */
    public <T> void lockedAnyway(T on, Consumer<T> work) {
        lock.run(UNCHECKED, on, work);
    }

    /** Throws if the store is closed, or the first cause if its log has failed: what is in the index may be lost. */
    public void checkUsable() {
        checkOpen();
        writer.positions().check();
    }

    /** Throws if the store is closed. */
    public void checkOpen() {
        if (closed) {
            throw new IllegalStateException("store is closed");
        }
    }

    /** Whether nobody can enter any more. */
    public boolean isClosed() {
        return closed;
    }

    /** Lets no thread enter any more; returns whether the store was open until now. */
    public boolean close() {
        return readAnyway(() -> {
            boolean wasOpen = !closed;
            closed = true;
            return wasOpen;
        });
    }

    /** Ends the index of a store that is closed. With the lock: a thread may be closing what it has read by. */
    public void endIndex() {
        lockedAnyway(state::close);
    }

    /** Appends sealed moves of values, and takes them over. Under the lock; their commit is the caller's. */
    public long appendMoves(StagedChanges staged) {
        state.step().begin();
        try {
            state.prepareMoves(staged);
            long end = appendPrepared(staged);
            moves++;
            state.index().showChanges(); // the values are the same
            return end;
        } finally {
            state.unpin();
        }
    }

    /** Appends sealed changes that were prepared, and takes them over. Under the lock. */
    long appendPrepared(StagedChanges staged) {
        return append(staged, apply);
    }

    /** The same of the large transaction that was expected: the index gets its changes later. */
    long appendExpected(StagedChanges staged) {
        return append(staged, layOver);
    }

    private long append(StagedChanges staged, ObjLongConsumer<StagedChanges> takeOver) {
        long end = writer.append(staged.array(), 0, staged.length());
        long frame = end - staged.frameLength();
        try {
            if (frame >= state.live().end()) {
                long base = log.layout().basePosition(frame);
                state.live().addSegment(base, base + config.log().segmentLength());
            }
            state.live().appliedEnd(end);
            state.recent().note(staged, appliedEnd, end);
            takeOver.accept(staged, frame);
        } catch (RuntimeException | Error e) {
            // No memory, after more changes than can be reserved for sure, or a late error. Half of it is in the index.
            throw log.fail("taking over a transaction that is on the log", e);
        }
        appliedEnd = end;
        appliedSequence++;
        return end;
    }

    /** The state of this moment, whose values can be read after {@link Flushes#awaitWritten}. Under the lock. */
    public LayeredSnapshot snapshot() {
        flushes.flushBuffer(appliedEnd);
        return state.snapshot();
    }
}
