package io.persist.tool.repair;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.control.NewLogHold;
import io.persist.log.recovery.AsideFile;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.state.EntryCursor;
import io.persist.store.transaction.Transaction;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.salvage.LogSalvage;
import io.persist.tool.salvage.LogSalvage.Missing;
import io.persist.tool.salvage.LogSalvage.Report;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.JsonLine;
import io.persist.tool.text.PayloadText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Writes a new log of everything of a damaged one that verifies, and says what is missing. Of a store every transaction
 * that verifies is committed again, in order, to a new store: where some are missing, older values and removed keys are
 * back, so that this has to be asked for.
 */
public final class SalvageTool implements LogTool {

    /** Whether a store may be made of a log in which transactions are missing. */
    public enum OldValues {
        REFUSE,
        ACCEPT
    }

    /** Whether there may be nothing that is not in what is salvaged. */
    private enum Whole {
        MAYBE,
        NO
    }

    private final FileAction<Storage> target;
    private final Output output;
    private final OldValues oldValues;

    /** A salvage into {@code target}, an empty directory or one to be made. */
    public SalvageTool(Path target, Output output, OldValues oldValues) {
        this(() -> DirectoryStorage.create(target), output, oldValues);
    }

    SalvageTool(FileAction<Storage> target, Output output, OldValues oldValues) {
        this.target = target;
        this.output = output;
        this.oldValues = oldValues;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        return run(log, Whole.MAYBE, out, err);
    }

    /** Of a store that is but a part, so that the new one lacks whatever came before. */
    @Override
    public int runAside(AsideFile aside, PrintStream out, PrintStream err) {
        return run(aside.storage(), Whole.NO, out, err);
    }

    private int run(Storage log, Whole whole, PrintStream out, PrintStream err) {
        if (whole == Whole.MAYBE) {
            SegmentFiles.requireLog(log);
        }
        LogSalvage salvage = new LogSalvage(log);
        Report looked = salvage.look();
        Report found = shown(looked, whole);
        if (found.content() == LogContent.TRANSACTIONS
                && (whole == Whole.NO || !found.missing().isEmpty() || found.vacatedSegments() > 0)
                && oldValues == OldValues.REFUSE) {
            print(log, found, "nothing was written", out);
            err.println("persist: " + Descriptions.name(log) + ": transactions of this store are missing, so that older"
                    + " values and removed keys would be back; to take what is left give --acceptOldValues, else"
                    + " restore a backup");
            return ExitCode.FAILURE;
        }
        if (found.records() == 0) {
            print(log, found, "nothing was written", out);
            return ExitCode.FAILURE;
        }
        Storage place = FileAction.orFail("cannot write the salvaged log", target);
        // It counts what was written, and not what was there before: a writer may have gone on.
        Report written = shown(write(salvage, looked, log, place), whole);
        print(log, written, "written to " + Descriptions.name(place), out);
        return written.missing().isEmpty() ? ExitCode.OK : ExitCode.LOSSES;
    }

    private static Report shown(Report report, Whole whole) {
        return whole == Whole.NO ? AsideReport.withoutFiles(report) : report;
    }

    private static Report write(LogSalvage salvage, Report looked, Storage log, Storage place) {
        if (looked.content() != LogContent.TRANSACTIONS) {
            return salvage.copyTo(looked, place);
        }
        try (NewLogHold hold = NewLogHold.take(place);
                NewFiles files = new NewFiles(place)) {
            Report written = replay(salvage, looked, log, files);
            files.commit();
            hold.keep();
            return written;
        } catch (IOException e) {
            throw notWritten(place, e);
        }
    }

    private static LogIOException notWritten(Storage place, Exception cause) {
        return new LogIOException(
                "cannot write the salvaged store to " + place.description() + ": " + cause.getMessage(), cause);
    }

    private static Report replay(LogSalvage salvage, Report looked, Storage log, Storage place) {
        try (StoreLogger store = open(log, place)) {
            EntryCursor entries = new EntryCursor();
            return salvage.replay(looked, (position, sequence, payload) -> {
                try {
                    commit(store, entries, payload, position);
                } catch (PersistException e) { // it is not the log that fails
                    throw notWritten(place, e);
                }
            });
        }
    }

