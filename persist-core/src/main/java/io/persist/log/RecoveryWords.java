package io.persist.log;

import io.persist.log.RecoveryReport.Checked;
import io.persist.log.RecoveryReport.Cut;
import io.persist.log.RecoveryReport.Kept;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RecoveryReport.Reason;
import java.util.Locale;

/** Says for people what a {@link RecoveryReport} has. */
final class RecoveryWords {

    private final RecoveryReport report;
    private final Reason reason;
    private final Kept kept;
    private final Checked checked;
    private final Cut cut;

    RecoveryWords(RecoveryReport report) {
        this.report = report;
        this.reason = report.reason();
        this.kept = report.kept();
        this.checked = report.checked();
        this.cut = report.cut();
    }

    String describe() {
        String how = switch (report.start()) {
            case NEW -> "new log";
            case CLOSED -> "log was closed";
            case KILLED -> "writer was killed";
            case SET_BACK -> "files are older than the control block";
            case POWER_CUT -> "operating system was stopped";
            case FAILED -> "writer had met an I/O error";
        };
        String what = cut.bytes() == 0
                ? "nothing cut"
                : cut.bytes() + " unacknowledged bytes cut and kept in " + String.join(", ", cut.setAside());
        return String.format(
                Locale.ROOT,
                "%s: row %s (%s), positions %d to %d, last sequence %d, %d records checked, %s, took %.1f ms",
                how,
                reason.row(),
                reason.meaning(),
                kept.firstPosition(),
                kept.tailPosition(),
                kept.lastSequence(),
                checked.records(),
                what,
                report.elapsedNs() / 1e6);
    }

    String explain() {
        if (report.start() == Left.NEW) {
            return "There was no log; a new one has begun." + aside();
        }
        return left() + " " + kept() + " " + cut() + aside()
                + String.format(
                        Locale.ROOT,
                        " Row %s of the recovery table: %s. Checked: %s from position %d on, in %.1f ms.",
                        reason.row(),
                        reason.meaning(),
                        number(checked.records(), "record"),
                        checked.fromPosition(),
                        report.elapsedNs() / 1e6);
    }

    private String left() {
        return switch (report.start()) {
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
        String records = kept.lastSequence() == 0 ? "no record" : "all records up to number " + kept.lastSequence();
        return "Kept: " + records + ", positions " + kept.firstPosition() + " to " + kept.goodPosition()
                + ", synced up to " + Math.min(kept.syncedPosition(), kept.goodPosition()) + "." + missing();
    }

    private String missing() {
        return kept.missingBytes() == 0
                ? ""
                : " Not here: " + number(kept.missingBytes(), "byte") + " that had been flushed, up to position "
                        + kept.flushedPosition() + ", and not synced.";
    }

    private String cut() {
        if (cut.bytes() == 0) {
            return "Nothing was cut.";
        }
        return "Cut off: " + number(cut.bytes(), "byte") + " from position " + kept.goodPosition() + " on with "
                + number(cut.records(), "whole record")
                + ", none acknowledged as safe from such a stop, because of what is"
                + " there: " + reason.damage() + ".";
    }

    private String aside() {
        if (cut.setAside().isEmpty()) {
            return "";
        }
        return " Set aside in " + report.log() + ": " + String.join(", ", cut.setAside())
                + ". The command dump shows what is in such a file; append again what is still wanted, then delete it.";
    }

    private static String number(long count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }
}
