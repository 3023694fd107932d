package io.persist.detached;

import io.persist.error.PersistException;
import io.persist.file.Opening;
import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogWriter;
import io.persist.log.read.Tailer;
import io.persist.log.space.RecordSpace;
import io.persist.log.sync.Completion;
import io.persist.log.sync.LogPositions;
import io.persist.log.thread.LogThread;
import io.persist.log.thread.OnInterrupt;
import io.persist.log.thread.Turn;
import io.persist.memory.MissingPage;
import io.persist.monitor.LogStatistics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * A log behind a queue: any thread may append and commit, a writer thread does the work. A record gets its position
 * when it enters the queue, so the calls return the same as those of {@link Log}. Until the writer thread has appended
 * it, a record is BUFFERED in this process's memory only, in every write mode.
 *
 * <p><b>Threads:</b> any. Records of one thread keep their order, and a commit covers all that its thread has appended.
 * <b>Allocation:</b> none per record.
 */
public final class DetachedLog implements LogWriter {

    private final Log log;
    private final HandoffQueue queue;
    private final Requests requests = new Requests();
    private final DetachedWriter writer;
    private final Thread thread;
    private final QueueProducer producer;
    private final DetachedCompletion completion;
    private final LogPositions positions;
    private final ThreadLocal<DetachedClaim> claims = ThreadLocal.withInitial(DetachedClaim::new);
    private final Turn closing = new Turn(); // no monitor, see CallingThread
    private boolean closed;

    private DetachedLog(Log log, DetachedConfig config, Function<WaitStrategy, YieldPolicy> policy) {
        this.log = log;
        this.positions = log.positions();
        this.queue = new HandoffQueue(config.queueDepth(), config.queueBytes(), log.position(), log.layout());
        this.writer = new DetachedWriter(log, queue, requests, config.waitStrategy(), WriterIdle::sleep);
        long fullTimeoutNs = Completion.ns(config.fullTimeout());
        this.producer = new QueueProducer(positions, queue, writer, log.layout(), fullTimeoutNs);
        this.completion = new DetachedCompletion(
                positions, log.completion(), queue, writer, requests, policy.apply(config.waitStrategy()));
        this.thread = writer.starting().make(config.threadFactory(), writer, positions.directory());
        log.writtenBy(thread);
    }

    /**
     * Puts {@code log} behind a queue. From now on it belongs to the writer thread, and is closed with the result, or
     * before this throws anything.
     *
     * @throws IllegalArgumentException if the thread factory has started the thread
     * @throws IllegalStateException if the thread ended without running the writer itself
     */
    public static DetachedLog over(Log log, DetachedConfig config) {
        return over(log, config, YieldPolicy::of);
    }

    static DetachedLog over(Log log, DetachedConfig config, Function<WaitStrategy, YieldPolicy> policy) {
        try (Opening opening = new Opening()) {
            opening.add(log, Log::close);
            DetachedLog detached = opening.add(new DetachedLog(log, config, policy), DetachedLog::abandon);
            detached.writer.starting().start(detached.thread);
            return opening.done(detached);
        }
    }

    /** The opening has failed; the log will be closed when this returns. */
    private void abandon() {
        endQueue();
        writer.starting().giveUp(thread);
    }

    /** The writer thread ends when it has taken what is in the queue. */
    private void endQueue() {
        queue.close();
        writer.idle().wake();
    }

    @Override
    public long append(byte[] source, int offset, int length) {
        return producer.append(source, offset, length);
    }

    @Override
    public long append(ByteBuffer source) {
        return producer.append(source);
    }

    @Override
    public long append(DirectBuffer source, int offset, int length) {
        return producer.append(source, offset, length);
    }

    @Override
    public Claim claim(int length) {
        checkOpen();
        producer.check(length);
        return claims.get().of(producer, length);
    }

    @Override
    public void abortClaim() {
        claims.get().abort();
    }

    @Override
    public RecordSpace recordSpace() {
        return producer;
    }

    @Override
    public long commit(Durability level) {
        writer.checkMayWait(level); // before the commit is ended
        long end = producer.endCommit(level);
        if (level != Durability.BUFFERED) {
            completion.await(end, level);
        }
        return end;
    }

    @Override
    public long commit(Durability level, Duration timeout) {
        writer.checkMayWait(level);
        return LogWriter.super.commit(level, timeout);
    }

