package io.persist.log;

import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Takes the oldest segments away. The segment of the last record always stays. */
final class Retention {

    private final Storage storage;
    private final int segmentLength;
    private final Set<Tailer> tailers;

    /** {@code segmentLength} is that of new segments: only files of this length can be used again. */
    Retention(Storage storage, int segmentLength, Set<Tailer> tailers) {
        this.storage = storage;
        this.segmentLength = segmentLength;
        this.tailers = tailers;
    }

    /** What {@code rule} would take from a log whose last record begins at {@code lastPosition}. */
    RetentionPlan plan(RetentionRule rule, long lastPosition, long tail) throws IOException {
        List<RetentionPlan.Item> retired = new ArrayList<>();
        List<RetentionPlan.Held> held = new ArrayList<>();
        long needed = neededPosition();
        long nowMs = System.currentTimeMillis();
        for (RetentionPlan.Item item : sealedSegments(lastPosition)) {
            if (!isUnwanted(item, rule, tail, nowMs)) {
                break;
            }
            if (item.endPosition() > needed) {
                held.add(new RetentionPlan.Held(item, "an open tailer of this process reads at position " + needed));
            } else {
                retired.add(item);
            }
        }
        return new RetentionPlan(List.copyOf(retired), List.copyOf(held));
    }

    /** The base of the oldest segment that a tailer of this process still reads. */
    private long neededPosition() {
        return tailers.stream().mapToLong(Tailer::neededPosition).min().orElse(Long.MAX_VALUE);
    }

    private static boolean isUnwanted(RetentionPlan.Item item, RetentionRule rule, long tail, long nowMs) {
        if (rule instanceof RetentionRule.Below below) {
            return item.endPosition() <= below.position();
        }
        if (rule instanceof RetentionRule.KeepBytes keep) {
            return tail - item.basePosition() > keep.bytes();
        }
        long ageMs = ((RetentionRule.KeepAge) rule).age().toMillis();
        return nowMs - item.sealedAtMs() > ageMs;
    }

    /** The segments before the one of the last record, oldest first, as far as they follow each other. */
    private List<RetentionPlan.Item> sealedSegments(long lastPosition) throws IOException {
        List<RetentionPlan.Item> items = new ArrayList<>();
        for (long base : LogFiles.list(storage).basePositions()) {
            try (ScannedSegment segment = ScannedSegment.open(storage, base)) {
                if (segment.damage() != null || segment.header().endPosition() > lastPosition) {
                    break;
                }
                long sealedAtMs = sealTimeMs(segment);
                items.add(new RetentionPlan.Item(
                        segment.name(), base, segment.header().endPosition(), sealedAtMs));
            }
        }
        return items;
    }

    /**
     * The wall clock in the seal, which is the last thing in a segment; when it was made if the seal cannot be read.
     */
    private static long sealTimeMs(ScannedSegment segment) {
        FrameScanner frames = segment.scanner();
        int seal = Frame.aligned(frames.endOfData(SegmentHeader.LENGTH)) - Frame.SEAL_LENGTH;
        boolean found = seal >= SegmentHeader.LENGTH
                && frames.verdict(seal) == FrameVerdict.VALID
                && Frame.type(frames.segment(), seal) == Frame.TYPE_SEAL;
        return found
                ? Frame.sealTimeMs(frames.segment(), seal)
                : segment.header().createdAtMs();
    }

    /**
     * Takes the planned segments away, oldest first, so that what remains after an interruption is still one log. Stops
     * at one that a tailer has gone to since the plan was made; leaves out what is gone already.
     *
     * @return the names of the files that can be used again, if they are to be
     */
    List<String> apply(RetentionPlan plan, Retirement retirement) throws IOException {
        List<String> spares = new ArrayList<>();
        for (RetentionPlan.Item item : plan.retired()) {
            if (item.endPosition() > neededPosition()) {
                break;
            }
            if (!storage.list().contains(item.file())) {
                continue;
            }
            boolean fits = item.endPosition() - item.basePosition() == segmentLength;
            if (retirement == Retirement.RECYCLE && fits) {
                String spare = item.file() + SegmentName.SPARE_SUFFIX;
                storage.rename(item.file(), spare);
                spares.add(spare);
            } else {
                storage.delete(item.file());
            }
            storage.syncDirectory();
        }
        return spares;
    }
}
