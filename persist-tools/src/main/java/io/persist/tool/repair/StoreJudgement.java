package io.persist.tool.repair;

import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.PartialStorage;
import io.persist.file.Storage;
import io.persist.file.disk.ShellWord;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.store.StoreRecovery;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.engine.StoreOutlook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a store opens, and what helps if it does not: {@code verify} says it and {@code repair} acts on it. Each
 * remedy has been tried, on what would be there then.
 */
final class StoreJudgement {

    enum Kind {
        OPENS,
        /** It opens once the log is cut at its damage. */
        CUT,
        /** It opens once somebody has moved its checkpoints to where they are looked for. */
        CHECKPOINTS_BESIDE,
        /** It opens once somebody has moved checkpoints away. */
        CHECKPOINTS_AWAY,
        /** Only what is not there any more would help. */
        RESTORE
    }

    private static final String RESTORE =
            "put good copies back of what is damaged or missing, all of one moment, or restore a backup of the store;"
                    + " salvage gets out what is left";

    private static final String NEWER = "open it with the version of Persist that wrote it; else ";

    private static final String ELSEWHERE =
            "name the directory of the store's checkpoints with --checkpoints if it is not this one; else ";

    private final Kind kind;
    private final StoreOutlook outlook;
    private final String remedy;

    private StoreJudgement(Kind kind, StoreOutlook outlook, String remedy) {
        this.kind = kind;
        this.outlook = outlook;
        this.remedy = remedy;
    }

    /** Judges the store whose log was found as {@code log} when it was opened, or looked at as opening would do. */
    static StoreJudgement of(Storage storage, Storage checkpoints, Inspection log) throws IOException {
        StoreOutlook outlook = StoreOutlook.of(storage, checkpoints);
        if (outlook.refusal() == null) {
            return new StoreJudgement(Kind.OPENS, outlook, "");
        }
        if (log.findings().row().decision() == Decision.CORRUPT) {
            return ofDamagedLog(storage, checkpoints, log, outlook);
        }
        StoreRecovery moved = afterMove(storage, checkpoints);
        if (moved != null) {
            return new StoreJudgement(
                    Kind.CHECKPOINTS_BESIDE,
                    outlook,
                    "nothing is lost, the directory of the log has the checkpoints that are missing: "
                            + Checkpoints.moving(storage, ShellWord.of(checkpoints.description()))
                            + " (the store opens then " + from(moved) + ")");
        }
        List<String> away = new ArrayList<>();
        for (String name : newestFirst(checkpoints)) {
            away.add(name);
            Set<String> gone = Set.copyOf(away);
            StoreRecovery then = StoreOutlook.of(storage, new PartialStorage(checkpoints, file -> !gone.contains(file)))
                    .recovery();
            if (then != null) {
                return new StoreJudgement(Kind.CHECKPOINTS_AWAY, outlook, away(away, then));
            }
        }
        String otherwise = orElsewhere(checkpoints) + damagedLongAgo(storage) + RESTORE;
        boolean isNewer = outlook.refusal() instanceof UnsupportedFormatException;
        return new StoreJudgement(Kind.RESTORE, outlook, isNewer ? NEWER + otherwise : otherwise);
    }

    /**
     * Judges a store that does not open since the disk cannot read all of it, as {@code refusal} says. It may open
     * without the newest of its checkpoints. Of the log all is needed: what opening reads, and what has the values of
     * single keys.
     *
     * @param unreadable the checkpoints of which something cannot be read, newest first
     */
    static StoreJudgement ofUnreadable(
            Storage storage, Storage checkpoints, List<String> unreadable, LogIOException refusal) {
        StoreOutlook outlook = new StoreOutlook(null, refusal);
        List<String> away = new ArrayList<>();
        for (String name : unreadable) {
            away.add(name);
            Set<String> gone = Set.copyOf(away);
            try {
                StoreRecovery then = StoreOutlook.of(
                                storage, new PartialStorage(checkpoints, file -> !gone.contains(file)))
                        .recovery();
                if (then != null) {
                    return new StoreJudgement(Kind.CHECKPOINTS_AWAY, outlook, away(away, then));
                }
            } catch (LogIOException another) {
                continue; // opening meets the next of them, or it is the log
            }
        }
        return new StoreJudgement(Kind.RESTORE, outlook, "repair does not help; " + RESTORE);
    }

