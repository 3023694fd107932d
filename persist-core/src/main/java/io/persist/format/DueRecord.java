package io.persist.format;

/**
 * The record that is due at the end of a log. An earlier life may have stored the header of one with its number there,
 * and of later ones behind it, and a crash may have kept these and nothing else.
 *
 * @param sequence its number, 0 if that is not known
 * @param position where it is due
 * @param synced up to where the log is known to be synced, 0 if that is not known
 */
public record DueRecord(long sequence, long position, long synced) {

    /** No log has more records behind one place: a generous bound tells numbers from other bytes. */
    private static final long MAX_RECORDS = 1L << 40;

    /** The highest number of a frame behind that place. */
    public long maxSequence() {
        long most = Long.MAX_VALUE - 1;
        return sequence == 0 || sequence > most - MAX_RECORDS ? most : sequence + MAX_RECORDS;
    }

    /**
     * Whether a frame at {@code at} can have the number {@code found} and say that the log was synced up to {@code
     * syncedThen}: no number is further ahead than there is room for headers, and what was synced is known.
     */
    boolean allows(long at, long found, long syncedThen) {
        long ahead = found - sequence;
        return sequence > 0
                && ahead >= 0
                && ahead <= (at - position) / Frame.HEADER_LENGTH
                && syncedThen <= Math.max(position, synced)
                && syncedThen % Frame.ALIGNMENT == 0;
    }
}
