package io.persist.log.engine;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.format.control.CounterBlock;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.retention.LogTailers;
import io.persist.log.segment.SegmentLayout;
import io.persist.log.space.RecordSpace;
import io.persist.log.sync.Completion;
import io.persist.log.sync.LogPositions;
import io.persist.log.thread.OnInterrupt;
import io.persist.log.write.Appender;
import io.persist.log.write.Commits;
import io.persist.monitor.LogStatistics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A log that is open for writing: segments as one stream of records.
 *
 * <p><b>Threads:</b> one thread, the owner, appends, claims, commits, flushes, syncs and rolls, which is checked. The
 * owner is the first thread that does, until it ends or calls {@link #handOver}; or the one that holds {@link
 * LogConfig#guard}. Any thread may call all other methods meanwhile, {@link #close} too. An interrupt does no harm.
 */
public final class Log implements LogWriter {

    private final LogPositions positions;
    private final Completion completion;
    private final Appender appender;
    private final Commits commits;
    private final LogOpener.Parts parts;
    private final LogTailers tailers;
    private final LogClosing closing;

    Log(LogOpener.Parts parts) {
        this.parts = parts;
        this.positions = parts.positions();
        this.completion = new Completion(positions, parts.syncer(), parts.background());
        this.appender = parts.appender();
        this.commits = new Commits(parts.config(), appender, positions, completion, counters());
        this.tailers = new LogTailers(parts.storage(), parts.config().segmentLength(), parts.logId());
        this.closing = new LogClosing(parts);
    }

    /** Opens the log of messages in the configured directory, as {@link #open(LogConfig, LogContent)} does. */
    public static Log open(LogConfig config) {
        return open(config, LogContent.MESSAGES);
    }

    /** The same on a storage of the caller's. */
    public static Log open(LogConfig config, Storage storage) {
        return open(config, LogContent.MESSAGES, storage);
    }

    /**
     * Opens the log in the configured directory, and recovers it after a crash; makes what does not exist.
     *
     * @throws io.persist.error.LogLockedException if there is another writer, for longer than the lock's timeout
     * @throws io.persist.error.CorruptLogException if acknowledged records are damaged; nothing was changed
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it, or it holds something else
     * @throws LogIOException if the operating system refuses something
     */
    public static Log open(LogConfig config, LogContent content) {
        return open(config, content, LogOpener.directory(config));
    }

    /** The same on a storage of the caller's. */
    public static Log open(LogConfig config, LogContent content, Storage storage) {
        return LogOpener.open(config, content, storage, () -> {});
    }

    @Override
    public long append(byte[] source, int offset, int length) {
        return appender.append(source, offset, length);
    }

    @Override
    public long append(ByteBuffer source) {
        return appender.append(source);
    }

    @Override
    public boolean wouldWait(int length) {
        return appender.wouldWait(length);
    }

    @Override
    public Claim claim(int length) {
        return appender.claim(length);
    }

    @Override
    public void abortClaim() {
        appender.gate().abortClaim();
    }

    @Override
    public long commit(Durability level) {
        return commits.commit(level);
    }

    @Override
    public long commitToAwait(Durability level) {
        return commits.commitToAwait(level);
    }

    @Override
    public long commitWithin(Duration maxDelay) {
        return commits.commitWithin(maxDelay);
    }

    @Override
    public long roll() {
        return appender.roll();
    }

    /** Ends a commit, which readers see as a boundary, and nothing else. */
    public long endCommit() {
        return appender.endCommit();
    }

    @Override
    public void handOver() {
        appender.gate().handOver();
    }

    /**
     * Lets the thread append for which {@code isHeld}, in place of one owner; null for one thread after all. To be
     * called before the log is used.
     */
    public void guardedBy(@Nullable BooleanSupplier isHeld) {
        appender.gate().guardedBy(isHeld);
    }

    /** Leaves what is committed to the background thread, if there is one; it syncs only what is flushed. */
    public void leaveToBackground() {
        commits.leaveToBackground();
    }

    @Override
    public void flush() {
        appender.flush();
    }

    @Override
    public void sync() {
        appender.sync();
    }

    @Override
    public LogPositions positions() {
        return positions;
    }

    /** The counters. They are unmapped when the log is closed, and must not be touched then. */
    public CounterBlock counters() {
        return parts.control().counters();
    }

    @Override
    public long logId() {
        return parts.logId();
    }

    /** Where records will end. */
    public SegmentLayout layout() {
        return parts.space().layout();
    }

    @Override
    public RecordSpace recordSpace() {
        return parts.space().recordSpace();
    }

    /** The threads, futures and listeners that wait for positions. */
    public Completion completion() {
        return completion;
    }

    /**
     * Threads that wait for SYNCED sync what is flushed themselves, and share one sync. Only the appending thread
     * flushes what is in a write buffer, here too; under {@link LogConfig#guard} any that waits, once the lock is free.
     */
    @Override
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        closing.checkOpen();
        commits.flushToAwait(position, level);
        return completion.await(position, level, timeout);
    }

    @Override
    public void awaitUninterruptibly(long position, Durability level) {
        closing.checkOpen();
        completion.await(position, level, Long.MAX_VALUE, OnInterrupt.GO_ON);
    }

    @Override
    public void awaitCommit(long end, Durability level, Duration timeout) {
        closing.checkOpen();
        completion.awaitCommit(end, level, timeout);
    }

    @Override
    public CompletableFuture<Long> reached(long position, Durability level) {
        closing.checkOpen();
        commits.flushTo(position);
        return completion.reached(position, level);
    }

    @Override
    public Registration listen(Durability level, PositionListener listener) {
        closing.checkOpen();
        return completion.listen(level, listener);
    }

    /** Has {@link #isWithin} know the only thread that will append; to be called before the log is used. */
    public void writtenBy(Thread thread) {
        closing.writtenBy(thread);
    }

    /** Whether the current thread is in code of the application's that must not wait for the log, as a listener is. */
    public boolean isWithin() {
        return closing.isWithin();
    }

    /** Throws if {@link #close} would wait for the current thread, which is in a listener or the step of a future. */
    public void checkMayClose() {
        closing.checkMayClose();
    }

    /** Ends the log's life as an I/O error does, because its writer cannot go on. */
    public PersistException fail(String what, Throwable cause) {
        return positions.fail(what, cause);
    }

    @Override
    public Tailer tailer(TailerConfig config) {
        closing.checkOpenForRareWork();
        return tailers.open(config);
    }

    @Override
    public Tailer tailer(String name, TailerConfig config) {
        closing.checkOpenForRareWork();
        return tailers.open(name, config, files -> new WriterSync(positions, parts.syncer(), closing, files));
    }

    @Override
    public RetentionPlan planRetention(RetentionRule rule) {
        closing.checkOpenForRareWork();
        return tailers.plan(rule, positions);
    }

    /**
     * Takes away the records of the segment at {@code basePosition} in the middle of the log, of which everything up to
     * its end is synced: a seal stays in their place, so that readers go on behind it. Any thread may call it.
     *
     * @return false if a tailer or a cursor still has to read it; then nothing was changed
     * @throws LogIOException if the system refuses something, or the directory is another one; it was vacated, or not
     */
    public boolean vacate(long basePosition) {
        return closing.takeAway(() -> {
            positions.check();
            return tailers.vacate(basePosition, positions.synced());
        });
    }

    /** Takes away the segments of {@code plan}. What remains must tell the log's numbers: if need be it is synced. */
    @Override
    public void retire(RetentionPlan plan, Retirement retirement) {
        commits.syncFrom(LogTailers.endOf(plan));
        retireSynced(plan, retirement);
    }

    /** The same once all up to the plan's time is synced; returns what was taken away, and what is held by now. */
    public RetentionPlan retireSynced(RetentionPlan plan, Retirement retirement) {
        return closing.takeAway(() -> tailers.retire(plan, retirement, positions, parts.space()::recycle));
    }

    @Override
    public RecoveryReport recovery() {
        return parts.recovery();
    }

    /** What the log has done since it was opened; once it is closed, all that it has done. */
    @Override
    public LogStatistics statistics() {
        return parts.control().statistics();
    }

    /**
     * Syncs everything and ends the log. Tailers stay usable. Any thread may close it: it waits until the one that
     * appends has left its call. The thread that comes second waits, too.
     *
     * @throws IllegalStateException as {@link #checkMayClose} says, or a StackOverflowError; the log stays open
     * @throws LogIOException if the log has failed, a new one: try-with-resources can add it. All is closed
     */
    @Override
    public void close() {
        closing.close();
    }
}
