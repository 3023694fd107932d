package io.persist.peers.state.compare;

import com.beust.jcommander.Parameter;
import io.persist.command.Checks;
import io.persist.command.UsageException;
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

    /** So that the values that are written in turn fit any heap. */
    private static final int MAX_VALUE_LENGTH = 1 << 20;

    private static final int MAX_MIB = 1 << 20;
    private static final int MAX_RATE = 100_000_000;

    @Parameter(
            names = "--parts",
            order = 1,
            placeholder = "LIST",
            defaultValueDescription = "all",
            description = "what is compared: recovery, space, workflow, parted by commas")
    List<StateComparison.Part> parts = List.of(StateComparison.Part.values());

    @Parameter(
            names = "--engines",
            order = 2,
            placeholder = "LIST",
            defaultValueDescription = "all",
            description = "store, rocksdb, parted by commas; they take turns")
    List<StateEngineKind> engines = List.of(StateEngineKind.values());

    @Parameter(
            names = "--durability",
            order = 3,
            placeholder = "LEVEL",
            description = "what each commit waits for: buffered, flushed or synced")
    Durability durability = Durability.FLUSHED;

    @Parameter(
            names = "--repeats",
            order = 4,
            placeholder = "N",
            description = "how often recovery and workflow are measured; the median of the recovery is shown")
    int repeats = 1;

    @Parameter(
            names = "--values",
            order = 5,
            placeholder = "LIST",
            defaultValueDescription = "100,2048,10240",
            description = "lengths of the values in bytes, parted by commas")
    List<Integer> values = List.of(100, 2048, 10240);

    @Parameter(names = "--keys", order = 6, placeholder = "N", description = "how many keys there are at most")
    int keys = 1_000_000;

    @Parameter(
            names = "--live-mib",
            order = 7,
            placeholder = "MIB",
            description = "the most that keys and values are together, MiB")
    int liveMiB = 512;

    @Parameter(
            names = "--tail-mib",
            order = 8,
            placeholder = "MIB",
            description = "what is written after the checkpoint, for the recovery, MiB")
    int tailMiB = 32;

    @Parameter(
            names = "--rounds",
            order = 9,
            placeholder = "N",
            description = "how often each key is overwritten, in another order each time")
    int rounds = 5;

    @Parameter(
            names = "--rate",
            order = 10,
            placeholder = "N",
            description = "overwrites per second; 0 for as many as possible")
    int rate = 0;

    @Parameter(
            names = "--compaction-mib",
            order = 11,
            placeholder = "MIB",
            description = "what the store's compaction reads and writes, MiB/s; more if garbage is made faster")
    int compactionMiB = (int) (StoreConfig.DEFAULT_BYTES_PER_SECOND >> 20);

    @Parameter(
            names = "--workflow",
            order = 12,
            placeholder = "WxBxT",
            converter = WorkflowSize.Converter.class,
            description = "how many workflows, payload bytes of each task run, tasks per workflow")
    WorkflowSize workflow = new WorkflowSize(1000, 2000, 100);

    @Parameter(
            names = "--clock-rate",
            order = 13,
            placeholder = "N",
            description = "commands per second of the workflow's clock; 0 for as many as make the run 70 s long for it")
    int clockRate = 0;

    @Parameter(
            names = "--commit-every",
            order = 14,
            placeholder = "N",
            description = "commands of the workflow in each commit")
    int commitEvery = 1;

    @Parameter(
            names = "--timers",
            order = 15,
            placeholder = "WHEN",
            description = "when matured timers are deleted: allAtOnce, stepByStep, or openScan, within one that stays")
    TimerPunctuator.Pace timers = TimerPunctuator.Pace.ALL_AT_ONCE;

    @Parameter(
            names = "--timer-step",
            order = 16,
            placeholder = "N",
            description = "timers that are scanned and deleted in one commit")
    int timerStep = 1000;

    /** @throws UsageException if a value is of no use */
    void validate() {
        Checks.range("--repeats", repeats, 1, 1000);
        values.forEach(length -> Checks.range("--values", length, 1, MAX_VALUE_LENGTH));
        Checks.range("--keys", keys, 1, 1e9);
        Checks.range("--live-mib", liveMiB, 1, MAX_MIB);
        Checks.range("--tail-mib", tailMiB, 0, MAX_MIB);
        Checks.range("--rounds", rounds, 1, 1000);
        Checks.range("--rate", rate, 0, MAX_RATE);
        Checks.range("--compaction-mib", compactionMiB, 1, MAX_MIB);
        Checks.range("--clock-rate", clockRate, 0, MAX_RATE);
        Checks.range("--commit-every", commitEvery, 1, 1_000_000);
        Checks.range("--timer-step", timerStep, 1, 1_000_000);
    }

    /** What is written after the checkpoint, bytes. */
    long tailLength() {
        return (long) tailMiB << 20;
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
