package io.persist.log.space;

import io.persist.event.OpeningProgress;
import io.persist.event.OpeningProgress.Step;
import io.persist.file.Closing;
import io.persist.format.control.CounterBlock;
import io.persist.log.segment.Segment;
import io.persist.log.segment.ZeroWriter;
import io.persist.log.sync.LogPositions;
import io.persist.monitor.Counter;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The space ahead of the appender: the segments that it has, and how far they are filled with zeros. So the appender
 * finds blocks that belong to the file, and a full disk is an exception in the thread that fills.
 *
 * <p>Space of files that were there before the log was opened is filled again: it may have no blocks, because files are
 * copied with holes.
 *
 * <p><b>Threads:</b> {@link #take} is the appender's; {@link #filled}, {@link #lacksSegment}, {@link #isShort} and
 * {@link #current} any; the rest the filler's.
 */
final class FilledSpace {

    /** Between two looks at what else is to do, or less at the end of a segment. */
    static final int STEP_LENGTH = ZeroWriter.LONG_PIECE_LENGTH;

    /**
     * So many zeros are synced at once. A commit that comes meanwhile waits behind them at the device: with a whole
     * segment that was 30 ms.
     */
    static final int SYNC_LENGTH = 1 << 20;

    private final SegmentSupply supply;
    private final LogPositions positions;
    private final CounterBlock counters;

    /** The segment in which the log went on when it was opened. */
    private final Segment tail;

    /** Those after the current one that have been begun, oldest first. */
    private final Queue<Segment> ready = new ConcurrentLinkedQueue<>();

    private volatile Segment current;
    private volatile boolean lacksSegment;
    private volatile boolean isShort;

    /** Up to here there are zeros or records. */
    private volatile long filled;

    private Segment filling;

    /** Starts with {@code current}, the segment of the log's tail. */
    FilledSpace(SegmentSupply supply, LogPositions positions, CounterBlock counters, Segment current) {
        this.supply = supply;
        this.positions = positions;
        this.counters = counters;
        this.tail = current;
        this.current = current;
        this.filling = current;
        this.filled = positions.published();
    }

    /** The position up to which the appender finds blocks of its own. */
    long filled() {
        return filled;
    }

    /** Whether the last step was none because there was no segment to go on in. */
    boolean lacksSegment() {
        return lacksSegment;
    }

    /**
     * Whether no more space can be made for now, as on a full disk: an attempt has failed, and there never was as much
     * as there should be since.
     */
    boolean isShort() {
        return isShort;
    }

    /**
     * Whether everything before {@code target} is filled, as it should be.
     *
     * @param hasFailed whether the last attempt to make space has
     */
    boolean reaches(long target, boolean hasFailed) {
        boolean reaches = filled >= target;
        boolean isShortNow = hasFailed || isShort && !reaches;
        if (isShortNow != isShort) { // else it is not stored: others read it, and what lies beside it
            isShort = isShortNow;
        }
        return reaches;
    }

    /** The appender's segment. */
    Segment current() {
        return current;
    }

    /** The segment after the current one, or null if it has not been begun. */
    @Nullable
    Segment next() {
        return ready.peek();
    }

    /** The next one, which there is, becomes the current one. From now on it is closed by others. */
    void take() {
        current = ready.element();
        ready.remove();
    }

    /** Fills {@code length} bytes of the segment in which the log goes on, or what is left of it, piece by piece. */
    void fillFirst(long length, int pieceLength) throws IOException {
        long end = Math.min(filling.endPosition(), filled + length);
        fillTo((int) (end - filling.basePosition()), pieceLength);
    }

    /** Fills and syncs whole segments up to {@code end}, and takes their page faults. Before any thread is started. */
    void fillSynced(long end, int pieceLength, OpeningProgress progress) throws IOException {
        progress.begin(Step.PREFILL, filled, end);
        while (filled < end) {
            if (filled == filling.endPosition() && !begin(supply.peek())) {
                supply.make();
                continue;
            }
            int from = (int) (filled - filling.basePosition());
            ZeroWriter.write(filling.fillFile(), from, filling.header().segmentLength(), pieceLength);
            sync();
            if (filling.isMapped()) {
                PageToucher.touchAll(filling);
            }
            filledUpTo(filling.endPosition());
            countFilled();
            progress.at(filled);
        }
    }

    /**
     * Fills a little more.
     *
     * @param pieceLength of the zeros
     * @param syncs whether they are synced, some at a time
     * @return how many bytes it was; 0 if there is no segment for them
     */
    int step(int pieceLength, boolean syncs) throws IOException {
        lacksSegment = filled == filling.endPosition() && !begin(supply.peek());
        if (lacksSegment) {
            return 0;
        }
        int length = filling.header().segmentLength();
        int from = (int) (filled - filling.basePosition());
        int to = Math.min(length, (from / STEP_LENGTH + 1) * STEP_LENGTH);
        fillTo(to, pieceLength);
        if (syncs && (to == length || to % SYNC_LENGTH == 0)) {
            sync();
        }
        if (to == length) {
            countFilled();
        }
        return to - from;
    }

    private void fillTo(int end, int pieceLength) throws IOException {
        Segment segment = filling;
        positions.checkHeld(); // or there may be another writer's records where zeros would be written
        ZeroWriter.write(segment.fillFile(), (int) (filled - segment.basePosition()), end, pieceLength);
        filledUpTo(segment.basePosition() + end);
    }

    private void filledUpTo(long position) {
        counters.add(Counter.FILLED_BYTES, position - filled);
        filled = position;
    }

    /** Goes on in {@code next}, if there is one. */
    private boolean begin(@Nullable Segment next) {
        if (next == null) {
            return false;
        }
        ready.add(next); // first: there may be no memory for that, and one of the two has to close it
        supply.take();
        filling.endFilling();
        filling = next;
        filled = next.basePosition() + next.firstToFill(); // last: the appender takes it when it sees this
        return true;
    }

    /** Whether zeros are only for the page cache now: what is being filled is a file that was used before. */
    boolean hasBlocks() {
        return filling.hasBlocks();
    }

    /**
     * Syncs the segment that is being filled, unless its file has had blocks before. There may be records in it: an
     * error ends the log, as with every sync. A sync of these records by another thread can return before the log has
     * ended. So it must not be by the same descriptor: Linux tells an error to each, but only once.
     */
    void sync() {
        if (filling.hasBlocks()) {
            return;
        }
        try {
            filling.fillFile().sync();
        } catch (IOException e) {
            throw positions.fail("sync of zeros", e);
        }
    }

    private void countFilled() {
        if (filling != tail) {
            counters.add(Counter.SEGMENTS_FILLED, 1);
        }
    }

    /** Closes what the appender has not taken; nobody may fill any more. */
    void close() {
        Closing.each(ready, Segment::close);
        ready.clear();
    }
}