    @Override
    public void awaitCommit(long end, Durability level, Duration timeout) {
        if (!completion.await(end, level, Completion.ns(timeout), OnInterrupt.GO_ON)) {
            throw Completion.late(end, level, timeout);
        }
    }

    @Override
    public long roll() {
        return producer.roll();
    }

    /** Whatever the level is, the writer thread does it when it is awaited. */
    @Override
    public long commitToAwait(Durability level) {
        return producer.endCommit(level);
    }

    @Override
    public long commitWithin(Duration maxDelay) {
        Completion.checkDelay(maxDelay);
        long end = producer.endCommit(Durability.BUFFERED);
        if (maxDelay.isZero()) {
            // No thread is sooner than the writer thread, which has to flush it anyway.
            completion.request(end, Durability.SYNCED);
            return end;
        }
        requests.flushTo(end);
        writer.idle().wake();
        log.completion().syncWithin(end, maxDelay);
        return end;
    }

    @Override
    public void flush() {
        checkOpen();
        completion.await(queue.position(), Durability.FLUSHED);
    }

    @Override
    public void sync() {
        checkOpen();
        completion.await(queue.position(), Durability.SYNCED);
    }

    @Override
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        checkOpen();
        return completion.await(position, level, Completion.ns(timeout), OnInterrupt.END)
                || Completion.endedBy(level, position);
    }

    @Override
    public void awaitUninterruptibly(long position, Durability level) {
        checkOpen();
        completion.await(position, level);
    }

    private void checkOpen() {
        positions.check();
        queue.checkNotClosed();
    }

    /** Does nothing: any thread may append. */
    @Override
    public void handOver() {
        queue.checkNotClosed();
    }

    @Override
    public LogPositions positions() {
        return positions;
    }

    @Override
    public CompletableFuture<Long> reached(long position, Durability level) {
        queue.checkNotClosed();
        CompletableFuture<Long> future = log.completion().reachedByOthers(position, level);
        if (!future.isDone()) {
            completion.request(position, level);
        }
        return future;
    }

    @Override
    public Registration listen(Durability level, PositionListener listener) {
        return log.listen(level, listener);
    }

    @Override
    public Tailer tailer(TailerConfig config) {
        return log.tailer(config);
    }

    @Override
    public Tailer tailer(String name, TailerConfig config) {
        return log.tailer(name, config);
    }

    @Override
    public RetentionPlan planRetention(RetentionRule rule) {
        return log.planRetention(rule);
    }

    @Override
    public void retire(RetentionPlan plan, Retirement retirement) {
        positions.check();
        writer.checkMayWait();
        // What is still in the queue is not waited for: on a full disk it waits for the very space that this makes.
        long end = Math.max(positions.published(), positions.lastPosition() + 1);
        completion.request(end, Durability.SYNCED);
        log.completion().awaitOthers(end, Durability.SYNCED, Long.MAX_VALUE, OnInterrupt.GO_ON);
        log.retireSynced(plan, retirement);
    }

    @Override
    public long logId() {
        return log.logId();
    }

    @Override
    public RecoveryReport recovery() {
        return log.recovery();
    }

    @Override
    public long acceptedPosition() {
        return queue.position();
    }

    @Override
    public LogStatistics statistics() {
        return writer.counters().now(log.statistics(), queue.size());
    }

    /**
     * Writes what is in the queue, syncs everything and ends the log; later appends throw an IllegalStateException.
     * It throws why accepted records could not be written, or how the log has failed; all is closed nevertheless.
     */
    @Override
    public void close() {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("close was called by the writer thread, in a listener or the step of a"
                    + " future; close it in another thread");
        }
        log.checkMayClose();
        MissingPage.dropHeld();
        closing.hold(this::end);
    }

    private void end() {
        if (closed) {
            return;
        }
        endQueue();
        LogThread.join(thread);
        PersistException lost = writer.unwritten();
        queue.letGo(); // an application may keep a closed logger
        try {
            log.close();
        } catch (PersistException e) {
            if (lost != null) {
                e.addSuppressed(lost);
            }
            lost = e;
        }
        closed = true; // and not before: if there is no memory, another attempt goes on
        if (lost != null) {
            throw lost;
        }
    }
}
