package io.persist.tool.repair;

import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.ShellWord;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.LogRepair;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.StorePlace;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadText;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Cuts a damaged log at its first damage, keeping everything from there on in files aside; or says what that would do.
 * A store is cut only if it opens then: else it is left alone, and what helps is said.
 */
public final class RepairTool implements LogTool {

    private static final String STORE =
            "a store opens this log; if verify finds damage in values or in checkpoints, do what it says";

    private final Effect effect;
    private final StorePlace place;

    public RepairTool(Effect effect) {
        this(effect, StorePlace.ONE);
    }

    /** The same for stores whose checkpoints are at {@code place}. */
    public RepairTool(Effect effect, StorePlace place) {
        this.effect = effect;
        this.place = place;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        LogRepair repair = new LogRepair(log);
        Inspection now;
        try {
            now = repair.plan();
        } catch (LogIOException | InternalError e) {
            return refuse(log, UnreadableParts.find(log, place.checkpoints(log), e), out);
        }
        if (repair.isStore() || isLeftOfAStore(log)) {
            UnreadableParts unreadable = null;
            StoreJudgement store;
            try {
                store = judge(log, now);
            } catch (LogIOException | InternalError e) {
                unreadable = UnreadableParts.find(log, place.checkpoints(log), e);
                store = unreadable.judge();
            }
            if (store.kind() != StoreJudgement.Kind.OPENS && store.kind() != StoreJudgement.Kind.CUT) {
                return unreadable == null ? refuse(log, store, out) : refuse(log, unreadable, out);
            }
        }
        if (now.findings().row().decision() != Decision.CORRUPT) {
            out.println(Descriptions.name(log) + ": nothing to repair: " + (repair.isStore() ? STORE : reason(now)));
            return ExitCode.OK;
        }
        switch (effect) {
            case APPLY -> printDone(log, repair.repair(), repair, out);
            case DRY_RUN -> printPlan(log, now, repair.cursorsBeyond(now), out);
        }
        return ExitCode.OK;
    }

    private static int refuse(Storage log, StoreJudgement store, PrintStream out) {
        out.println(Descriptions.name(log) + ": not repaired, nothing was changed: " + store.refusal());
        out.println("  what can be done: " + store.remedy());
        return ExitCode.FAILURE;
    }

    /** A cut would copy and move what nobody has seen. */
    private static int refuse(Storage log, UnreadableParts parts, PrintStream out) {
        out.println(Descriptions.name(log) + ": not repaired, nothing was changed: not all of it can be read");
        parts.print(out);
        out.println("  what can be done: " + parts.remedy());
        return ExitCode.FAILURE;
    }

    /** Without a segment nothing else tells that checkpoints need the log. */
    private boolean isLeftOfAStore(Storage log) {
        return FileAction.orFail(
                "cannot read the checkpoints",
                () -> !hasSegments(log)
                        && place.checkpoints(log).list().stream()
                                .anyMatch(name -> CheckpointName.position(name).isPresent()));
    }

    private StoreJudgement judge(Storage log, Inspection now) {
        return FileAction.orFail(
                "cannot read the checkpoints", () -> StoreJudgement.of(log, place.checkpoints(log), now));
    }

    private static String reason(Inspection log) {
        boolean isTorn = log.findings().row().decision() == Decision.TRUNCATE;
        if (Descriptions.isLive(log)) {
            return Descriptions.writer(log) + ", and it is good up to position "
                    + log.findings().tail();
        }
        if (log.findings().isSetBack()) {
            return Descriptions.setBack(log) + "; opening the log goes on from there";
        }
        return isTorn ? Descriptions.tornTail(log) + "; opening the log sets them aside" : "the log is clean";
    }

    private static void printPlan(Storage storage, Inspection log, List<String> cursors, PrintStream out) {
        out.println(Descriptions.name(storage) + ": " + Descriptions.damage(log));
        out.println("  would keep: " + Descriptions.records(log.findings()));
        out.println("  would set aside: " + aside(log));
        cursors.forEach(name -> out.println("  would mark: cursor " + name + ", which is behind the damage"));
        printLostNumbers(log, out);
        if (log.trailing().records() > 0) {
            out.println("  in place of that, salvage writes a new log that has what verifies of it too");
        }
        if (Descriptions.isLive(log)) {
            out.println("  but " + Descriptions.writer(log) + ": it has to be closed there first");
        }
        out.println("  dry run: nothing was changed");
    }

    private static void printDone(Storage log, LogRepair.Repaired repaired, LogRepair repair, PrintStream out) {
        out.println(Descriptions.name(log) + ": " + Descriptions.damage(repaired.before()));
        out.println("  kept: " + Descriptions.records(repaired.before().findings()));
        out.println("  set aside: " + aside(repaired.before()));
        repaired.setAside().forEach(file -> out.println("    " + file));
        repaired.cutOff().forEach(name -> out.println("  marked: " + cutOff(log, name)));
        if (!hasSegments(log)) {
            out.println("  no segment is left: the next writer begins the log anew");
            printLostNumbers(repaired.before(), out);
            return;
        }
        ScanFindings after = repair.plan().findings();
        if (after.row().decision() == Decision.CORRUPT) {
            throw new IllegalStateException("still damaged at position " + after.tail() + "; repair again");
        }
        out.println("  the log opens again and goes on at position " + Math.max(after.tail(), SegmentHeader.LENGTH)
                + " with sequence " + (after.lastSequence() + 1));
        printLostNumbers(repaired.before(), out);
    }

    private static String cutOff(Storage log, String name) {
        return "cursor " + name + ", which is behind the damage: its reader is refused until the cursor is removed by"
                + " bin/persist cursors " + PayloadText.visible(ShellWord.of(log.description())) + " --remove "
                + ShellWord.of(name);
    }

    /** Nothing before the cut tells which number is due there, if retention has taken all that was. */
    private static void printLostNumbers(Inspection log, PrintStream out) {
        ScanFindings findings = log.findings();
        boolean hadNumbers = findings.firstPosition() > 0 && log.trailing().records() > 0;
        if (findings.lastSequence() == 0 && hadNumbers) {
            out.println("  no record is left that tells the numbers, which begin at 1 again: only salvage keeps them");
        }
    }

    /** All of it stays on the disk; whole records among it can still be read by hand. */
    private static String aside(Inspection log) {
        return "everything from position " + log.findings().tail() + " on, " + Descriptions.behind(log.trailing());
    }

    private static boolean hasSegments(Storage log) {
        try {
            return log.list().stream()
                    .anyMatch(name -> LogFileName.basePosition(name).isPresent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
