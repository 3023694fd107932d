package io.persist.tool.select;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.tool.ExitCode;
import io.persist.tool.text.Descriptions;
import java.io.PrintStream;

/**
 * Where a log ends, as opening it would find. Every tool that shows records or numbers asks this, and says it if the
 * end is damaged: what is shown is not all of the log then.
 */
public record EndOfLog(Storage log, Inspection inspection) {

    /** Looks at {@code log} now. */
    public static EndOfLog of(Storage log) {
        return new EndOfLog(log, new LogInspector(log).inspect(Start.TRUSTED));
    }

    public ScanFindings findings() {
        return inspection.findings();
    }

    /** The number of the last good record, 0 if there is none. */
    public long lastSequence() {
        return findings().lastSequence();
    }

    public boolean isDamaged() {
        return findings().row().decision() == Decision.CORRUPT;
    }

    /** What is damaged; empty if nothing is. */
    public String damage() {
        return isDamaged() ? Descriptions.damage(inspection) : "";
    }

    /** @throws CorruptLogException if the end is damaged */
    public void requireGood() {
        if (isDamaged()) {
            throw findings().corruption();
        }
    }

    /** Says what is damaged, if anything is; returns the exit code. */
    public int say(PrintStream err) {
        if (!isDamaged()) {
            return ExitCode.OK;
        }
        err.println("persist: " + Descriptions.name(log) + ": " + damage()
                + "; what is shown ends there, run verify: it says what can be done");
        return ExitCode.FAILURE;
    }
}