    private static StoreLogger open(Storage log, Storage place) {
        LogConfig config = LogConfig.builder(Path.of(place.description()))
                .segmentLength(SegmentFiles.lengthForAll(log))
                .build();
        try {
            return StoreLogger.open(StoreConfig.builder(config).build(), place, place);
        } catch (PersistException e) {
            throw notWritten(place, e);
        }
    }

    private static void commit(StoreLogger store, EntryCursor entries, ByteBuffer payload, long position) {
        entries.wrap(payload, position);
        Transaction transaction = store.begin();
        while (entries.next()) {
            byte[] key = bytes(payload, entries.keyIndex(), entries.keyLength());
            if (entries.isPut()) {
                transaction.put(key, bytes(payload, entries.valueIndex(), entries.valueLength()));
            } else if (entries.removesRange()) {
                transaction.removeRange(range(payload, entries));
            } else {
                transaction.remove(key);
            }
        }
        transaction.commit();
    }

    private static KeyRange range(ByteBuffer payload, EntryCursor entries) {
        byte[] first = bytes(payload, entries.keyIndex(), entries.keyLength());
        byte[] below = bytes(payload, entries.valueIndex(), entries.valueLength());
        return below.length == 0 ? KeyRange.from(first) : KeyRange.between(first, below);
    }

    private static byte[] bytes(ByteBuffer payload, int index, int length) {
        byte[] bytes = new byte[length];
        payload.get(index, bytes);
        return bytes;
    }

    private void print(Storage log, Report report, String where, PrintStream out) {
        switch (output) {
            case TEXT -> printText(log, report, where, out);
            case JSON -> printJson(log, report, where, out);
        }
    }

    private static void printText(Storage log, Report report, String where, PrintStream out) {
        out.println(Descriptions.name(log) + ": " + records(report) + "; " + where);
        if (report.vacatedSegments() > 0) {
            out.println("  " + Descriptions.vacated(report.vacatedSegments()));
        }
        printMissing(report, "missing", out);
        if (report.missing().isEmpty()) {
            out.println("  nothing is missing");
        }
    }

    /** How many records verify. */
    static String records(Report report) {
        return Descriptions.number(report.records(), "record") + " verify"
                + (report.records() == 0
                        ? ""
                        : ", sequences " + report.firstSequence() + " to " + report.lastSequence())
                + ", " + Descriptions.number(report.bytes(), "byte");
    }

    /** A line for each stretch that does not verify. */
    static void printMissing(Report report, String word, PrintStream out) {
        for (Missing missing : report.missing()) {
            out.println("  " + word + ": " + numbers(missing) + ", positions " + missing.fromPosition() + " to "
                    + missing.toPosition() + (missing.file().isEmpty() ? "" : ", file " + missing.file()) + ": "
                    + PayloadText.visible(missing.why()));
        }
    }

    private static String numbers(Missing missing) {
        if (missing.lastSequence() == 0) {
            return missing.firstSequence() == 0
                    ? "records of unknown numbers"
                    : "records from " + missing.firstSequence() + " on";
        }
        return missing.firstSequence() == 0
                ? "records up to " + missing.lastSequence()
                : "records " + missing.firstSequence() + " to " + missing.lastSequence();
    }

    private static void printJson(Storage log, Report report, String where, PrintStream out) {
        JsonLine.print(out, json -> {
            json.name("log").value(log.description());
            json.name("result").value(where);
            write(json, report);
        });
    }

    /** What was found, as fields. */
    static void write(JsonLine json, Report report) throws IOException {
        json.name("records").value(report.records());
        json.name("firstSequence").value(report.firstSequence());
        json.name("lastSequence").value(report.lastSequence());
        json.name("bytes").value(report.bytes());
        json.name("vacatedSegments").value(report.vacatedSegments());
        json.name("missing").beginArray();
        for (Missing missing : report.missing()) {
            json.object(fields -> write(fields, missing));
        }
        json.endArray();
    }

    private static void write(JsonLine json, Missing missing) throws IOException {
        json.name("file").value(missing.file());
        json.name("fromPosition").value(missing.fromPosition());
        json.name("toPosition").value(missing.toPosition());
        json.name("firstSequence").value(missing.firstSequence());
        json.name("lastSequence").value(missing.lastSequence());
        json.name("why").value(missing.why());
    }
}
