package io.persist.log;

import java.util.List;
import java.util.Locale;

/**
 * What opening a log found and did.
 *
 * @param start how the log had been left
 * @param row the label of the row of the {@link RecoveryTable} that applied
 * @param meaning what the row means
 * @param firstPosition where the log begins
 * @param tailPosition where the log ended after recovery, and appending went on
 * @param lastSequence number of the last record, 0 if there is none
 * @param scannedFrom the position from which on frames were checked
 * @param scannedRecords how many records were checked
 * @param syncedPosition up to where the log was known to be synced
 * @param cutBytes how much was cut off, none of it acknowledged
 * @param setAside the files in which what was cut off is kept
 * @param elapsedNs how long it took
 */
public record RecoveryReport(
        Left start,
        String row,
        String meaning,
        long firstPosition,
        long tailPosition,
        long lastSequence,
        long scannedFrom,
        long scannedRecords,
        long syncedPosition,
        long cutBytes,
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
        /** The operating system stopped too, or it is not known: only what was synced is sure to be there. */
        POWER_CUT,
        /** An I/O error had ended the log's life. */
        FAILED
    }

    /** One readable line. */
    public String describe() {
        String how = switch (start) {
            case NEW -> "new log";
            case CLOSED -> "log was closed";
            case KILLED -> "writer was killed";
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
}
