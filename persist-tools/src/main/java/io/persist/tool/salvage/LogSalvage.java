package io.persist.tool.salvage;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.log.RecordHandler;
import io.persist.log.control.NewLogHold;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.log.segment.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Copies everything that verifies out of a damaged log, before and behind the damage, and says what is missing. The log
 * is not changed. A record is never taken for another one: each is checked with the salt of its segment and its
 * position.
 *
 * <p><b>Threads:</b> any; each call is for itself.
 */
public final class LogSalvage {

    /**
     * Records that are not there.
     *
     * @param file in which they were, or the first of these files; empty if they are in none
     * @param fromPosition where they begin
     * @param toPosition where the next good record begins, or the end of what could be looked at
     * @param firstSequence the number of the first of them; 0 if it is not known
     * @param lastSequence the number of the last of them; 0 if it is not known
     * @param why what was found in their place
     */
    public record Missing(
            String file, long fromPosition, long toPosition, long firstSequence, long lastSequence, String why) {}

    /**
     * What was found.
     *
     * @param content what the records are
     * @param records how many verify
     * @param firstSequence the number of the first of them, 0 if there is none
     * @param lastSequence the number of the last of them, 0 if there is none
     * @param bytes of their payloads
     * @param vacatedSegments how many segments say that their records were taken away on purpose
     * @param missing what does not verify although it was there, oldest first
     */
    public record Report(
            LogContent content,
            long records,
            long firstSequence,
            long lastSequence,
            long bytes,
            long vacatedSegments,
            List<Missing> missing) {}

    /** Where a record begins, and its number. */
    public record Place(long position, long sequence) {}

    /** What is done with each record, oldest first. */
    interface Taker {
        void take(SegmentHeader header, ByteBuffer segment, int offset) throws IOException;
    }

    static final String TAKEN_AWAY = "records were taken away while they were read; try again, or stop the writer";

    private final ReadableStorage log;

    /** A salvage of the log in {@code storage}: of its blocks that can be read. */
    public LogSalvage(Storage storage) {
        this.log = ReadableStorage.of(storage);
    }

    /**
     * Looks only.
     *
     * @throws LogIOException if there is no log, or it cannot be read
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it
     */
    public Report look() {
        return find((header, segment, offset) -> {});
    }

    /**
     * Hands every record that verifies to {@code handler}. The log may be written meanwhile: what a writer has appended
     * since {@code looked} is there, and what it has retired is not.
     *
     * @param looked what {@link #look} found
     * @return what was handed over
     * @throws LogIOException as {@link #look} says, or if something else is missing or vacated by now
     */
    public Report replay(Report looked, RecordHandler handler) {
        Report handed = find((header, segment, offset) -> {
            ByteBuffer payload = segment.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            payload.limit(offset + Frame.length(segment, offset)).position(offset + Frame.HEADER_LENGTH);
            handler.onRecord(
                    header.basePosition() + offset,
                    Frame.sequence(segment, offset),
                    payload.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN));
        });
        requireSame(looked, handed);
        return handed;
    }

    /**
     * Writes a log of all records that verify. They keep their numbers, and where some are missing numbers jump, as
     * they do where compaction has vacated segments; positions are new.
     *
     * @param looked what {@link #look} found
     * @param target an empty directory; if something goes wrong nothing is left there
     * @return what was written
     * @throws io.persist.error.LogLockedException if a writer has opened a log in the target
     * @throws LogIOException as {@link #replay} says, or if the target is not empty or cannot be written
     */
    public Report copyTo(Report looked, Storage target) {
        try (NewLogHold hold = NewLogHold.take(target);
                SalvagedSegments segments = new SalvagedSegments(target)) {
            Report written = find((header, segment, offset) -> {
                try {
                    segments.append(header, segment, offset);
                } catch (IOException e) { // it is not the log that fails
                    throw notWritten(target, e);
                }
            });
            requireSame(looked, written);
            segments.finish();
            hold.keep();
            return written;
        } catch (IOException e) {
            throw notWritten(target, e);
        }
    }

    private static LogIOException notWritten(Storage target, IOException cause) {
        return new LogIOException(
                "cannot write the salvaged log to " + target.description() + ": " + cause.getMessage(), cause);
    }

    /** Whoever looked has decided by what is not there, and a writer may take away more at any time. */
    private static void requireSame(Report looked, Report now) {
        if (now.records() == 0
                || now.vacatedSegments() != looked.vacatedSegments()
                || !now.missing().equals(looked.missing())) {
            throw new LogIOException(TAKEN_AWAY, null);
        }
    }

    /**
     * The first record at or after {@code position} that verifies; empty if there is none.
     *
     * @throws LogIOException as {@link #look} says
     */
    public Optional<Place> next(long position) {
        Search search = new Search(position);
        return FileAction.orFail("cannot read the log", () -> {
            new GoodFrames(log, search).find(position);
            return Optional.ofNullable(search.found);
        });
    }

    /**
     * The same behind the segment in which {@code position} is.
     *
     * @throws LogIOException as {@link #look} says
     */
    public Optional<Place> nextBehindSegment(long position) {
        return FileAction.orFail("cannot read the log", () -> {
            Long base = LogFiles.basePositions(log).higher(position);
            return base == null ? Optional.empty() : next(base);
        });
    }

    private Report find(Taker taker) {
        Finding finding = new Finding(taker, dueEnd());
        return FileAction.orFail("cannot salvage the log", () -> finding.report(new GoodFrames(log, finding).find(0)));
    }

    /**
     * Whether the log ends at {@code position} since the disk cannot read what is there: a record that was committed,
     * though not acknowledged as synced, may begin there.
     *
     * @throws LogIOException as {@link #look} says
     */
    public boolean isUnreadFrom(long position) {
        return FileAction.orFail("cannot read the log", () -> {
            DueEnd due = new DueEnd(log, new LogInspector(log).inspect(LogScan.Start.TRUSTED));
            return due.acknowledged() <= position && due.after(position) > position;
        });
    }

    private DueEnd dueEnd() {
        try {
            return new DueEnd(log, new LogInspector(log).inspect(LogScan.Start.BEGINNING));
        } catch (PersistException nobodyKnows) {
            return new DueEnd(log, null);
        }
    }

    private static final class Search implements GoodFrames.Receiver {

        private final long from;
        private @Nullable Place found;

        Search(long from) {
            this.from = from;
        }

        @Override
        public boolean record(SegmentHeader header, ByteBuffer segment, int offset) {
            long position = header.basePosition() + offset;
            if (position >= from) {
                found = new Place(position, Frame.sequence(segment, offset));
            }
            return found == null;
        }

        @Override
        public void gap(String file, long begin, long end, String why) {}

        @Override
        public void vacated(SegmentHeader header) {}
    }
}
