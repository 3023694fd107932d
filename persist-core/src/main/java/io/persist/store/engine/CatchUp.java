package io.persist.store.engine;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.event.OpeningProgress;
import io.persist.file.Closing;
import io.persist.file.PartialStorage;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.control.WriterPresence;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.store.checkpoint.LogReplay;
import io.persist.store.state.LiveBytes;
import io.persist.store.state.StoreState;
import io.persist.store.value.MappedSegments;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;

/**
 * Takes the state of a {@link ReadStore} on to where the log ends by now, by what is new in the log. It fails if the
 * writer has taken away a part of that; then the state has some of the changes, and is of no use but to the snapshots
 * that were taken of it before.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class CatchUp implements AutoCloseable {

    private final Storage storage;
    private final StoreState state;
    private final MappedSegments segments;
    private final Tailer tailer;
    private final Tailer scout;

    /** Where segments began when the end was found last. */
    private NavigableSet<Long> bases = Collections.emptyNavigableSet();

    /** Of the control block's file; 0 as long as there was none, or it cannot be told. */
    private long control;

    /**
     * Of {@code state}.
     *
     * @param storage of the log
     * @param segments which values are read from
     * @param tailer stands where the state ends
     * @param scout another one, to look for the end with
     * @param control the identity of the control block's file before these were opened
     */
    CatchUp(Storage storage, StoreState state, MappedSegments segments, Tailer tailer, Tailer scout, long control) {
        this.storage = storage;
        this.state = state;
        this.segments = segments;
        this.tailer = tailer;
        this.scout = scout;
        this.control = control;
    }

    /** Of the files of a log those that have something from {@code from}, where a segment begins, to {@code end}. */
    static Storage part(Storage storage, long from, long end) {
        return new PartialStorage(storage, name -> {
            long base = LogFileName.basePosition(name).orElse(from);
            return from <= base && base < end;
        });
    }

    /**
     * Goes on from {@code from}, where the state ends; returns where it ends now.
     *
     * @throws RetiredException if the writer has taken away what is new, or the files are others now
     * @throws CorruptLogException if it has taken it away meanwhile, or it is damaged
     * @throws io.persist.error.IndexFullException if there is no memory for what changes
     */
    long goOn(long from) throws IOException {
        checkSameFiles();
        scout.toEnd();
        long end = scout.nextPosition(); // first of all: the writer may be faster than this
        bases = LogFiles.basePositions(storage);
        if (end == from) {
            checkSameLog(); // where there is a record to read, the tailer does
            return from;
        }
        if (end < from) {
            throw new RetiredException("the log ends at " + end + ", before " + from);
        }
        Storage part = part(storage, lastBase(), end); // the segment of from, and those behind it
        List<SegmentHeader> headers = LogFiles.headers(part);
        addSegments(headers);
        new LogReplay(tailer, headers, OpeningProgress.unsaid()).goOn(state, end);
        checkNoGap(from, LogFiles.headers(part));
        return end;
    }

    /**
     * A restored backup has the same log id, and may have the same names, but the tailers and segments here are of the
     * files that it has replaced.
     */
    private void checkSameFiles() throws IOException {
        long now = WriterPresence.identity(storage);
        if (now != 0 && control != 0 && now != control) {
            throw new RetiredException("the files of the log were replaced");
        }
        control = now == 0 ? control : now;
    }

    private void checkSameLog() throws IOException {
        long logId = tailer.logId();
        if (LogFiles.firstHeader(storage, bases, header -> header.logId() == logId) == null) {
            throw new RetiredException("the log is gone");
        }
    }

    private long lastBase() {
        LiveBytes live = state.live();
        return live.segments() == 0 ? 0 : live.base(live.segments() - 1);
    }

    /** Maps what is new before any of it is looked up, so that nothing is taken away any more. */
    private void addSegments(List<SegmentHeader> headers) {
        LiveBytes live = state.live();
        for (SegmentHeader header : headers) {
            if (header.basePosition() >= live.end()) {
                segments.at(header.basePosition()); // which it refuses if that is vacated
                live.addSegment(header.basePosition(), header.endPosition());
            }
        }
    }

    /** What was just read has none if nothing was taken away behind {@code from}, also not meanwhile. */
    private static void checkNoGap(long from, List<SegmentHeader> headers) {
        long complete = SegmentHeader.completeFrom(headers);
        if (complete > from) {
            throw new RetiredException("the records from " + from + " to " + complete + " were taken away");
        }
    }

    /**
     * Lets go of the segments before {@code end}, where the state ends, that the writer has taken away, and of which
     * nothing is needed here any more. To be called when no snapshot is open that is older than the state is. What
     * cannot be looked at now is left to the next time.
     */
    void dropEmptied(long end) {
        try {
            Set<Long> there = bases.headSet(end);
            LiveBytes live = state.live();
            long last = lastBase(); // in which the state ends
            int kept = 0; // of those that are there
            for (int i = live.segments() - 1; i >= 0; i--) {
                long base = live.base(i);
                boolean isThere = there.contains(base);
                if (base == last || isNeeded(live, i) || isThere && hasRecords(base)) {
                    kept += isThere ? 1 : 0;
                } else {
                    live.removeSegment(base);
                    segments.drop(base);
                }
            }
            live.removePlaceholders(live.placeholders() - (there.size() - kept));
        } catch (IOException | InternalError unreadable) {
            // Whoever needs it finds that out; the space comes back later.
        }
    }

    /** Values that were moved behind the end of the state are needed where they were. */
    private static boolean isNeeded(LiveBytes live, int segment) {
        return live.live(segment) > 0;
    }

    private boolean hasRecords(long base) throws IOException {
        try {
            return !LogFiles.header(storage, base).isVacated();
        } catch (CorruptLogException damaged) {
            return true;
        } catch (FileNotFoundException gone) {
            return false;
        }
    }

    @Override
    public void close() {
        Closing.each(List.of(tailer, scout), Tailer::close);
    }
}
