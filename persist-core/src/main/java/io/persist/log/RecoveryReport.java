package io.persist.log;

import java.util.List;
import java.util.Locale;

/**
 * What opening a log found and did. {@code bin/persist verify} says the same before the log is opened; the tools'
 * {@code RecoveryJson} makes JSON of it.
 *
 * @param log the log's directory
 * @param start how the log had been left
 * @param row the label of the row of the {@code RecoveryTable} that applied
 * @param meaning what the row means
 * @param damage what was wrong at the place where the log's good part ended, empty if the log ended there
 * @param firstPosition where the log begins
 * @param goodPosition where the log's good part ended: what was cut off began here
 * @param tailPosition where appending went on: the same place, or behind the header of a segment that was begun there
 * @param lastSequence number of the last record, 0 if there is none
 * @param scannedFrom the position from which on frames were checked
 * @param scannedRecords how many records were checked
 * @param syncedPosition up to where the log was known to be synced
 * @param flushedPosition up to where the control block said that the log was flushed, 0 if it is of another boot or
 *     says nothing; beyond {@code goodPosition} if the files are older than the control block
 * @param cutBytes how many bytes of the log were cut off, none of them acknowledged
 * @param cutRecords how many whole records were among them
 * @param setAside the files in which what was cut off is kept, and segments that do not belong to this log
 * @param elapsedNs how long it took
 */
public record RecoveryReport(
        String log,
        Left start,
        String row,
        String meaning,
        String damage,
        long firstPosition,
        long goodPosition,
        long tailPosition,
        long lastSequence,
        long scannedFrom,
        long scannedRecords,
        long syncedPosition,
        long flushedPosition,
        long cutBytes,
        long cutRecords,
        List<String> setAside,
        long elapsedNs) {

    /** How the last writer left the log. */
    public enum Left {
        /** There was no log. */
        NEW,
        /** It had closed it. */
        CLOSED,
        /** It was killed; the operating system runs since, so everything flushed is there. */
        KILLED,
        /**
         * The process was killed, the operating system has run on, and yet the files are older than the control block:
         * the volume was mounted anew or restored, or another program has changed them. Only what was synced is sure to
         * be there.
         */
        SET_BACK,
        /** The operating system stopped too, or it is not known: only what was synced is sure to be there. */
        POWER_CUT,
        /** An I/O error had ended the log's life. */
        FAILED;
    }

    /** Whether the log was as its writer wanted it, so that nothing has to be explained. */
    public boolean isUneventful() {
        return setAside.isEmpty() && (start == Left.NEW || start == Left.CLOSED);
    }

    /** One readable line. */
    public String describe() {
        String how = switch (start) {
            case NEW -> "new log";
            case CLOSED -> "log was closed";
            case KILLED -> "writer was killed";
            case SET_BACK -> "files are older than the control block";
            case POWER_CUT -> "operating system was stopped";
            case FAILED -> "writer had met an I/O error";
        };
        String cut = cutBytes == 0
                ? "nothing cut"
                : cutBytes + " unacknowledged bytes cut and kept in " + String.join(", ", setAside);
        return String.format(
                Locale.ROOT,
                "%s: row %s (%s), positions %d to %d, last sequence %d, %d records checked, %s, took %.1f ms",
                how,
                row,
                meaning,
                firstPosition,
                tailPosition,
                lastSequence,
                scannedRecords,
                cut,
                elapsedNs / 1e6);
    }

    /**
     * A paragraph for people, without a line end: what was found, why, what was kept, what was cut off, where that is
     * now and what can be done with it.
     */
    public String explain() {
        if (start == Left.NEW) {
            return "There was no log; a new one has begun." + aside();
        }
        return left() + " " + kept() + " " + cut() + aside()
                + String.format(
                        Locale.ROOT,
                        " Row %s of the recovery table: %s. Checked: %s from position %d on, in %.1f ms.",
                        row,
                        meaning,
                        number(scannedRecords, "record"),
                        scannedFrom,
                        elapsedNs / 1e6);
    }

    private String left() {
        return switch (start) {
            case NEW -> "There was no log.";
            case CLOSED -> "The last writer had closed the log.";
            case KILLED ->
                "The last writer ended without closing the log, and the operating system has run on since:"
                        + " everything that was flushed is here.";
            case SET_BACK ->
                "The last writer ended without closing the log, and the operating system has run on since, but the"
                        + " files are older than the control block: the volume was mounted anew or restored, or they"
                        + " were changed. Everything that was synced is here.";
            case POWER_CUT ->
                "The operating system has stopped since the log was written, or nobody knows:"
                        + " everything that was synced is here.";
            case FAILED ->
                "The last writer had met an I/O error: everything that could be read has been written again and"
                        + " synced.";
        };
    }

    private String kept() {
        String records = lastSequence == 0 ? "no record" : "all records up to number " + lastSequence;
        return "Kept: " + records + ", positions " + firstPosition + " to " + goodPosition + ", synced up to "
                + Math.min(syncedPosition, goodPosition) + "." + missing();
    }

    /** How many bytes had been flushed, but not synced, and are not there any more; 0 if that is not known. */
    public long missingBytes() {
        return Math.max(0, flushedPosition - goodPosition);
    }

    private String missing() {
        return missingBytes() == 0
                ? ""
                : " Not here: " + number(missingBytes(), "byte") + " that had been flushed, up to position "
                        + flushedPosition + ", and not synced.";
    }

    private String cut() {
        if (cutBytes == 0) {
            return "Nothing was cut.";
        }
        return "Cut off: " + number(cutBytes, "byte") + " from position " + goodPosition + " on with "
                + number(cutRecords, "whole record")
                + ", none acknowledged as safe from such a stop, because of what is"
                + " there: " + damage + ".";
    }

    private String aside() {
        if (setAside.isEmpty()) {
            return "";
        }
        return " Set aside in " + log + ": " + String.join(", ", setAside)
                + ". The command dump shows what is in such a file; append again what is still wanted, then delete it.";
    }

    private static String number(long count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }
}
