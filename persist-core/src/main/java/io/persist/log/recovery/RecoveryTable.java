package io.persist.log.recovery;

import io.persist.format.FactPattern;
import io.persist.format.FactPattern.Is;
import java.util.List;

/**
 * Decides what to do at the first place of a log that is not a good frame. {@link LogScan} gathers the facts; every
 * combination of facts matches exactly one row (the idea of TigerBeetle's recovery table). {@code docs/durability.md}
 * prints the same table.
 */
public final class RecoveryTable {

    /** What is to be done. */
    public enum Decision {
        /** The log ends here, and nothing is to be done. */
        END,
        /** What follows was never acknowledged: it is set aside and the log ends here. */
        TRUNCATE,
        /** What was acknowledged is damaged: the log is not opened until it is repaired. */
        CORRUPT
    }

    /**
     * The facts about the place where a scan stopped.
     *
     * <p>Bytes that an earlier life of the file has left count as zeros for {@code empty} and {@code clear}: see
     * {@link io.persist.log.segment.StoredBytes}.
     *
     * @param empty the length is zero, or there is no segment
     * @param bounded the length is possible
     * @param clear all bytes from there to the end of the segment are zero, and those in the segments behind it
     * @param acknowledged the place lies below what was synced, or flushed by a writer that still runs
     * @param later there are valid frames further on
     */
    public record Facts(boolean empty, boolean bounded, boolean clear, boolean acknowledged, boolean later) {

        /** Of a place at which nothing is, and after which nothing comes. */
        static Facts ofEnd() {
            return ofMissingSegment(true, false, false);
        }

        /** Of the base position of a segment that is not there. */
        static Facts ofMissingSegment(boolean clear, boolean acknowledged, boolean later) {
            return new Facts(true, false, clear, acknowledged, later);
        }

        /** Of the base position of a segment that nobody can read, whatever its bytes are. */
        static Facts ofDamagedHeader(boolean acknowledged, boolean later) {
            return new Facts(false, false, false, acknowledged, later);
        }

        /** Of a log that has lost all segments with records, of which some were acknowledged. */
        static Facts ofGoneRecords() {
            return ofMissingSegment(true, true, false);
        }
    }

    /**
     * A row of the table.
     *
     * @param label the row's name in the documents and in reports
     * @param pattern when it matches
     * @param decision what recovery does in this case
     * @param meaning one line for people
     */
    public record Row(String label, FactPattern pattern, Decision decision, String meaning) {

        boolean matches(Facts facts) {
            return pattern.matches(facts.empty(), facts.bounded(), facts.clear(), facts.acknowledged(), facts.later());
        }

        /** The row as the documentation shows it: label, five facts, decision, meaning. */
        @Override
        public String toString() {
            return label + " | " + pattern + " | " + decision + " | " + meaning;
        }
    }

    // spotless:off
    private static final List<Row> ROWS = List.of(
            //       empty   bounded clear   acked   later
            row("A", Is.ON,  Is.ANY, Is.ON,  Is.OFF, Is.OFF, Decision.END,      "the log ends here"),
            row("B", Is.ON,  Is.ANY, Is.OFF, Is.OFF, Is.OFF, Decision.TRUNCATE, "a record that was never published"),
            row("C", Is.OFF, Is.OFF, Is.ANY, Is.OFF, Is.OFF, Decision.TRUNCATE, "torn write: no possible length"),
            row("D", Is.OFF, Is.ON,  Is.ANY, Is.OFF, Is.OFF, Decision.TRUNCATE, "torn write: the record is not whole"),
            row("E", Is.ANY, Is.ANY, Is.ANY, Is.OFF, Is.ON,  Decision.TRUNCATE, "a hole before later unsynced records"),
            row("F", Is.ANY, Is.ANY, Is.ANY, Is.ON,  Is.ANY, Decision.CORRUPT,  "acknowledged records are damaged"));
    // spotless:on

    private RecoveryTable() {}

    private static Row row(
            String label, Is empty, Is bounded, Is clear, Is acked, Is later, Decision decision, String meaning) {
        return new Row(label, FactPattern.of(empty, bounded, clear, acked, later), decision, meaning);
    }

    /** All rows, in the order of the documents. */
    public static List<Row> rows() {
        return ROWS;
    }

    /** The row of a log at whose end nothing follows. */
    static Row end() {
        return lookUp(Facts.ofEnd());
    }

    /** The one row that matches. */
    public static Row lookUp(Facts facts) {
        for (Row row : ROWS) {
            if (row.matches(facts)) {
                return row;
            }
        }
        throw new AssertionError("no row for " + facts);
    }
}
