package io.persist.log.recovery;

import io.persist.error.CorruptLogException;
import io.persist.file.BootId;
import io.persist.format.ControlBlock;
import io.persist.log.RecoveryReport;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LogScan} found.
 *
 * @param firstPosition of the log
 * @param scannedFrom where the scan started
 * @param tail where the log ends, as far as it is good
 * @param firstSequence of the first record that was checked, 0 if none was
 * @param lastSequence of the last good record, 0 if there is none
 * @param lastPosition where it begins, 0 if there is none
 * @param records how many were checked
 * @param acknowledged up to where the log had been acknowledged, by all evidence
 * @param synced up to where it had been synced, by all evidence
 * @param flushed up to where its control block says that it was flushed, 0 if that is of another boot or says nothing
 * @param endOfData the end of the last byte that is not zero in the segment of {@code tail}
 * @param file the segment in which the log's good part ends, or the one that is missing or has a damaged header there
 * @param row the row of the table that applies
 * @param damage what is wrong at {@code tail}, if the row is not A
 */
public record ScanFindings(
        long firstPosition,
        long scannedFrom,
        long tail,
        long firstSequence,
        long lastSequence,
        long lastPosition,
        long records,
        long acknowledged,
        long synced,
        long flushed,
        long endOfData,
        String file,
        RecoveryTable.Row row,
        String damage) {

    /** Of a log that is not there yet. */
    public static final ScanFindings NOTHING =
            new ScanFindings(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "", RecoveryTable.end(), "");

    /** Why a log with a CORRUPT row is not opened. */
    public CorruptLogException corruption() {
        return new CorruptLogException(
                file,
                tail,
                row.meaning() + " (row " + row.label() + ": " + damage + "), acknowledged up to position "
                        + acknowledged);
    }

    /**
     * Whether the files are older than the control block says, although the operating system has run on: the volume was
     * mounted anew or restored, or another program has changed them.
     */
    public boolean isSetBack() {
        return row.decision() != RecoveryTable.Decision.CORRUPT && flushed > tail;
    }

    /** How many bytes of what the control block calls flushed are not there, although nothing is damaged. */
    public long bytesSetBack() {
        return isSetBack() ? flushed - tail : 0;
    }

    /** How the last writer left the log, as {@code block}, if there is one, tells in the boot {@code boot}. */
    RecoveryReport.Left left(@Nullable ControlBlock block, BootId boot) {
        if (block == null) {
            return RecoveryReport.Left.POWER_CUT;
        }
        if (block.isClean()) {
            return RecoveryReport.Left.CLOSED;
        }
        boolean sameBoot = block.isBoot(boot.high(), boot.low());
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
