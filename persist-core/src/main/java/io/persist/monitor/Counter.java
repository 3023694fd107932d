package io.persist.monitor;

import java.util.Locale;

/**
 * The counters in the control block: what a log has done since it was opened. Each is a 64-bit number at a place of its
 * own. Those of different owners never share 128 bytes, the pair of cache lines that a CPU fetches at once, so no
 * thread that counts slows down another one. Part of the file format. Never change one; add new ones in the free places
 * of their owner.
 */
public enum Counter {
    OPENED_AT_MS(512, Unit.MS_SINCE_1970, Owner.APPENDER, "when the log was opened, by the wall clock; 0: not known"),
    RECORDS(520, Unit.COUNT, Owner.APPENDER, "records appended"),
    BYTES(528, Unit.BYTES, Owner.APPENDER, "payload bytes appended"),
    COMMITS(536, Unit.COUNT, Owner.APPENDER, "commits that ended at least one record"),
    ROLLS(544, Unit.COUNT, Owner.APPENDER, "changes to a new segment"),
    STALLS(552, Unit.COUNT, Owner.APPENDER, "waits of the appender for filled space"),
    STALL_NS(560, Unit.NS, Owner.APPENDER, "how long it waited in all"),
    STALL_MAX_NS(568, Unit.NS, Owner.APPENDER, "the longest of these waits"),
    REFUSALS(
            600,
            Unit.COUNT,
            Owner.APPENDER,
            "of these waits, those that ended without space: full disk, or no segment"),
    PACES(584, Unit.COUNT, Owner.APPENDER, "times that the appender was slowed down to the speed of the filler"),
    PACE_NS(592, Unit.NS, Owner.APPENDER, "how long that took in all"),
    SYNCED_COMMITS(576, Unit.COUNT, Owner.APPENDER, "commits for which a thread waited until they were synced"),

    SYNCS(640, Unit.COUNT, Owner.SYNCER, "times that the device was told to flush"),
    SYNC_NS(648, Unit.NS, Owner.SYNCER, "how long that took in all"),
    SYNC_MAX_NS(656, Unit.NS, Owner.SYNCER, "the longest of these syncs"),
    SYNC_BEGAN_AT_MS(664, Unit.MS_SINCE_1970, Owner.SYNCER, "when the sync under way began; 0: there is none"),

    SEGMENTS_FILLED(768, Unit.COUNT, Owner.FILLER, "segments filled ahead"),
    FILLED_BYTES(776, Unit.BYTES, Owner.FILLER, "bytes filled ahead"),

    QUEUE_CAPACITY(896, Unit.COUNT, Owner.QUEUE_READER, "entries that the queue has room for; 0: there is no queue"),
    QUEUE_DEPTH(904, Unit.COUNT, Owner.QUEUE_READER, "entries in the queue now"),
    QUEUE_MAX_DEPTH(912, Unit.COUNT, Owner.QUEUE_READER, "the most entries there have been"),
    BATCHES(920, Unit.COUNT, Owner.QUEUE_READER, "times that entries were taken out of the queue together"),
    BATCH_ENTRIES(928, Unit.COUNT, Owner.QUEUE_READER, "entries taken out of the queue"),
    BATCH_MAX(936, Unit.COUNT, Owner.QUEUE_READER, "the most entries taken out together"),

    QUEUE_FULL(1024, Unit.COUNT, Owner.PRODUCERS, "times that a producer found the queue full"),
    QUEUE_WAIT_NS(1032, Unit.NS, Owner.PRODUCERS, "how long producers waited for room in all");

    /** What a counter counts. */
    public enum Unit {
        COUNT(""),
        BYTES("B"),
        NS("ns"),
        MS_SINCE_1970("ms since 1970");

        private final String symbol;

        Unit(String symbol) {
            this.symbol = symbol;
        }

        /** What stands behind a number; empty if it is one of things. */
        public String symbol() {
            return symbol;
        }
    }

    /** The thread that counts; one thread at a time writes. */
    public enum Owner {
        /** The appending thread. */
        APPENDER,
        /** The thread that syncs, under the lock of the syncs. */
        SYNCER,
        /** The filler thread. */
        FILLER,
        /** The thread that takes entries out of the queue and appends them. */
        QUEUE_READER,
        /** All threads that put entries into the queue; {@link #QUEUE_READER} brings here what they have counted. */
        PRODUCERS
    }

    private final int offset;
    private final Unit unit;
    private final Owner owner;
    private final String meaning;
    private final String label;

    Counter(int offset, Unit unit, Owner owner, String meaning) {
        this.offset = offset;
        this.unit = unit;
        this.owner = owner;
        this.meaning = meaning;
        this.label = label(name());
    }

    private static String label(String name) {
        StringBuilder label = new StringBuilder();
        for (String word : name.toLowerCase(Locale.ROOT).split("_")) {
            label.append(label.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return label.toString();
    }

    /** Where it is in the control block. */
    public int offset() {
        return offset;
    }

    /** The unit of the counter's values. */
    public Unit unit() {
        return unit;
    }

    /** The thread that counts. */
    public Owner owner() {
        return owner;
    }

    /** A few words for people. */
    public String meaning() {
        return meaning;
    }

    /** The name as people see it, such as {@code syncMaxNs}. */
    public String label() {
        return label;
    }
}
