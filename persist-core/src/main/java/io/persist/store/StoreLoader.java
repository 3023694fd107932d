package io.persist.store;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.format.CheckpointName;
import io.persist.format.SegmentName;
import io.persist.index.KeyBuffer;
import io.persist.log.LogSegment;
import io.persist.log.Tailer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings a store's index back: from the newest checkpoint that can be used, and the log after it. It changes nothing.
 */
final class StoreLoader {

    private final Storage storage;
    private final Checkpoints checkpoints;
    private final long startNs;
    private final List<StoreRecovery.Skipped> skipped = new ArrayList<>();

    /** The state, and how it came about. */
    record Loaded(StoreState state, StoreRecovery recovery) {}

    private record Start(StoreState state, String name, long position, long sequence, long bytes, long keys) {}

    StoreLoader(Storage storage, Checkpoints checkpoints, long startNs) {
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
    Loaded load(Tailer tailer, long logId, long logEnd) throws IOException {
        List<LogSegment> segments = LogSegment.list(storage);
        checkIdentity(segments, logId, logEnd);
        Start start = newest(segments, logId, logEnd);
        boolean loaded = false;
        try {
            Loaded result = replay(start, tailer, segments, logEnd);
            checkNoGap(start);
            loaded = true;
            return result;
        } finally {
            if (!loaded) {
                start.state().close();
            }
        }
    }

    /** Values are read without their frames, which would tell. */
    private static void checkIdentity(List<LogSegment> segments, long logId, long logEnd) {
        for (LogSegment segment : segments) {
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
        LogSegment gap = firstGap(LogSegment.list(storage), start.position());
        if (gap != null) {
            throw new CorruptLogException(
                    SegmentName.of(gap.basePosition()), gap.basePosition(), "its records were taken away meanwhile");
        }
    }

    private Start newest(List<LogSegment> segments, long logId, long logEnd) throws IOException {
        for (long position : checkpoints.list()) {
            Start start = tryLoad(position, segments, logId, logEnd);
            if (start != null) {
                return start;
            }
        }
        LogSegment gap = firstGap(segments, 0);
        if (gap != null) {
            throw new CorruptLogException(
                    skipped.isEmpty() ? "checkpoint" : skipped.get(0).file(),
                    gap.basePosition(),
                    "no checkpoint of the store can be used, and the log's beginning is gone",
                    "restore a checkpoint of this log");
        }
        return new Start(newState(segments), "", 0, 0, 0, 0);
    }

    /**
     * The first segment that shows that records from {@code position} on are gone; null if all are there. Where removes
     * are gone, replay would bring keys back.
     */
    private static @Nullable LogSegment firstGap(List<LogSegment> segments, long position) {
        if (!segments.isEmpty() && segments.get(0).basePosition() > position) {
            return segments.get(0);
        }
        return segments.stream()
                .filter(segment -> segment.isVacated() && segment.endPosition() > position)
                .findFirst()
                .orElse(null);
    }

    private static StoreState newState(List<LogSegment> segments) {
        StoreState state = new StoreState();
        for (LogSegment segment : segments) {
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

    private @Nullable Start tryLoad(long at, List<LogSegment> segments, long logId, long logEnd) throws IOException {
        StoreState state = newState(segments);
        boolean loaded = false;
        try (CheckpointReader reader = checkpoints.open(at)) {
            if (reader.header().logId() != logId) {
                throw new UnsupportedFormatException("checkpoint " + CheckpointName.of(at)
                        + " belongs to another log; give each store a checkpoint directory of its own,"
                        + " or move it away");
            }
            if (at > logEnd) {
                skip(at, "the log ends before it, at " + logEnd);
                return null;
            }
            LogSegment gap = firstGap(segments, at);
            if (gap != null) { // it was deleted, and is back after a power cut
                skip(at, "it is too old: compaction has taken records after it, at " + gap.basePosition());
                return null;
            }
            read(reader, state, logEnd);
            loaded = true;
            return new Start(
                    state,
                    CheckpointName.of(at),
                    at,
                    reader.header().sequence(),
                    checkpoints.length(at),
                    state.index().size());
        } catch (CorruptLogException e) {
            skip(at, String.valueOf(e.getMessage()));
            return null;
        } finally {
            if (!loaded) {
                state.close();
            }
        }
    }

    private void skip(long at, String why) {
        skipped.add(new StoreRecovery.Skipped(at, CheckpointName.of(at), why));
    }

    /** A checkpoint may have changes that came after its position, but none that the log has not. */
    private static void read(CheckpointReader reader, StoreState state, long logEnd) throws IOException {
        KeyBuffer key = new KeyBuffer();
        while (reader.next()) {
            if (reader.position() >= logEnd) {
                throw new CorruptLogException(
                        CheckpointName.of(reader.header().position()),
                        reader.position(),
                        "a value lies behind the end of the log");
            }
            state.index().reserve(1);
            key.set(reader.key(), 0, reader.keyLength());
            state.put(key, reader.position(), reader.length());
        }
    }

    /** The segment in which {@code position} is, if that is there. */
    private static String fileOf(List<LogSegment> segments, long position) {
        long base = position;
        for (LogSegment segment : segments) {
            if (segment.basePosition() <= position && position < segment.endPosition()) {
                base = segment.basePosition();
            }
        }
        return SegmentName.of(base);
    }

    private Loaded replay(Start start, Tailer tailer, List<LogSegment> segments, long logEnd) {
        if (start.position() > 0) {
            tailer.toRecord(start.position(), start.sequence() + 1); // which it refuses to be another one
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
