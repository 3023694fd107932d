package io.persist.log.recovery;

import io.persist.error.CorruptLogException;
import io.persist.file.BootId;
import io.persist.format.DueRecord;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.log.RecoveryReport;
import io.persist.log.segment.LogEnd;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LogScan} found.
 *
 * @param firstPosition of the log
 * @param checked what was read
 * @param end where the log ends, as far as it is good
 * @param proof how far it was known to reach
 * @param stop what is at its end
 */
public record ScanFindings(long firstPosition, Checked checked, LogEnd end, Proof proof, Stop stop) {

    /**
     * Which records were checked.
     *
     * @param fromPosition where the scan started
     * @param firstSequence of the first record that was checked, 0 if none was
     * @param records how many there were
     */
    public record Checked(long fromPosition, long firstSequence, long records) {}

    /**
     * How far a log reached by all evidence.
     *
     * @param acknowledged up to where it had been acknowledged
     * @param synced up to where it had been synced
     * @param flushed up to where its control block says that it was flushed, 0 if that is of another boot or says
     *     nothing
     */
    public record Proof(long acknowledged, long synced, long flushed) {}

    /**
     * What is where a log's good part ends.
     *
     * @param row the row of the table that applies
     * @param file the segment in which the good part ends, or the one that is missing or has a damaged header there;
     *     the control block's if it alone tells of records
     * @param damage what is wrong there, if the row is not A
     * @param endOfData the end of what was stored in that segment, as far as that can be told, or was acknowledged;
     *     where the good part ends if the segment is missing or nobody can read it
     */
    public record Stop(RecoveryTable.Row row, String file, String damage, long endOfData) {}

    /** Of a log that is not there yet. */
    public static final ScanFindings NOTHING = new ScanFindings(
            0, new Checked(0, 0, 0), new LogEnd(0, 0, 0), new Proof(0, 0, 0), new Stop(RecoveryTable.end(), "", "", 0));

    /** What helps if no segment is left that has records. */
    public static final String PUT_BACK =
            "put the segments back, or restore a backup; after a repair the log begins anew, without these records";

    private static final long LAST_NUMBER = 1L << 62;

    /** Where the log ends, as far as it is good. */
    public long tail() {
        return end.tail();
    }

    /** Number of the last good record, 0 if there is none. */
    public long lastSequence() {
        return end.lastSequence();
    }

    /** Where that begins, 0 if there is none. */
    public long lastPosition() {
        return end.lastPosition();
    }

    /** No log comes so far: one that says so is forged, and there would be an end to its numbers. */
    boolean areNumbersUsedUp() {
        return lastSequence() < 0 || lastSequence() > LAST_NUMBER;
    }

    /** The record that is due at the end. */
    DueRecord due() {
        return new DueRecord(lastSequence() == 0 ? 0 : lastSequence() + 1, tail(), proof.acknowledged());
    }

    /** The row of the table that applies. */
    public RecoveryTable.Row row() {
        return stop.row();
    }

    /** Why a log with a CORRUPT row is not opened. */
    public CorruptLogException corruption() {
        String what = row().meaning() + " (row " + row().label() + ": " + stop.damage()
                + "), acknowledged up to position " + proof.acknowledged();
        return areRecordsGone()
                ? new CorruptLogException(stop.file(), tail(), what, PUT_BACK)
                : new CorruptLogException(stop.file(), tail(), what);
    }

    /** Whether no segment is left that has records, although some were synced. */
    public boolean areRecordsGone() {
        return stop.file().equals(LogFileName.CONTROL);
    }

    /** Whether there is no segment at all, although records were synced. */
    boolean areSegmentsGone() {
        return areRecordsGone() && tail() == 0;
    }

    /**
     * Whether the files are older than the control block says, although the operating system has run on: the volume was
     * mounted anew or restored, or another program has changed them.
     */
    public boolean isSetBack() {
        return row().decision() != RecoveryTable.Decision.CORRUPT && proof.flushed() > tail();
    }

    /** How many bytes of what the control block calls flushed are not there, although nothing is damaged. */
    public long missingBytes() {
        return isSetBack() ? proof.flushed() - tail() : 0;
    }

    /** How the last writer left the log, as {@code block}, if there is one, tells in the boot {@code boot}. */
    RecoveryReport.Left left(@Nullable ControlBlock block, BootId boot) {
        if (block == null) {
            return RecoveryReport.Left.POWER_CUT;
        }
        if (block.isClean()) {
            return RecoveryReport.Left.CLOSED;
        }
        boolean sameBoot = block.isBoot(boot);
        // Where the boot cannot be told, the pages may still be the ones of the failure.
        if (block.state() == ControlBlock.STATE_FAILED && (sameBoot || boot.equals(BootId.UNKNOWN))) {
            return RecoveryReport.Left.FAILED;
        }
        if (!sameBoot) {
            return RecoveryReport.Left.POWER_CUT;
        }
        return isSetBack() ? RecoveryReport.Left.SET_BACK : RecoveryReport.Left.KILLED;
    }
}
