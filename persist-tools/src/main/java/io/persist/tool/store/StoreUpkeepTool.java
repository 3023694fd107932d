package io.persist.tool.store;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.StoreStatistics;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.StorePlace;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadText;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Does by hand what a store's writer does by itself: a checkpoint, or compaction. It is the store's writer for that, so
 * no other one may have it open.
 */
public final class StoreUpkeepTool implements LogTool {

    /** Something to do with an open store, and the line that tells what came of it. */
    private interface Work {
        String run(StoreLogger store);
    }

    private final Work work;
    private final StorePlace place;

    private StoreUpkeepTool(Work work, StorePlace place) {
        this.work = work;
        this.place = place;
    }

    /** A tool that writes a checkpoint. */
    public static StoreUpkeepTool checkpointing(StorePlace place) {
        return new StoreUpkeepTool(StoreUpkeepTool::checkpoint, place);
    }

    /**
     * A tool that compacts until little is left to gain.
     *
     * @param budgetBytes about the most that is copied
     */
    public static StoreUpkeepTool compacting(long budgetBytes, StorePlace place) {
        if (budgetBytes < 0) {
            throw new IllegalArgumentException("budget=" + budgetBytes + ", min=0");
        }
        return new StoreUpkeepTool(store -> compact(store, budgetBytes), place);
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        long startNs = System.nanoTime();
        try (StoreLogger store = place.open(log)) {
            long openedNs = System.nanoTime();
            explain(store, log, err);
            sayIfNoCheckpoint(store, log, err);
            String outcome = work.run(store);
            out.println(String.format(
                    Locale.ROOT,
                    "%s: %s, took %.1f ms; opening took %.1f ms",
                    Descriptions.name(log),
                    outcome,
                    (System.nanoTime() - openedNs) / 1e6,
                    (openedNs - startNs) / 1e6));
            return ExitCode.OK;
        }
    }

    /** A writer ended without closing the store, or some of its files were of no use. */
    private static void explain(StoreLogger store, Storage log, PrintStream err) {
        if (!store.logRecovery().isUneventful()) {
            err.println("persist: " + Descriptions.name(log) + ": "
                    + PayloadText.visible(store.logRecovery().explain()));
        }
        if (!store.recovery().isUneventful()) {
            err.println("persist: " + Descriptions.name(log) + ": "
                    + PayloadText.visible(store.recovery().explain()));
        }
    }

    /** A store that has them elsewhere is opened without them, as long as the log has its beginning. */
    private void sayIfNoCheckpoint(StoreLogger store, Storage log, PrintStream err) {
        if (store.recovery().checkpoint().isNone() && store.size() > 0) {
            Storage checkpoints = place.checkpoints(log);
            err.println("persist: " + Descriptions.name(log) + ": no checkpoint was found in "
                    + Descriptions.name(checkpoints) + "; if the store has a directory for them, name it with"
                    + " --checkpoints the next time, and now move there what was written here: "
                    + PayloadText.visible(Checkpoints.moving(checkpoints, "DIRECTORY")));
        }
    }

    private static String checkpoint(StoreLogger store) {
        long bytes = store.checkpoint();
        StoreStatistics.Checkpoint checkpoint = store.statistics().checkpoint();
        String file = CheckpointName.of(checkpoint.position()) + " with " + Descriptions.number(store.size(), "key")
                + " in " + Descriptions.number(bytes, "byte");
        return checkpoint.written() == 0 ? "nothing new since " + file : "wrote " + file;
    }

    private static String compact(StoreLogger store, long budgetBytes) {
        double before = store.statistics().spaceRatio();
        long given = store.compact(budgetBytes);
        StoreStatistics after = store.statistics();
        String outcome = String.format(
                Locale.ROOT,
                "gave back %d bytes of %s, moved %d bytes, space ratio %.2f, was %.2f",
                given,
                Descriptions.number(after.compaction().vacatedSegments(), "segment"),
                after.compaction().movedBytes(),
                after.spaceRatio(),
                before);
        int waiting = after.compaction().waitingSegments();
        int unmovable = after.compaction().unmovableSegments();
        int damaged = after.compaction().damagedSegments();
        return outcome
                + (waiting == 0 ? "" : ", " + Descriptions.number(waiting, "segment") + " still in use")
                + (damaged == 0 ? "" : ", " + Descriptions.number(damaged, "damaged segment") + " left alone")
                + (unmovable == 0 ? "" : ", " + unmovable(unmovable));
    }

    /** Not a matter for this command, which goes on with segments of the newest length. */
    private static String unmovable(int count) {
        return Descriptions.number(count, "segment") + " kept by values too long for a new segment: replace or remove"
                + " these, or open the store with the former segmentLength and call compact()";
    }
}
