package io.persist.log;

import java.util.List;

/**
 * What opening a log found and did. {@code bin/persist verify} says the same before the log is opened; the tools'
 * {@code RecoveryJson} makes JSON of it.
 *
 * @param log the log's directory
 * @param start how the log had been left
 * @param reason why the log's good part ended where it did
 * @param kept what the log has
 * @param checked what was read to find that out
 * @param cut what was cut off the log
 * @param elapsedNs how long it took
 */
public record RecoveryReport(
        String log, Left start, Reason reason, Kept kept, Checked checked, Cut cut, long elapsedNs) {

    /**
     * Why a log's good part ends at a place.
     *
     * @param row the label of the row that applied, of the recovery table in {@code docs/durability.md}
     * @param meaning what the row means
     * @param damage what was wrong there, empty if the log ended there
     */
    public record Reason(String row, String meaning, String damage) {}

    /**
     * What is in the log. All positions are in bytes from the beginning of the log.
     *
     * @param firstPosition where the log begins
     * @param goodPosition where its good part ended: what was cut off began here
     * @param tailPosition where appending went on: the same place, or after the header of a segment that was begun
     *     there
     * @param lastSequence number of the last record, 0 if there is none
     * @param syncedPosition up to where the log was known to be synced
     * @param flushedPosition up to where the control block said that the log was flushed, 0 if it is of another boot or
     *     says nothing; beyond {@code goodPosition} if the files are older than the control block
     */
    public record Kept(
            long firstPosition,
            long goodPosition,
            long tailPosition,
            long lastSequence,
            long syncedPosition,
            long flushedPosition) {

        /** How many bytes had been flushed, but not synced, and are not there any more; 0 if that is not known. */
        public long missingBytes() {
            return Math.max(0, flushedPosition - goodPosition);
        }
    }

    /**
     * What was read.
     *
     * @param fromPosition the position from which on frames were checked
     * @param records how many records were checked
     */
    public record Checked(long fromPosition, long records) {}

    /**
     * What was cut off.
     *
     * @param bytes how many bytes of the log, none of them acknowledged
     * @param records how many whole records were among them
     * @param setAside the files in which what was cut off is kept, and segments that do not belong to this log
     */
    public record Cut(long bytes, long records, List<String> setAside) {

        /** Of a log that is as it was found. */
        public static final Cut NOTHING = new Cut(0, 0, List.of());
    }

    /** How the last writer left the log. */
    public enum Left {
        /** There was no log. */
        NEW,
        /** The last writer had closed the log. */
        CLOSED,
        /** The last writer was killed. The operating system has run on since, so everything flushed is there. */
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
        return cut.setAside().isEmpty() && (start == Left.NEW || start == Left.CLOSED);
    }

    /** One readable line. */
    public String describe() {
        return new RecoveryWords(this).describe();
    }

    /**
     * A paragraph for people, without a line end: what was found, why, what was kept, what was cut off, where that is
     * now and what can be done with it.
     */
    public String explain() {
        return new RecoveryWords(this).explain();
    }
}
