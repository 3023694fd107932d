package io.persist.store.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.event.OpeningProgress;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.KeyIndex;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreRecovery;
import io.persist.store.checkpoint.CheckpointChain.DamageListener;
import io.persist.store.checkpoint.CheckpointFit.Verdict;
import io.persist.store.state.StoreState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings a store's index back: from the newest checkpoint that can be used, and the log after it. It changes nothing.
 * Of a checkpoint only those nodes are read that the changes in the log after it need.
 */
public final class StoreLoader {

    private final Storage storage;
    private final Checkpoints checkpoints;
    private final DamageListener listener;
    private final long indexMemoryBytes;
    private final OpeningProgress progress;
    private final List<StoreRecovery.Skipped> skipped = new ArrayList<>();
    private final List<CorruptLogException> damages = new ArrayList<>(); // of nodes, while it loads
    private volatile boolean isLoaded; // read by any thread that reads a node later
    private boolean isForWriter;

    /**
     * The state, and how it came about.
     *
     * @param chain what it was loaded from, null if that was the log alone
     */
    public record Loaded(
            StoreState state,
            StoreRecovery recovery,
            @Nullable ChainSummary chain) {}

    /** Where replay begins: from a checkpoint, or from the log's beginning without one. */
    private record Start(
            StoreState state, @Nullable CheckpointChain chain, String name, long position, long sequence) {}

    /**
     * A loader of the store in {@code storage}.
     *
     * @param indexMemoryBytes the most direct memory that the index may have
     * @param progress of the opening, which is told how far this is
     * @param listener is told of checkpoints with a damaged node: when the store is loaded, and later, while it is used
     */
    public StoreLoader(
            Storage storage,
            Checkpoints checkpoints,
            long indexMemoryBytes,
            OpeningProgress progress,
            DamageListener listener) {
        this.storage = storage;
        this.checkpoints = checkpoints;
        this.indexMemoryBytes = indexMemoryBytes;
        this.progress = progress;
        this.listener = listener;
    }

    /**
     * From now on for the writer, which has the log for itself. Some changes of the log may be left to it: the state
     * has them, and the index has not. Then it has to look whether all values are there, too: see {@link #lost}.
     */
    public StoreLoader forWriter() {
        isForWriter = true;
        return this;
    }

    /** What is thrown if so many bytes of values lie in no segment, once the index has all changes. */
    public static CorruptLogException lost(String checkpoint, long position, long bytes) {
        return new CorruptLogException(
                checkpoint, position, bytes + " bytes of values lie in segments that are gone", "restore them");
    }

    /**
     * Loads the store.
     *
     * @param tailer reads the log
     * @param logId the log's identity
     * @param logEnd where the log ends; what comes behind is left alone
     * @throws CorruptLogException if no checkpoint can be used, and the log alone does not tell all
     */
    public Loaded load(Tailer tailer, long logId, long logEnd) throws IOException {
        Loaded loaded = find(tailer, logId, logEnd);
        isLoaded = true;
        for (CorruptLogException damage : damages) {
            CheckpointName.position(damage.file()).ifPresent(listener::damaged);
        }
        return loaded;
    }

    private Loaded find(Tailer tailer, long logId, long logEnd) throws IOException {
        List<SegmentHeader> segments = LogFiles.headers(storage);
        checkIdentity(segments, logId, logEnd);
        CheckpointFit fit = new CheckpointFit(segments, logId, logEnd);
        for (long position : checkpoints.list()) {
            Start start = tryLoad(position, fit, segments, tailer, logEnd);
            Loaded loaded = start == null ? null : tryReplay(start, tailer, segments, logEnd);
            if (loaded != null) {
                return loaded;
            }
        }
        Loaded loaded = tryReplay(fromTheLog(segments, fit, logEnd), tailer, segments, logEnd);
        if (loaded == null) {
            throw new AssertionError("the log alone has no checkpoint that may be damaged");
        }
        return loaded;
    }

    private Start fromTheLog(List<SegmentHeader> segments, CheckpointFit fit, long logEnd) throws IOException {
        long complete = SegmentHeader.completeUpTo(logEnd, segments);
        if (complete > 0) {
            boolean isNone = skipped.isEmpty(); // as where it was looked for in the wrong place
            String move = checkpoints.moveFrom(storage, fit);
            throw new CorruptLogException(
                    isNone ? "checkpoint" : skipped.get(0).file(),
                    complete,
                    "no checkpoint of the store can be used, and the log's beginning is gone, checkpoint directory="
                            + checkpoints.description(),
                    !move.isEmpty()
                            ? "the directory of the log has what is missing here: " + move
                            : isNone
                                    ? "it has none: name the store's own, or restore a checkpoint of this log to it"
                                    : "restore a checkpoint of this log");
        }
        return new Start(withSegments(new StoreState(new KeyIndex(indexMemoryBytes)), segments), null, "", 0, 0);
    }

    /** Replays the log; null if a node of the checkpoint that was needed for it is damaged. */
    private @Nullable Loaded tryReplay(Start start, Tailer tailer, List<SegmentHeader> segments, long logEnd)
            throws IOException {
        try (Opening opening = new Opening()) {
            opening.add(start.state(), StoreState::close);
            Loaded loaded = replay(start, tailer, segments, logEnd);
            checkNoGap(start, logEnd);
            return opening.done(loaded);
        } catch (CorruptLogException e) {
            CheckpointChain chain = start.chain();
            CorruptLogException damage = chain == null ? null : chain.damage();
            if (damage == null) {
                throw e; // of the log
            }
            damages.add(damage);
            skip(start.position(), message(e));
            return null;
        }
    }

    private void skip(long at, String why) {
        skipped.add(new StoreRecovery.Skipped(at, CheckpointName.of(at), why));
    }