    private static String away(List<String> names, StoreRecovery then) {
        return "repair does not help; move " + String.join(", ", names) + " out of the directory: the store opens then "
                + from(then);
    }

    /** What opening would find if the checkpoints beside the log were moved to the others; null if it would refuse. */
    private static @Nullable StoreRecovery afterMove(Storage storage, Storage checkpoints) throws IOException {
        if (checkpoints == storage) {
            return null;
        }
        MovedCheckpoints moved = MovedCheckpoints.of(checkpoints, storage);
        return moved.names().isEmpty() ? null : StoreOutlook.of(storage, moved).recovery();
    }

    /**
     * What can be done about a store that opens, though {@code faulty} checkpoints are damaged where opening does not
     * look: a store has two chains of them, but compaction may have overtaken the older one.
     */
    static String remedyOfNodes(Storage storage, Storage checkpoints, Set<String> faulty) {
        StoreOutlook without =
                StoreOutlook.of(storage, new PartialStorage(checkpoints, file -> !faulty.contains(file)));
        StoreRecovery then = without.recovery();
        return then != null
                ? "close the store and move the checkpoints that are named as damaged away: it opens then " + from(then)
                        + ", and nothing is lost"
                : "leave the checkpoints that are named as damaged where they are, since the store would not open"
                        + " without them (" + message(without) + "); " + RESTORE;
    }

    /** A store may have its checkpoints in a directory of their own, and then nothing is wrong with it. */
    private static String orElsewhere(Storage checkpoints) throws IOException {
        return newestFirst(checkpoints).isEmpty() ? ELSEWHERE : "";
    }

    /** Opening needs more of the log than what is after its last sync, and there it may be damaged too. */
    private static String damagedLongAgo(Storage storage) {
        ScanFindings whole = new LogInspector(storage).inspect(Start.BEGINNING).findings();
        return whole.row().decision() == Decision.CORRUPT
                ? "repair leaves the log alone, since all that was committed after the damage at position "
                        + whole.tail() + ", file " + whole.stop().file() + ", would go; "
                : "repair does not help; ";
    }

    private static StoreJudgement ofDamagedLog(
            Storage storage, Storage checkpoints, Inspection log, StoreOutlook outlook) throws IOException {
        long cut = log.findings().tail();
        StoreOutlook after = StoreOutlook.afterCut(storage, checkpoints, cut);
        StoreRecovery then = after.recovery();
        if (then != null) {
            return new StoreJudgement(
                    Kind.CUT,
                    outlook,
                    "repair cuts the log at the damage and keeps everything from there on in files aside; the store"
                            + " opens then " + from(then) + ", without what was committed from position " + cut
                            + " on; so first look for a good copy of "
                            + log.findings().stop().file());
        }
        return new StoreJudgement(
                Kind.RESTORE,
                outlook,
                orElsewhere(checkpoints)
                        + "repair does not help, since the store would not open after a cut at position " + cut + " ("
                        + message(after) + "); " + RESTORE);
    }

    private static List<String> newestFirst(Storage checkpoints) throws IOException {
        return checkpoints.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** From what recovery begins. */
    private static String from(StoreRecovery recovery) {
        return recovery.checkpoint().isNone()
                ? "from the log alone"
                : "from " + recovery.checkpoint().file() + " and the log after it";
    }

    private static String message(StoreOutlook outlook) {
        @Nullable Throwable refusal = outlook.refusal();
        String message = refusal == null ? "" : String.valueOf(refusal.getMessage());
        return message.replace('\n', ' ').replaceFirst("; [^;]*$", ""); // advice for who opens it
    }

    Kind kind() {
        return kind;
    }

    /** Why opening would refuse the store; empty if it would not. */
    String refusal() {
        return message(outlook);
    }

    /** What can be done so that it opens; empty if it does. */
    String remedy() {
        return remedy;
    }

    /** The name of the checkpoint that recovery begins with; empty if it reads the log alone, or refuses the store. */
    String begin() {
        StoreRecovery recovery = outlook.recovery();
        return recovery == null ? "" : recovery.checkpoint().file();
    }

    /** What opening does. */
    String describe() {
        StoreRecovery recovery = outlook.recovery();
        return recovery == null ? "refused, " + refusal() : from(recovery);
    }
}
