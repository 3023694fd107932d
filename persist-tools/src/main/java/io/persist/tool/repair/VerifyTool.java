package io.persist.tool.repair;

import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.log.recovery.AsideFile;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.store.checkpoint.CheckpointFile;
import io.persist.store.checkpoint.CheckpointFile.Depth;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.StorePlace;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.JsonLine;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Checks every record of a log, and every checkpoint if it is a store, and says in which state the log is. */
public final class VerifyTool implements LogTool {

    /** A log's state. */
    enum Status {
        CLEAN,
        LIVE,
        TORN,
        /** Its records are good, but the store does not open. */
        REFUSED,
        SET_BACK,
        DAMAGED;

        static Status of(Inspection log) {
            Decision decision = log.findings().row().decision();
            if (decision == Decision.CORRUPT) {
                return DAMAGED;
            }
            if (Descriptions.isLive(log)) {
                return LIVE; // what follows the last record may be the next one, half stored
            }
            if (log.findings().isSetBack()) {
                return SET_BACK;
            }
            return decision == Decision.TRUNCATE ? TORN : CLEAN;
        }
    }

    private static final String CUT =
            "repair cuts the log at the damage and keeps everything from there on in files aside";

    private static final String CHECKPOINTS = "cannot read the checkpoints";

    /** How often a writer may replace checkpoints while they are compared with its log. */
    private static final int MAX_ATTEMPTS = 5;

    private final Output output;
    private final LongConsumer progress;
    private final StorePlace place;
    private final @Nullable UnreadableParts unreadable;

    /**
     * A check of whole logs.
     *
     * @param progress is told the base position of each segment before it is checked
     */
    public VerifyTool(Output output, LongConsumer progress) {
        this(output, progress, StorePlace.ONE);
    }

    /** The same for stores whose checkpoints are at {@code place}. */
    public VerifyTool(Output output, LongConsumer progress, StorePlace place) {
        this.output = output;
        this.progress = progress;
        this.place = place;
        this.unreadable = null;
    }

    /** A check of what can be read. */
    private VerifyTool(Output output, LongConsumer progress, UnreadableParts unreadable) {
        this.output = output;
        this.progress = progress;
        this.place = log -> unreadable.checkpoints();
        this.unreadable = unreadable;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        try {
            return run(log, out);
        } catch (LogIOException | InternalError e) {
            UnreadableParts parts = UnreadableParts.find(log, place.checkpoints(log), e);
            return new VerifyTool(output, progress, parts).run(parts.log(), out);
        }
    }

    private int run(Storage log, PrintStream out) {
        boolean isStore = SegmentFiles.content(log) == LogContent.TRANSACTIONS;
        List<CheckpointFile> files = isStore ? checkpoints(log) : List.of(); // before the log, so none is ahead of it
        Inspection inspection = new LogInspector(log, progress).inspect(Start.BEGINNING);
        Status status = unreadable != null && unreadable.isOfLog() ? Status.DAMAGED : Status.of(inspection);
        CheckpointReport report = null;
        if (isStore) {
            Inspection trusted = new LogInspector(log).inspect(Start.TRUSTED);
            StoreJudgement judgement = judge(log, trusted);
            if (judgement.kind() != StoreJudgement.Kind.OPENS && status != Status.DAMAGED) {
                status = Status.REFUSED;
            }
            report = report(log, check(log, files, end(inspection, trusted)), judgement, status);
        }
        long vacated = SegmentFiles.vacated(log);
        PersistVersion writtenBy = SegmentFiles.writtenBy(log);
        switch (output) {
            case TEXT -> {
                printText(Descriptions.name(log), status, inspection, out);
                out.println("  " + Descriptions.versions(writtenBy, inspection));
                if (status == Status.DAMAGED && report == null) {
                    out.println(
                            "  what can be done: " + (unreadable != null ? unreadable.remedy() : remedy(inspection)));
                }
                printVacated(vacated, out);
                if (report != null) {
                    report.print(out);
                }
            }
            case JSON -> printJson(log.description(), status, inspection, writtenBy, vacated, report, out);
        }
        boolean isGood = status != Status.DAMAGED && status != Status.REFUSED && (report == null || report.isGood());
        return isGood ? ExitCode.OK : ExitCode.FAILURE;
    }

    @Override
    public int runAside(AsideFile aside, PrintStream out, PrintStream err) {
        return AsideReport.print(aside, output, out);
    }

    /** As opening would, which does not read all of the log. */
    private StoreJudgement judge(Storage log, Inspection trusted) {
        return unreadable != null
                ? unreadable.judge()
                : FileAction.orFail(CHECKPOINTS, () -> StoreJudgement.of(log, place.checkpoints(log), trusted));
    }

    private CheckpointReport report(Storage log, CheckpointCheck check, StoreJudgement judgement, Status status) {
        return FileAction.orFail(
                CHECKPOINTS, () -> CheckpointReport.of(log, place.checkpoints(log), check, judgement, status));
    }

    /** For opening the log goes on after damage that lies where it does not read. */
    private static long end(Inspection whole, Inspection trusted) {
        boolean isDamaged = whole.findings().row().decision() == Decision.CORRUPT;
        return (isDamaged ? trusted : whole).findings().tail();
    }

