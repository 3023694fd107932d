package io.persist.shard.state;

import static io.persist.shard.state.AppendTable.Decision.ALREADY;
import static io.persist.shard.state.AppendTable.Decision.APPEND;
import static io.persist.shard.state.AppendTable.Decision.EXPIRED;
import static io.persist.shard.state.AppendTable.Decision.INVALID;
import static io.persist.shard.state.AppendTable.Decision.MISMATCH;
import static io.persist.shard.state.AppendTable.Decision.REUSED;
import static io.persist.shard.state.AppendTable.Decision.UNOWNED;

import io.persist.format.FactPattern;
import io.persist.format.FactPattern.Is;
import java.util.List;

/**
 * Decides what becomes of an append. Every combination of facts matches exactly one row. {@code docs/shards.md} prints
 * the same table.
 */
public final class AppendTable {

    /** What is to be done. */
    public enum Decision {
        /** The caller is wrong. */
        INVALID,
        /** The writer is not registered any more. */
        EXPIRED,
        /** The writer that has made the batch is not registered any more: its objects may be gone. */
        UNOWNED,
        /** It has happened before. */
        ALREADY,
        /** The caller is wrong: what has happened with this token is another append. */
        REUSED,
        /** The shard has another upper. */
        MISMATCH,
        /** The batch becomes part of the shard. */
        APPEND
    }

    /**
     * The facts.
     *
     * @param bounded lower is not greater than upper
     * @param placed there is a time between the two, or there are no updates
     * @param registered the writer is in the state
     * @param repeated the writer's last append has the same token
     * @param same the writer's last append has the same upper
     * @param atUpper the shard's upper is lower
     * @param owned the writer that has made the batch's objects is in the state, or there are no objects
     */
    public record Facts(
            boolean bounded,
            boolean placed,
            boolean registered,
            boolean repeated,
            boolean same,
            boolean atUpper,
            boolean owned) {}

    /**
     * A row.
     *
     * @param label its name
     * @param pattern when it matches
     * @param decision what is to be done
     * @param meaning one line for people
     */
    public record Row(String label, FactPattern pattern, Decision decision, String meaning) {

        /** Whether it is for {@code facts}. */
        public boolean matches(Facts facts) {
            return pattern.matches(
                    facts.bounded(),
                    facts.placed(),
                    facts.registered(),
                    facts.repeated(),
                    facts.same(),
                    facts.atUpper(),
                    facts.owned());
        }

        /** The row as the documentation shows it. */
        @Override
        public String toString() {
            return label + " | " + pattern + " | " + decision + " | " + meaning;
        }
    }

    // spotless:off
    private static final List<Row> ROWS = List.of(
            //       bounded placed  regist. repeat. same    atUpper owned
            row("A", Is.OFF, Is.ANY, Is.ANY, Is.ANY, Is.ANY, Is.ANY, Is.ANY, INVALID,  "lower is above upper"),
            row("B", Is.ON,  Is.OFF, Is.ANY, Is.ANY, Is.ANY, Is.ANY, Is.ANY, INVALID,  "updates without a time"),
            row("C", Is.ON,  Is.ON,  Is.OFF, Is.ANY, Is.ANY, Is.ANY, Is.ANY, EXPIRED,  "the writer's lease is over"),
            row("D", Is.ON,  Is.ON,  Is.ON,  Is.ON,  Is.ON,  Is.ANY, Is.ANY, ALREADY,  "it has happened before"),
            row("E", Is.ON,  Is.ON,  Is.ON,  Is.ON,  Is.OFF, Is.ANY, Is.ANY, REUSED,   "the token of another append"),
            row("F", Is.ON,  Is.ON,  Is.ON,  Is.OFF, Is.ANY, Is.OFF, Is.ANY, MISMATCH, "another upper than expected"),
            row("G", Is.ON,  Is.ON,  Is.ON,  Is.OFF, Is.ANY, Is.ON,  Is.OFF, UNOWNED,  "the batch may be swept"),
            row("H", Is.ON,  Is.ON,  Is.ON,  Is.OFF, Is.ANY, Is.ON,  Is.ON,  APPEND,   "the batch joins the shard"));
    // spotless:on

    private AppendTable() {}

    private static Row row(
            String label,
            Is bounded,
            Is placed,
            Is registered,
            Is repeated,
            Is same,
            Is atUpper,
            Is owned,
            Decision decision,
            String meaning) {
        FactPattern pattern = FactPattern.of(bounded, placed, registered, repeated, same, atUpper, owned);
        return new Row(label, pattern, decision, meaning);
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
