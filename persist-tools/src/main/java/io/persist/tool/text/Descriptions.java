package io.persist.tool.text;

import io.persist.file.Storage;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.recovery.TrailingData;
import io.persist.monitor.WriterState;

/** What is known about a log, in words. */
public final class Descriptions {

    private Descriptions() {}

    /** The log's directory on one line: whoever made it chose what is in its name. */
    public static String name(Storage log) {
        return PayloadText.visible(log.description());
    }

    public static String damage(Inspection log) {
        ScanFindings findings = log.findings();
        return "damaged at position " + findings.tail() + ", file "
                + findings.stop().file() + ": " + findings.stop().damage();
    }

    public static String tornTail(Inspection log) {
        ScanFindings findings = log.findings();
        return "torn tail: " + log.trailing().bytes() + " bytes after position " + findings.tail()
                + " were never acknowledged (row " + findings.row().label() + ": "
                + findings.row().meaning() + ")";
    }

    public static String setBack(Inspection log) {
        ScanFindings findings = log.findings();
        return "set back: the log ends at position " + findings.tail()
                + ", but its control block says that it was flushed up to "
                + findings.proof().flushed()
                + " since this machine was started: the volume was mounted anew or restored, or files were changed; "
                + findings.missingBytes() + " bytes that were not synced are not there";
    }

    /** The records up to the log's good end; how many there are only if all of them were checked. */
    public static String records(ScanFindings findings) {
        boolean isAll = findings.checked().fromPosition() <= findings.firstPosition() + SegmentHeader.LENGTH;
        String records = isAll || findings.lastSequence() == 0
                ? count(findings.checked().records(), findings.checked().firstSequence(), findings.lastSequence())
                : "the records up to number " + findings.lastSequence();
        return records + ", positions " + findings.firstPosition() + " to " + findings.tail() + " (" + bytes(findings)
                + " bytes)";
    }

    /** {@code segments} have lost their records. */
    public static String vacated(long segments) {
        return number(segments, "vacated segment")
                + ": compaction has taken their records away, or salvage did not find them, so numbers"
                + " have gaps";
    }

    public static String behind(TrailingData trailing) {
        return trailing.bytes() + " bytes with "
                + count(trailing.records(), trailing.firstSequence(), trailing.lastSequence());
    }

    private static String count(long records, long first, long last) {
        if (records == 0) {
            return "no whole records";
        }
        return records == 1 ? "1 record, sequence " + first : records + " records, sequences " + first + " to " + last;
    }

    public static long bytes(ScanFindings findings) {
        return findings.tail() - findings.firstPosition();
    }

    public static String writer(Inspection log) {
        return writer(log.writer(), log.pid());
    }

    public static String writer(WriterState writer, long pid) {
        return switch (writer) {
            case UNKNOWN ->
                "nothing is known about its last writer (no readable control file, or none has opened the log yet)";
            case CLOSED -> "its writer closed it";
            case LIVE -> "process " + pid + " has it open for writing";
            case UNSEEN ->
                "process " + pid + " has it open for writing, or ended without closing it: it cannot be seen from here,"
                        + " as from another container";
            case KILLED -> "its writer, process " + pid + ", ended without closing it";
            case FAILED -> "its writer, process " + pid + ", met an I/O error";
        };
    }

    /** The version of the format, and which versions of Persist made the newest segment and opened the log last. */
    public static String versions(PersistVersion writtenBy, Inspection log) {
        return "format version " + SegmentHeader.VERSION + ", newest segment made by " + persist(writtenBy)
                + ", last opened for writing by " + persist(log.writerVersion());
    }

    private static String persist(PersistVersion version) {
        return version.isKnown() ? "Persist " + version : "an unknown version";
    }

    /** What is counted by a word that an s makes many. */
    public static String number(long count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }

    public static boolean isLive(Inspection log) {
        return log.writer().mayWrite();
    }
}