    private CheckpointCheck check(Storage log, List<CheckpointFile> files, long end) {
        return FileAction.orFail(CHECKPOINTS, () -> {
            CheckpointCheck check = new CheckpointCheck(log, files, end);
            for (int i = 0; i < MAX_ATTEMPTS && check.isOvertaken(place.checkpoints(log)); i++) {
                List<CheckpointFile> newer = checkpoints(log);
                Inspection now = new LogInspector(log).inspect(Start.TRUSTED);
                check = new CheckpointCheck(log, newer, now.findings().tail());
            }
            return check;
        });
    }

    private List<CheckpointFile> checkpoints(Storage log) {
        return FileAction.orFail(CHECKPOINTS, () -> CheckpointFile.list(place.checkpoints(log), Depth.WHOLE));
    }

    /** A cut takes the records after the damage out of the log, and before the first segment it keeps nothing. */
    private static String remedy(Inspection log) {
        ScanFindings findings = log.findings();
        if (findings.areRecordsGone()) {
            return ScanFindings.PUT_BACK;
        }
        if (log.trailing().records() == 0) {
            return CUT + "; so first look for a good copy of " + findings.stop().file();
        }
        String first = LogFileName.segment(findings.firstPosition());
        boolean isFirst = findings.tail() == findings.firstPosition()
                && findings.stop().file().equals(first);
        return isFirst
                ? "move " + first + " away, and the log begins after it; or salvage, which copies"
                        + " what verifies; repair would set all records aside"
                : "salvage writes a new log of all that verifies, also of what is after the damage; or " + CUT
                        + ", out of the log";
    }

    private static void printVacated(long vacated, PrintStream out) {
        if (vacated > 0) {
            out.println("  " + Descriptions.vacated(vacated));
        }
    }

    private void printText(String log, Status status, Inspection inspection, PrintStream out) {
        ScanFindings findings = inspection.findings();
        out.println(log + ": " + headline(status, inspection));
        if (findings.row().decision() == Decision.CORRUPT) {
            out.println("  row " + findings.row().label() + ": "
                    + findings.row().meaning() + "; acknowledged up to position "
                    + findings.proof().acknowledged());
            out.println("  before the damage: " + Descriptions.records(findings));
            out.println("  after it: " + Descriptions.behind(inspection.trailing()));
        } else {
            out.println("  " + Descriptions.records(findings));
            out.println("  last record at position " + findings.lastPosition() + ", synced up to position "
                    + findings.proof().synced());
        }
        if (unreadable != null) {
            unreadable.print(out);
        }
        out.println("  " + Descriptions.writer(inspection));
    }

    private String headline(Status status, Inspection inspection) {
        return switch (status) {
            case CLEAN -> "clean";
            case LIVE -> "live, good up to position " + inspection.findings().tail();
            case TORN -> Descriptions.tornTail(inspection);
            case REFUSED -> "the store does not open, though every record is good";
            case SET_BACK -> Descriptions.setBack(inspection);
            case DAMAGED -> unreadable == null ? Descriptions.damage(inspection) : unreadable.headline(inspection);
        };
    }

    private void printJson(
            String log,
            Status status,
            Inspection inspection,
            PersistVersion writtenBy,
            long vacated,
            @Nullable CheckpointReport report,
            PrintStream out) {
        JsonLine.print(out, json -> {
            json.name("log").value(log);
            json.name("status").value(status);
            json.name("formatVersion").value(SegmentHeader.VERSION);
            json.name("writtenBy").value(writtenBy.toString());
            write(json, inspection);
            if (status == Status.DAMAGED) {
                ScanFindings found = inspection.findings();
                json.name("file").value(unreadable == null ? found.stop().file() : unreadable.file(found));
                json.name("damage").value(unreadable == null ? found.stop().damage() : unreadable.damage(found));
            }
            json.name("vacatedSegments").value(vacated);
            json.name("unreadable").beginArray();
            if (unreadable != null) {
                unreadable.writeTo(json);
            }
            json.endArray();
            if (report != null) {
                report.writeTo(json);
            }
        });
    }

    private static void write(JsonLine json, Inspection inspection) throws IOException {
        ScanFindings findings = inspection.findings();
        json.name("row").value(findings.row().label());
        json.name("writer").value(inspection.writer());
        json.name("pid").value(inspection.pid());
        json.name("writerVersion").value(inspection.writerVersion().toString());
        json.name("records").value(findings.checked().records());
        json.name("firstSequence").value(findings.checked().firstSequence());
        json.name("lastSequence").value(findings.lastSequence());
        json.name("firstPosition").value(findings.firstPosition());
        json.name("lastPosition").value(findings.lastPosition());
        json.name("tailPosition").value(findings.tail());
        json.name("bytes").value(Descriptions.bytes(findings));
        json.name("syncedPosition").value(findings.proof().synced());
        json.name("acknowledgedPosition").value(findings.proof().acknowledged());
        json.name("flushedPosition").value(findings.proof().flushed());
        json.name("missingBytes").value(findings.missingBytes());
        json.name("bytesBehind").value(inspection.trailing().bytes());
        json.name("recordsBehind").value(inspection.trailing().records());
    }
}
