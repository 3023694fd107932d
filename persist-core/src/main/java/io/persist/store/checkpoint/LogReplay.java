package io.persist.store.checkpoint;

import static java.util.stream.Collectors.toSet;

import io.persist.error.CorruptLogException;
import io.persist.event.OpeningProgress;
import io.persist.event.OpeningProgress.Step;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.read.Tailer;
import io.persist.store.StoreRecovery;
import io.persist.store.state.EntryCursor;
import io.persist.store.state.Replay;
import io.persist.store.state.SegmentBytes;
import io.persist.store.state.StoreState;
import java.util.List;
import java.util.Set;

/**
 * Brings the state of a checkpoint, or an empty one, to where the log ends.
 *
 * <p><b>Threads:</b> one.
 */
public final class LogReplay {

    /** When the index gets the changes of the log. */
    enum Settling {
        /** Before the state is used. */
        AT_ONCE,
        /** Some of them maybe later, by whoever uses the state. */
        MAY_BE_LATER
    }

    private final Tailer tailer;
    private final List<SegmentHeader> segments;
    private final OpeningProgress progress;

    /** Reads by {@code tailer} the log that has these segments, and tells {@code progress} how far it is. */
    public LogReplay(Tailer tailer, List<SegmentHeader> segments, OpeningProgress progress) {
        this.tailer = tailer;
        this.segments = segments;
        this.progress = progress;
    }

    /**
     * Goes from {@code position}, where record {@code sequence} is the last one before, to {@code logEnd}.
     *
     * @throws CorruptLogException if that cannot be read, or a node of the index that is needed is damaged
     */
    StoreRecovery.Replay run(StoreState state, long position, long sequence, long logEnd, Settling settling) {
        if (position > 0) {
            tailer.toRecord(position, sequence + 1);
        } else {
            tailer.toStart();
        }
        return run(state, logEnd, settling);
    }

    /**
     * Goes on from where the tailer is, right behind what the state has, to {@code logEnd}.
     *
     * @throws CorruptLogException as {@link #run(StoreState, long, long, long, Settling)} does
     */
    public StoreRecovery.Replay goOn(StoreState state, long logEnd) {
        return run(state, logEnd, Settling.AT_ONCE);
    }

    private StoreRecovery.Replay run(StoreState state, long logEnd, Settling settling) {
        long from = tailer.nextPosition();
        progress.begin(Step.REPLAY, from, logEnd);
        Replay replay = new Replay(state, progress);
        EntryCursor entries = new EntryCursor();
        while (tailer.nextPosition() < logEnd && tailer.next()) {
            if (tailer.position() >= logEnd) { // appended since, behind a seal: one step goes over both
                tailer.toRecord(tailer.position(), tailer.sequence());
                break;
            }
            progress.at(tailer.position());
            replay.apply(entries.wrap(tailer.payloadUntilNext(), tailer.position()));
        }
        if (tailer.nextPosition() < logEnd) {
            throw new CorruptLogException(
                    fileOf(tailer.nextPosition()),
                    tailer.nextPosition(),
                    "the log ends at " + logEnd + " but cannot be read so far");
        }
        int pending = 0;
        if (settling == Settling.AT_ONCE) {
            replay.settle();
        } else {
            pending = replay.settleLater();
        }
        return new StoreRecovery.Replay(replay.transactions(), replay.changes(), tailer.nextPosition() - from, pending);
    }

    /** The segment in which {@code position} is, if that is there. */
    private String fileOf(long position) {
        long base = position;
        for (SegmentHeader segment : segments) {
            if (segment.basePosition() <= position && position < segment.endPosition()) {
                base = segment.basePosition();
            }
        }
        return LogFileName.segment(base);
    }

    /**
     * Whether values of a checkpoint lie in a segment of which there is nothing, not even a placeholder. Then the index
     * has to get all changes before anyone can tell whether these values are needed. Where there is a placeholder,
     * compaction has moved what was needed, and synced it, before.
     */
    static boolean isAnyGone(SegmentBytes needed, List<SegmentHeader> segments) {
        Set<Long> bases = segments.stream().map(SegmentHeader::basePosition).collect(toSet()); // there may be thousands
        for (int i = 0; i < needed.count(); i++) {
            if (needed.bytes(i) > 0 && !bases.contains(needed.base(i))) {
                return true;
            }
        }
        return false;
    }
}
