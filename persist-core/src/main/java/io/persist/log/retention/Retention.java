package io.persist.log.retention;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import io.persist.memory.MissingPage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes the oldest segments away. The segment of the last record always stays. */
final class Retention {

    private final Storage storage;
    private final int segmentLength;
    private final long logId;
    private final LogNeeds needs;

    /**
     * Of the log {@code logId}; a file of another one stays, and all behind it. {@code segmentLength} is that of new
     * segments: only files of this length can be used again.
     */
    Retention(Storage storage, int segmentLength, long logId, LogNeeds needs) {
        this.storage = storage;
        this.segmentLength = segmentLength;
        this.logId = logId;
        this.needs = needs;
    }

    /** What {@code rule} would take from a log whose last record begins at {@code lastPosition}. */
    RetentionPlan plan(RetentionRule rule, long lastPosition, long tail) throws IOException {
        List<RetentionPlan.Item> retired = new ArrayList<>();
        List<RetentionPlan.Held> held = new ArrayList<>();
        LogNeeds.Need need = needs.now();
        long nowMs = System.currentTimeMillis();
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        for (long base : bases) {
            if (rule instanceof RetentionRule.Below below && base >= below.position()) {
                break; // it cannot end below, and need not be read
            }
            RetentionPlan.Item item;
            RetentionPlan.Held fixed;
            try {
                item = sealed(base, lastPosition);
                fixed = fixed(base, item, bases.higher(base), lastPosition);
            } catch (FileNotFoundException gone) {
                continue; // retired since the directory was listed
            } catch (IOException | InternalError e) {
                throw new IOException("file=" + LogFileName.segment(base) + ": " + e.getMessage(), e);
            }
            if (fixed != null && isUnwanted(fixed.segment(), rule, tail, nowMs)) {
                held.add(fixed);
            }
            if (item == null || fixed != null || !isUnwanted(item, rule, tail, nowMs)) {
                break; // and none of those behind it is looked at, of which a log may have thousands
            }
            if (item.endPosition() > need.position()) {
                held.add(new RetentionPlan.Held(item, need.why()));
            } else {
                retired.add(item);
            }
        }
        return new RetentionPlan(List.copyOf(retired), List.copyOf(held));
    }

    /**
     * Why the file at {@code base} has to stay, and with it all behind it, whoever needs it; null if it has not.
     *
     * @param item the segment; null if it is none of the log's, or the last record is not behind it
     * @param next the base of the file behind it; null if there is none
     */
    private RetentionPlan.@Nullable Held fixed(
            long base, RetentionPlan.@Nullable Item item, @Nullable Long next, long lastPosition) throws IOException {
        if (next == null || next > lastPosition) {
            return null;
        }
        if (item != null) {
            return next >= item.endPosition()
                    ? null
                    : new RetentionPlan.Held(
                            item,
                            LogFileName.segment(next)
                                    + " is none of the log's segments, and would be its first file then;"
                                    + " move it away");
        }
        try (SegmentView segment = SegmentView.open(storage, base)) {
            String why = whyNotOfLog(segment);
            return why == null
                    ? null
                    : new RetentionPlan.Held(new RetentionPlan.Item(segment.name(), base, next, 0), why);
        }
    }

    /** Null if it is one of the log's segments. */
    private @Nullable String whyNotOfLog(SegmentView segment) {
        CorruptLogException damage = segment.damage();
        if (damage != null) {
            return "its header cannot be read, so nothing from there on goes: " + damage.damage();
        }
        return segment.header().logId() == logId
                ? null
                : "it is another log's, so nothing from there on goes; move it out of the directory";
    }

    private static boolean isUnwanted(RetentionPlan.Item item, RetentionRule rule, long tail, long nowMs) {
        if (rule instanceof RetentionRule.Below below) {
            return item.endPosition() <= below.position();
        }
        if (rule instanceof RetentionRule.KeepBytes keep) {
            return tail - item.basePosition() > keep.bytes();
        }
        long ageMs = TimeUnit.MILLISECONDS.convert(((RetentionRule.KeepAge) rule).age());
        return nowMs - item.sealedAtMs() > ageMs;
    }

