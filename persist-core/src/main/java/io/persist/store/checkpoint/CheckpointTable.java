package io.persist.store.checkpoint;

import io.persist.format.FactPattern;
import io.persist.format.FactPattern.Is;
import java.util.List;

/**
 * Decides which checkpoint recovery uses. {@link CheckpointFit} gathers the facts; every combination of facts has one
 * row, the first one that matches. Opening and {@code verify} both ask it. {@code docs/durability.md} prints the same
 * table.
 */
public final class CheckpointTable {

    /** What is to be done. */
    public enum Decision {
        /** Recovery loads it. */
        USE,
        /** Recovery does without it, and looks at the one before it. */
        SKIP,
        /** The store is not opened. */
        REFUSE
    }

    /** How a checkpoint fits a log. */
    public enum Fit {
        GOOD,
        DAMAGED,
        /** The log ends before it. */
        BEYOND,
        /** Compaction or a lost file has taken away records that come after it. */
        OLD,
        /** A newer version wrote it. */
        NEWER,
        /** It belongs to another log. */
        OTHER,
        /** The record at its position is not the one that comes after it. */
        UNFIT
    }

    /**
     * The facts about a checkpoint and a log; one that has not been looked at yet is false.
     *
     * @param newer a newer version wrote it
     * @param other it belongs to another log
     * @param beyond the log ends before its position
     * @param old records behind its position are gone
     * @param damaged what it has cannot be read, or is impossible
     * @param unfit the log goes on with another record
     */
    public record Facts(boolean newer, boolean other, boolean beyond, boolean old, boolean damaged, boolean unfit) {

        /** Of one that a newer version wrote: this one knows no more of it. */
        static Facts ofNewer() {
            return new Facts(true, false, false, false, false, false);
        }

        /** Of one whose header is damaged: nothing else is known of it. */
        static Facts ofDamagedHeader() {
            return new Facts(false, false, false, false, true, false);
        }
    }

    /**
     * A row of the table: when it matches, and what it means.
     *
     * @param label the row's name in the documents and in reports
     * @param pattern the facts for which it is
     * @param fit how the checkpoint fits the log
     * @param decision what recovery does with the checkpoint
     */
    public record Row(String label, FactPattern pattern, Fit fit, Decision decision) {

        boolean matches(Facts facts) {
            return pattern.matches(
                    facts.newer(), facts.other(), facts.beyond(), facts.old(), facts.damaged(), facts.unfit());
        }

        /** The row as the documentation shows it: label, six facts, fit, decision. */
        @Override
        public String toString() {
            return label + " | " + pattern + " | " + fit + " | " + decision;
        }
    }

    // What costs little to find out stands left: a fact decides only where all that stand left of it are off.
    // spotless:off
    private static final List<Row> ROWS = List.of(
            //       newer   other   beyond  old     damaged unfit
            row("A", Is.ON,  Is.ANY, Is.ANY, Is.ANY, Is.ANY, Is.ANY, Fit.NEWER,   Decision.REFUSE),
            row("B", Is.OFF, Is.ON,  Is.ANY, Is.ANY, Is.ANY, Is.ANY, Fit.OTHER,   Decision.REFUSE),
            row("C", Is.OFF, Is.OFF, Is.ON,  Is.ANY, Is.ANY, Is.ANY, Fit.BEYOND,  Decision.SKIP),
            row("D", Is.OFF, Is.OFF, Is.OFF, Is.ON,  Is.ANY, Is.ANY, Fit.OLD,     Decision.SKIP),
            row("E", Is.OFF, Is.OFF, Is.OFF, Is.OFF, Is.ON,  Is.ANY, Fit.DAMAGED, Decision.SKIP),
            row("F", Is.OFF, Is.OFF, Is.OFF, Is.OFF, Is.OFF, Is.ON,  Fit.UNFIT,   Decision.REFUSE),
            row("G", Is.OFF, Is.OFF, Is.OFF, Is.OFF, Is.OFF, Is.OFF, Fit.GOOD,    Decision.USE));
    // spotless:on

    private CheckpointTable() {}

    private static Row row(
            String label, Is newer, Is other, Is beyond, Is old, Is damaged, Is unfit, Fit fit, Decision decision) {
        return new Row(label, FactPattern.of(newer, other, beyond, old, damaged, unfit), fit, decision);
    }

    /** All rows, in the order of the documents. */
    public static List<Row> rows() {
        return ROWS;
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
