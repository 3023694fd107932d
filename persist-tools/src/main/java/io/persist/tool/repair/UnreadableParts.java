package io.persist.tool.repair;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogContent;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.tool.salvage.LogSalvage;
import io.persist.tool.salvage.LogSalvage.Place;
import io.persist.tool.salvage.ReadableStorage;
import io.persist.tool.salvage.ReadableStorage.Unreadable;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.JsonLine;
import io.persist.tool.text.PayloadText;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the disk cannot read of a log, and of the checkpoints of a store. They are looked for if something could not be
 * read, and then the rest is looked at by {@link #log} and {@link #checkpoints}.
 */
record UnreadableParts(ReadableStorage log, ReadableStorage checkpoints) {

    private static final String REMEDY =
            "salvage writes a new log of all that can be read and verifies; repair refuses a log of which blocks cannot"
                    + " be read, but not a copy on another disk that has zeros in their place, as ddrescue makes it";

    /**
     * Reads every file of the log and each checkpoint.
     *
     * @param failure why they are looked for
     * @throws LogIOException of that, if all of them can be read
     */
    static UnreadableParts find(Storage log, Storage checkpoints, Throwable failure) {
        ReadableStorage readable = ReadableStorage.of(log);
        UnreadableParts parts =
                new UnreadableParts(readable, checkpoints == log ? readable : ReadableStorage.of(checkpoints));
        try {
            readThrough(parts.log);
            readThrough(parts.checkpoints);
        } catch (IOException e) {
            failure.addSuppressed(e); // it is no block of a file
        }
        if (parts.all().isEmpty()) {
            throw failure instanceof LogIOException told
                    ? told
                    : new LogIOException("cannot read the log: " + failure.getMessage(), failure);
        }
        return parts;
    }

    private static void readThrough(ReadableStorage storage) throws IOException {
        for (String name : storage.list()) {
            if (isOfTheLog(name) || CheckpointName.position(name).isPresent()) {
                try {
                    storage.readThrough(name);
                } catch (FileNotFoundException gone) {
                    continue; // a writer has taken it away
                }
            }
        }
    }

    private static boolean isOfTheLog(String name) {
        return name.equals(LogFileName.CONTROL)
                || LogFileName.basePosition(name).isPresent();
    }

    List<Unreadable> all() {
        return log == checkpoints
                ? log.unreadable()
                : Stream.concat(log.unreadable().stream(), checkpoints.unreadable().stream())
                        .toList();
    }

    /** Whether it is the log of which something cannot be read, and not only checkpoints. */
    boolean isOfLog() {
        return all().stream().anyMatch(part -> isOfTheLog(part.file()));
    }

    /**
     * Whether the store opens all the same, and what helps if it does not. Opening needs what a scan of the log as it
     * is reads; of the rest nothing but zeros is seen, where the values of single keys are.
     */
    StoreJudgement judge() {
        try {
            Inspection trusted = new LogInspector(log.storage()).inspect(Start.TRUSTED);
            return StoreJudgement.of(log, checkpoints.storage(), trusted);
        } catch (LogIOException e) {
            return refused(e);
        } catch (IOException | InternalError e) {
            return refused(new LogIOException("cannot read the store: " + e.getMessage(), e));
        }
    }

    private StoreJudgement refused(LogIOException refusal) {
        List<String> unreadable = all().stream()
                .map(Unreadable::file)
                .filter(name -> CheckpointName.position(name).isPresent())
                .distinct()
                .sorted(Comparator.reverseOrder())
                .toList();
        return StoreJudgement.ofUnreadable(log.storage(), checkpoints.storage(), unreadable, refusal);
    }

    /** What can be done about a log, or a store that does not open. */
    String remedy() {
        boolean isStore = SegmentFiles.content(log) == LogContent.TRANSACTIONS;
        return isStore
                ? refused(new LogIOException("cannot read the store", null)).remedy()
                : REMEDY;
    }

    /** The file in which the log is found to end, or the first of which something cannot be read. */
    String file(ScanFindings findings) {
        return isDamaged(findings) ? findings.stop().file() : all().get(0).file();
    }

    /** What is wrong there. */
    String damage(ScanFindings findings) {
        if (!isDamaged(findings)) {
            return all().get(0).reason();
        }
        long next =
                new LogSalvage(log).next(findings.tail()).map(Place::position).orElse(Long.MAX_VALUE);
        return log.unreadable(findings.tail(), next)
                .map(Unreadable::reason)
                .orElse(findings.stop().damage());
    }

    /** The headline about a log in which something is damaged. */
    String headline(Inspection inspection) {
        ScanFindings findings = inspection.findings();
        return isDamaged(findings)
                ? "damaged at position " + findings.tail() + ", file " + file(findings) + ": " + damage(findings)
                : "damaged: " + Descriptions.number(all().size(), "part") + " of it cannot be read";
    }

    private static boolean isDamaged(ScanFindings findings) {
        return findings.row().decision() == Decision.CORRUPT;
    }

    /** A line for each part. */
    void print(PrintStream out) {
        for (Unreadable part : all()) {
            out.println("  cannot be read: " + part.place() + ": " + PayloadText.visible(part.why()));
        }
    }

    /** An object for each part. */
    void writeTo(JsonLine json) throws IOException {
        for (Unreadable part : all()) {
            json.object(fields -> {
                fields.name("file").value(part.file());
                fields.name("fromByte").value(part.from());
                fields.name("toByte").value(part.to());
                fields.name("fromPosition").value(part.fromPosition());
                fields.name("toPosition").value(part.toPosition());
                fields.name("why").value(part.why());
            });
        }
    }
}