    /** The segment at {@code base}; null if it is none of the log's, or the last record is not behind it. */
    private RetentionPlan.@Nullable Item sealed(long base, long lastPosition) throws IOException {
        try (SegmentView segment = SegmentView.open(storage, base)) {
            boolean isSealed = whyNotOfLog(segment) == null && segment.header().endPosition() <= lastPosition;
            RetentionPlan.Item item = isSealed
                    ? new RetentionPlan.Item(
                            segment.name(), base, segment.header().endPosition(), segment.sealedAtMs())
                    : null;
            MissingPage.check(); // here: at the call of close its error would leave the mapping to the collector
            return item;
        }
    }

    /**
     * Takes the planned segments away, oldest first, so that what remains after an interruption is still one log. Stops
     * at one that a tailer or a cursor has gone to since the plan was made; leaves out what is gone already.
     *
     * @param lastPosition where the log's last record begins
     * @param spares is given the names of the files that can be used again, also of those before a failure
     * @return what was taken away, and what is held by now
     * @throws IllegalArgumentException if the plan is not one of this log, or would leave a segment below one that it
     *     takes away; nothing was taken away
     */
    RetentionPlan apply(RetentionPlan plan, Retirement retirement, long lastPosition, Consumer<String> spares)
            throws IOException {
        Objects.requireNonNull(retirement, "retirement");
        for (RetentionPlan.Item item : plan.retired()) {
            check(item, lastPosition);
        }
        checkNoneIsLeftBelow(plan.retired());
        List<RetentionPlan.Item> taken = new ArrayList<>();
        List<RetentionPlan.Held> held = new ArrayList<>();
        List<String> renamed = new ArrayList<>();
        try {
            held.addAll(needs.take(plan.retired(), item -> take(item, retirement, taken, renamed)));
        } finally {
            renamed.forEach(spares);
        }
        held.addAll(plan.held());
        return new RetentionPlan(List.copyOf(taken), List.copyOf(held));
    }

    /** Throws unless {@code item} is a segment of this log, or is gone. Another log has files of the same names. */
    private void check(RetentionPlan.Item item, long lastPosition) throws IOException {
        boolean isOurs = item.file().equals(LogFileName.segment(item.basePosition()));
        try {
            isOurs &= item.equals(sealed(item.basePosition(), lastPosition));
        } catch (FileNotFoundException gone) {
            // Retired since the plan was made.
        }
        if (!isOurs) {
            throw new IllegalArgumentException("not a plan of this log: file=" + item.file() + ", directory="
                    + storage.description() + "; retire a plan that this log has made");
        }
    }

    /** A caller can make a plan of its own, of some of the segments. No reader would come past a hole in the log. */
    private void checkNoneIsLeftBelow(List<RetentionPlan.Item> retired) throws IOException {
        NavigableSet<Long> left = new TreeSet<>(LogFiles.basePositions(storage));
        for (RetentionPlan.Item item : retired) {
            left.remove(item.basePosition());
            Long older = left.lower(item.basePosition());
            if (older != null) {
                throw new IllegalArgumentException("the plan takes " + item.file() + " and not before it the older "
                        + LogFileName.segment(older) + ": directory=" + storage.description()
                        + "; retire segments from the oldest on, as planRetention has them");
            }
        }
    }

    private void take(
            RetentionPlan.Item item, Retirement retirement, List<RetentionPlan.Item> taken, List<String> renamed)
            throws IOException {
        try {
            storage.identity(item.file());
        } catch (FileNotFoundException gone) {
            return; // retired since the plan was made
        }
        String spare = item.file() + LogFileName.SPARE_SUFFIX;
        boolean fits = item.endPosition() - item.basePosition() == segmentLength;
        boolean isSpare = retirement == Retirement.RECYCLE && fits;
        if (isSpare) {
            storage.rename(item.file(), spare);
        } else {
            storage.delete(item.file());
        }
        try {
            storage.syncDirectory();
        } catch (IOException e) {
            if (isSpare) {
                renameBack(spare, item.file(), e);
            }
            throw e;
        }
        taken.add(item);
        if (isSpare) { // not before the device has its new name: it is written to from then on
            renamed.add(spare);
        }
    }

    /** With its old name the segment is still there to be retired again. */
    private void renameBack(String spare, String segment, IOException cause) {
        try {
            storage.rename(spare, segment);
        } catch (IOException left) { // until the next opening
            cause.addSuppressed(left);
        }
    }
}
