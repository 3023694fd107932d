package io.persist.store.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import io.persist.index.node.KeyBuffer;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreRecovery;
import io.persist.store.checkpoint.CheckpointFit.Verdict;
import io.persist.store.state.EntryCursor;
import io.persist.store.state.StoreState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads a store's index from the newest checkpoint that can be used, and the log after it. It changes nothing.
 */
public final class StoreLoader {

    private final Storage storage;
    private final Checkpoints checkpoints;
    private final long startNs;
    private final List<StoreRecovery.Skipped> skipped = new ArrayList<>();

    /** The state, and what it was loaded from. */
    public record Loaded(StoreState state, StoreRecovery recovery) {}

    private record Start(StoreState state, String name, long position, long sequence, long bytes, long keys) {}

    /** Loads from {@code storage}; {@code startNs} is when opening began, by {@link System#nanoTime}. */
    public StoreLoader(Storage storage, Checkpoints checkpoints, long startNs) {
        this.storage = storage;
        this.checkpoints = checkpoints;
        this.startNs = startNs;
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
        List<SegmentHeader> segments = LogFiles.headers(storage);
        checkIdentity(segments, logId, logEnd);
        Start start = newest(new CheckpointFit(segments, logId, logEnd), segments, tailer, logEnd);
        try (Opening opening = new Opening()) {
            opening.add(start.state(), StoreState::close);
            Loaded loaded = replay(start, tailer, segments, logEnd);
            checkNoGap(start);
            return opening.done(loaded);
        }
    }

    /** Values are read without their frames, which would tell. */
    private static void checkIdentity(List<SegmentHeader> segments, long logId, long logEnd) {
        for (SegmentHeader segment : segments) {
            if (segment.logId() != logId && segment.basePosition() < logEnd) {
                throw new CorruptLogException(
                        SegmentName.of(segment.basePosition()),
                        segment.basePosition(),
                        "the segment belongs to another log",
                        "restore the one of this log");
            }
        }
    }

    /** A writer may have compacted while a view was reading. */
    private void checkNoGap(Start start) throws IOException {
        SegmentHeader gap = CheckpointFit.firstGap(LogFiles.headers(storage), start.position());
        if (gap != null) {
            throw new CorruptLogException(
                    SegmentName.of(gap.basePosition()), gap.basePosition(), "its records were taken away meanwhile");
        }
    }

    private Start newest(CheckpointFit fit, List<SegmentHeader> segments, Tailer tailer, long logEnd)
            throws IOException {
        for (long position : checkpoints.list()) {
            Start start = tryLoad(position, fit, segments, tailer, logEnd);
            if (start != null) {
                return start;
            }
        }
        SegmentHeader gap = CheckpointFit.firstGap(segments, 0);
        if (gap != null) {
            throw new CorruptLogException(
                    skipped.isEmpty() ? "checkpoint" : skipped.get(0).file(),
                    gap.basePosition(),
                    "no checkpoint of the store can be used, and the log's beginning is gone",
                    "restore a checkpoint of this log");
        }
        return new Start(newState(segments), "", 0, 0, 0, 0);
    }

    private static StoreState newState(List<SegmentHeader> segments) {
        StoreState state = new StoreState();
        for (SegmentHeader segment : segments) {
            if (segment.isVacated()) {
                state.live().addPlaceholder();
            } else if (segment.basePosition() < state.live().end()) {
                state.close();
                throw new CorruptLogException(
                        SegmentName.of(segment.basePosition()),
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
        StoreState state = newState(segments);
        Start start = null;
        try {
            Verdict verdict;
            PersistException evidence = null;
            try (CheckpointReader reader = checkpoints.open(at)) {
                CheckpointHeader header = reader.header();
                verdict = fit.ofHeader(at, header.logId());
                if (verdict.isUsed()) {
                    evidence = read(reader, state, fit);
                    verdict = fit.of(at, header.logId(), message(evidence), "");
                }
                if (verdict.isUsed()) {
                    evidence = misfit(at, header.sequence(), tailer, logEnd);
                    verdict = fit.of(at, header.logId(), "", message(evidence));
                }
                if (verdict.isUsed()) {
                    start = new Start(
                            state,
                            CheckpointName.of(at),
                            at,
                            header.sequence(),
                            checkpoints.length(at),
                            state.index().size());
                }
            } catch (UnsupportedFormatException e) {
                evidence = e;
                verdict = fit.newer(message(e));
            } catch (CorruptLogException e) {
                evidence = e;
                verdict = fit.damaged(message(e));
            }
            switch (verdict.row().decision()) {
                case USE -> {}
                case SKIP -> skipped.add(new StoreRecovery.Skipped(at, CheckpointName.of(at), verdict.why()));
                case REFUSE -> throw evidence == null ? ofAnotherLog(at) : evidence;
            }
            return start;
        } finally {
            if (start == null) {
                state.close();
            }
        }
    }

    private static String message(@Nullable PersistException e) {
        return e == null ? "" : String.valueOf(e.getMessage());
    }

    private static UnsupportedFormatException ofAnotherLog(long at) {
        return new UnsupportedFormatException("checkpoint " + CheckpointName.of(at)
                + " belongs to another log; give each store a checkpoint directory of its own,"
                + " or move it away");
    }

    /** Takes over what a checkpoint has; returns the damage that it has, null if it is whole. */
    private static @Nullable CorruptLogException read(CheckpointReader reader, StoreState state, CheckpointFit fit)
            throws IOException {
        KeyBuffer key = new KeyBuffer();
        try {
            while (reader.next()) {
                CorruptLogException beyond = fit.behindEnd(reader.header().position(), reader.position());
                if (beyond != null) {
                    return beyond;
                }
                state.index().reserve(1);
                key.set(reader.key(), 0, reader.keyLength());
                state.put(key, reader.position(), reader.length());
            }
            return null;
        } catch (CorruptLogException e) {
            return e;
        }
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

    /** The segment in which {@code position} is, if that is there. */
    private static String fileOf(List<SegmentHeader> segments, long position) {
        long base = position;
        for (SegmentHeader segment : segments) {
            if (segment.basePosition() <= position && position < segment.endPosition()) {
                base = segment.basePosition();
            }
        }
        return SegmentName.of(base);
    }

    private Loaded replay(Start start, Tailer tailer, List<SegmentHeader> segments, long logEnd) {
        if (start.position() > 0) {
            tailer.toRecord(start.position(), start.sequence() + 1);
        } else {
            tailer.toStart();
        }
        long from = tailer.nextPosition();
        EntryCursor entries = new EntryCursor();
        long transactions = 0;
        long changes = 0;
        while (tailer.nextPosition() < logEnd && tailer.next()) {
            entries.wrap(tailer.payloadUntilNext(), tailer.position());
            start.state().apply(entries);
            transactions++;
            changes += entries.count();
        }
        if (tailer.nextPosition() < logEnd) {
            throw new CorruptLogException(
                    fileOf(segments, tailer.nextPosition()),
                    tailer.nextPosition(),
                    "the log ends at " + logEnd + " but cannot be read so far");
        }
        long lost = start.state().live().lost();
        if (lost != 0) {
            throw new CorruptLogException(
                    start.name(), start.position(), lost + " values lie in segments that are gone", "restore them");
        }
        StoreRecovery recovery = new StoreRecovery(
                start.name(),
                start.position(),
                start.bytes(),
                start.keys(),
                List.copyOf(skipped),
                transactions,
                changes,
                tailer.nextPosition() - from,
                start.state().index().size(),
                System.nanoTime() - startNs);
        return new Loaded(start.state(), recovery);
    }
}