    /** Values are read without their frames, which would tell. */
    private static void checkIdentity(List<SegmentHeader> segments, long logId, long logEnd) {
        for (SegmentHeader segment : segments) {
            if (segment.logId() != logId && segment.basePosition() < logEnd) {
                throw new CorruptLogException(
                        LogFileName.segment(segment.basePosition()),
                        segment.basePosition(),
                        "the segment belongs to another log",
                        "move it out of the directory, and restore the one of this log if it stands in its place");
            }
        }
    }

    /** A writer may have compacted while a view was reading; while it opens the store itself, nobody does. */
    private void checkNoGap(Start start, long logEnd) throws IOException {
        long complete = isForWriter ? 0 : SegmentHeader.completeUpTo(logEnd, LogFiles.headers(storage));
        if (complete > start.position()) {
            throw new CorruptLogException(
                    LogFileName.segment(complete), complete, "records before it were taken away meanwhile");
        }
    }

    /** Adds what of the log is there; closes the state if that is impossible. */
    private static StoreState withSegments(StoreState state, List<SegmentHeader> segments) {
        for (SegmentHeader segment : segments) {
            if (segment.isVacated()) {
                state.live().addPlaceholder();
            } else if (segment.basePosition() < state.live().end()) {
                state.close();
                throw new CorruptLogException(
                        LogFileName.segment(segment.basePosition()),
                        segment.basePosition(),
                        "the segment before reaches into it");
            } else {
                state.live().addSegment(segment.basePosition(), segment.endPosition());
            }
        }
        return state;
    }

    /** Loads the checkpoint at {@code at} if {@link CheckpointTable} says so; null if it says that it is skipped. */
    private @Nullable Start tryLoad(
            long at, CheckpointFit fit, List<SegmentHeader> segments, Tailer tailer, long logEnd) throws IOException {
        Verdict verdict;
        PersistException evidence = null;
        CheckpointChain chain = null;
        Start start = null;
        try {
            CheckpointHeader header = checkpoints.header(at);
            verdict = fit.ofHeader(at, header.logId());
            if (verdict.isUsed()) {
                chain = open(at);
                evidence = misfit(at, header.sequence(), tailer, logEnd);
                verdict = fit.of(at, header.logId(), "", message(evidence));
            }
            if (chain != null && verdict.isUsed()) {
                start = start(chain, segments);
            }
        } catch (UnsupportedFormatException e) {
            evidence = e;
            verdict = fit.newer(message(e));
        } catch (CorruptLogException e) {
            evidence = e;
            verdict = fit.damaged(message(e));
        } catch (OutOfMemoryError e) { // of a large index, or of a file that only claims to have one
            throw new IOException(
                    "there is not enough memory for " + CheckpointName.of(at) + " with a heap of "
                            + (Runtime.getRuntime().maxMemory() >> 20) + " MiB; give the JVM a larger one",
                    e);
        } finally {
            if (start == null && chain != null) {
                chain.close();
            }
        }
        switch (verdict.row().decision()) {
            case USE -> {}
            case SKIP -> skip(at, verdict.why());
            case REFUSE -> throw evidence == null ? CheckpointFit.ofAnotherLog(at) : evidence;
        }
        return start;
    }

    /** Throws if a node of it is known to be damaged: replay may leave changes, and may not come to that node again. */
    private CheckpointChain open(long at) throws IOException {
        CheckpointChain chain = checkpoints.open(at, this::damaged);
        for (CorruptLogException damage : damages) {
            if (chain.hasFile(damage.file())) {
                chain.close();
                throw damage;
            }
        }
        return chain;
    }

    private void damaged(long position) {
        if (isLoaded) {
            listener.damaged(position);
        }
    }

    private Start start(CheckpointChain chain, List<SegmentHeader> segments) {
        StoreState state = withSegments(new StoreState(chain.index(indexMemoryBytes)), segments);
        state.live().addAll(chain.segments());
        CheckpointHeader header = chain.header();
        return new Start(state, chain, CheckpointName.of(header.position()), header.position(), header.sequence());
    }

    private static String message(@Nullable PersistException e) {
        return e == null ? "" : String.valueOf(e.getMessage());
    }

    /** Goes to where the checkpoint ends; returns what the log has there in place of its next record, null if none. */
    private static @Nullable CorruptLogException misfit(long at, long sequence, Tailer tailer, long logEnd) {
        if (at == 0 || at >= logEnd) {
            return null;
        }
        tailer.toRecord(at, sequence + 1); // which it refuses to be another one
        try {
            tailer.next();
            return null;
        } catch (CorruptLogException e) {
            return e;
        }
    }

    private Loaded replay(Start start, Tailer tailer, List<SegmentHeader> segments, long logEnd) {
        CheckpointChain chain = start.chain();
        boolean isAnyGone = chain != null && LogReplay.isAnyGone(chain.segments(), segments);
        StoreRecovery.Replay replayed = new LogReplay(tailer, segments, progress)
                .run(
                        start.state(),
                        start.position(),
                        start.sequence(),
                        logEnd,
                        isAnyGone || !isForWriter ? LogReplay.Settling.AT_ONCE : LogReplay.Settling.MAY_BE_LATER);
        long lost = start.state().isSettled() ? start.state().live().lost() : 0;
        if (lost != 0) {
            throw lost(start.name(), start.position(), lost);
        }
        StoreRecovery recovery = new StoreRecovery(
                new StoreRecovery.Checkpoint(
                        start.name(),
                        start.position(),
                        chain == null ? 0 : chain.length(),
                        chain == null ? 0 : chain.tree().size()),
                replayed,
                List.copyOf(skipped),
                start.state().index().size(),
                progress.elapsedNs());
        return new Loaded(start.state(), recovery, chain == null ? null : chain.summary());
    }
}
