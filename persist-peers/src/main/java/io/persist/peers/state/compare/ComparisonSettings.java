package io.persist.peers.state.compare;

import com.beust.jcommander.Parameter;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.log.Durability;
import io.persist.peers.state.StateData;
import io.persist.peers.state.StateEngineKind;
import io.persist.peers.state.workflow.TimerPunctuator;
import io.persist.peers.state.workflow.WorkflowPlan;
import io.persist.peers.state.workflow.WorkflowSize;
import io.persist.store.StoreConfig;
import java.io.IOException;
import java.util.List;

/** The flags of {@link StateComparison}. */
public final class ComparisonSettings {

    /** What an engine takes before anything is in it, bytes. */
    public static final long EMPTY_ENGINE_LENGTH = 512L << 20;

    @Parameter(
            names = {"-?", "--help"},
            help = true,
            description = "Prints this help.")
    boolean help;

    @Parameter(names = "--parts", description = "What is compared.")
    List<StateComparison.Part> parts = List.of(StateComparison.Part.values());

    @Parameter(names = "--engines", description = "The engines, which take turns.")
    List<StateEngineKind> engines = List.of(StateEngineKind.values());

    @Parameter(names = "--values", description = "Lengths of the values, bytes.")
    List<Integer> values = List.of(100, 2048, 10240);

    @Parameter(names = "--keys", description = "How many keys there are at most.")
    int keys = 1_000_000;

    @Parameter(names = "--live-mib", description = "The most that keys and values are together, MiB.")
    int liveMiB = 512;

    @Parameter(names = "--durability", description = "What each commit waits for.")
    Durability durability = Durability.FLUSHED;

    @Parameter(
            names = "--repeats",
            description = "How often recovery and workflow are measured: the median of the recovery is shown.")
    int repeats = 1;

    @Parameter(names = "--tail-mib", description = "What is written after the checkpoint, for the recovery, MiB.")
    int tailMiB = 32;

    @Parameter(names = "--rounds", description = "How often each key is overwritten, in another order each time.")
    int rounds = 5;

    @Parameter(names = "--rate", description = "Overwrites per second; 0: as fast as it goes.")
    int rate = 0;

    @Parameter(
            names = "--compaction-mib",
            description = "The most that the store's compaction reads and writes, MiB/s.")
    int compactionMiB = (int) (StoreConfig.DEFAULT_BYTES_PER_SECOND >> 20);

    @Parameter(
            names = "--workflow",
            converter = WorkflowSize.Converter.class,
            description = "How many workflows, the payload of each task run in bytes, and how many tasks per workflow.")
    WorkflowSize workflow = new WorkflowSize(1000, 2000, 100);

    @Parameter(
            names = "--clock-rate",
            description = "Commands per second of the workflow's clock; 0: as many as make the run 70 s long for it.")
    int clockRate = 0;

    @Parameter(names = "--commit-every", description = "Commands of the workflow in each commit.")
    int commitEvery = 1;

    @Parameter(
            names = "--timers",
            description = "When the workflow's matured timers are deleted: all at once, some after each command, or all"
                    + " within one scan that stays open.")
    TimerPunctuator.Pace timers = TimerPunctuator.Pace.ALL_AT_ONCE;

    @Parameter(names = "--timer-step", description = "Timers that are scanned and deleted in one commit.")
    int timerStep = 1000;

    /** Says what is wrong with the flags, null if nothing is. */
    String complaint() {
        if (clockRate < 0) {
            return "--clock-rate " + clockRate + " is less than 0; give commands per second, or 0";
        }
        if (commitEvery < 1) {
            return "--commit-every " + commitEvery + " is less than 1; give a number of commands";
        }
        if (timerStep < 1) {
            return "--timer-step " + timerStep + " is less than 1; give a number of timers";
        }
        return null;
    }

    /** A directory for an engine whose files are of {@code length} bytes at most. */
    static ScratchDirectory directory(long length) throws IOException {
        return ScratchDirectory.create(length + EMPTY_ENGINE_LENGTH);
    }

    WorkflowPlan workflowPlan() {
        return new WorkflowPlan(workflow, clockRate, commitEvery, timers, timerStep);
    }

    StateData data(int valueLength) {
        return new StateData(keys, valueLength, (long) liveMiB << 20);
    }
}
