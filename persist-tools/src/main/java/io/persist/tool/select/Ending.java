package io.persist.tool.select;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.tool.text.Descriptions;
import org.jspecify.annotations.Nullable;

/**
 * Why a reader found no further record.
 *
 * @param kind what there is in place of one
 * @param message one line about it, empty at a plain end
 */
public record Ending(Kind kind, String message) {

    public enum Kind {
        /** The log ends there, for now. */
        END,
        /** What follows was never acknowledged; the next writer cuts it off. */
        TORN,
        /** A writer has gone on since. */
        MORE,
        /** Records were there that cannot be read. */
        DAMAGED
    }

    public static final Ending PLAIN = new Ending(Kind.END, "");

    /**
     * Looks at the place where the next record should begin.
     *
     * @param next that place
     * @param damage what the reader found there; null if it found nothing
     */
    public static Ending at(Storage log, long next, @Nullable CorruptLogException damage) {
        EndOfLog end = EndOfLog.of(log);
        Inspection inspection = end.inspection();
        ScanFindings findings = end.findings();
        if (end.isDamaged()) {
            return new Ending(Kind.DAMAGED, end.damage());
        }
        if (damage != null && findings.tail() != next) { // below it: a repair, or a backup, has taken records away
            return new Ending(Kind.DAMAGED, oneLine(damage));
        }
        if (findings.tail() > next) {
            return new Ending(Kind.MORE, "");
        }
        if (findings.row().decision() == Decision.TRUNCATE
                && !inspection.writer().mayWrite()) {
            return new Ending(Kind.TORN, Descriptions.tornTail(inspection));
        }
        return PLAIN;
    }

    /**
     * The same if there still is no record although the log goes on: either damage that looks like unused space, or
     * what a killed writer had written and not published, which the next writer does.
     */
    public static Ending atSilence(Storage log, long next) {
        Inspection inspection = new LogInspector(log).inspect(Start.BEGINNING);
        if (inspection.findings().tail() > next) {
            return new Ending(
                    Kind.TORN,
                    "whole records from position " + next + " on were written but not published;"
                            + " the next writer publishes them");
        }
        return new Ending(Kind.DAMAGED, Descriptions.damage(inspection));
    }

    private static String oneLine(CorruptLogException damage) {
        return String.valueOf(damage.getMessage());
    }
}
