package io.persist.store.engine;

import io.persist.file.Closing;
import io.persist.format.control.CounterBlock;
import io.persist.format.control.StoreFigure;
import io.persist.index.KeyIndex;
import io.persist.index.MemoryBudget;
import io.persist.index.node.Node;
import io.persist.log.Durability;
import io.persist.log.thread.FreeStack;
import io.persist.log.thread.Turn;
import io.persist.memory.MissingPage;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.StoreStatistics;
import io.persist.store.StoreTuning;
import io.persist.store.checkpoint.CheckpointTrigger;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.checkpoint.StoreLoader;
import io.persist.store.core.Lookups;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.read.ChangeReaders;
import io.persist.store.read.Snapshots;
import io.persist.store.state.StoreState;
import io.persist.store.transaction.SingleOperations;
import io.persist.store.transaction.StoreThread;
import io.persist.store.upkeep.Compactor;
import io.persist.store.upkeep.Patience;
import io.persist.store.upkeep.Tuner;
import io.persist.store.upkeep.Upkeep;
import io.persist.store.value.SegmentHolds;
import java.io.IOException;
import java.util.List;

/**
 * An open store: its parts, from their start to their end. {@code io.persist.StoreLogger} calls the parts for its
 * users.
 *
 * <p><b>Threads:</b> any.
 */
public final class StoreEngine implements AutoCloseable {

    private final StoreCore core;
    private final StoreRecovery recovery;
    private final Snapshots snapshots;
    private final ChangeReaders changes;
    private final Checkpointer checkpointer;
    private final Compactor compactor;
    private final Upkeep upkeep;
    private final Tuner tuner;
    private final SegmentEnd segmentEnd;
    private final Lookups lookups;
    private final WorkspacePool workspaces;
    private final StoreThreads threads;
    private final SingleOperations single;
    private final SegmentHolds holds = new SegmentHolds();

    /** What closing ends, in this order. Made ahead: there may be no memory then. */
    private final List<Runnable> ends;

    /** Of the thread that ends the store. No monitor, see {@link io.persist.log.thread.CallingThread#close}. */
    private final Turn closing = new Turn();

    StoreEngine(StoreCore core, Checkpoints checkpoints, StoreLoader.Loaded loaded, Patience patience)
            throws IOException {
        this.core = core;
        this.recovery = loaded.recovery();
        StoreConfig config = core.config();
        this.lookups = new Lookups(core);
        this.workspaces = new WorkspacePool(core, lookups);
        this.snapshots = new Snapshots(core);
        this.changes = new ChangeReaders(core);
        this.single = new SingleOperations(core, workspaces);
        this.threads = new StoreThreads(core, () -> new StoreThread(core, lookups, workspaces, snapshots, holds.add()));
        CheckpointTrigger trigger = new CheckpointTrigger(config.checkpointPercent(), config.checkpointMinLogBytes());
        this.checkpointer = new Checkpointer(core, checkpoints, trigger, loaded.chain());
        this.compactor = new Compactor(core, workspaces);
        this.upkeep = new Upkeep(core, checkpointer, compactor, patience);
        this.tuner = new Tuner(core, checkpointer, upkeep);
        this.segmentEnd = new SegmentEnd(core, core.commits()::appendNothing);
        this.ends = List.of(
                upkeep::close,
                checkpoints::close, // before the log: another store takes the log first, and then needs them too
                core.writer()::close,
                MissingPage::dropHeld,
                threads::leave,
                snapshots::closeAll, // these three before the segments: what reads on keeps its own
                holds::leaveDone,
                workspaces::leaveSegments,
                core.segments()::close,
                core::endIndex);
        tell(config);
        core.listen(upkeep);
        upkeep.start();
    }

    /** What stays as it is while the store is open, for other processes. */
    private void tell(StoreConfig config) {
        CounterBlock figures = core.log().counters();
        figures.set(StoreFigure.RECOVERY_NS, recovery.elapsedNs());
        figures.set(StoreFigure.COMMITS_SYNCED, config.log().durability() == Durability.SYNCED ? 1 : 0);
    }

    /** The log and the index. */
    public StoreCore core() {
        return core;
    }

    /** What opening the store found and did. */
    public StoreRecovery recovery() {
        return recovery;
    }

    /** Ends the segment that is being written. */
    public SegmentEnd segmentEnd() {
        return segmentEnd;
    }

    /** Where the values of keys are, as the store is now. */
    public Lookups lookups() {
        return lookups;
    }

    /** What the calling thread has of its own. */
    public StoreThread thread() {
        if (core.isClosed()) {
            holds.leaveDone(); // this thread reads no more
        }
        return threads.get();
    }

    /** Operations on one key. */
    public SingleOperations single() {
        return single;
    }

    /** The open snapshots. */
    public Snapshots snapshots() {
        return snapshots;
    }

    /** Opens readers of changes. */
    public ChangeReaders changes() {
        return changes;
    }

    /** Checkpoints and compaction. */
    public Upkeep upkeep() {
        return upkeep;
    }

    /** Changes settings. */
    public Tuner tuner() {
        return tuner;
    }

    /** The settings that can be changed, as they are now. */
    public StoreTuning tuning() {
        return core.readAnyway(() -> {
            core.checkOpen();
            return tuner.tuning();
        });
    }

    /** The store's numbers at this moment, also if its log has failed. */
    public StoreStatistics statistics() {
        return core.readAnyway(() -> {
            core.checkOpen();
            StoreState state = core.state();
            return new StoreStatistics(
                    state.index().size(),
                    state.live().total(),
                    state.live().space(),
                    index(state),
                    snapshots.count(),
                    core.appliedEnd() - checkpointer.position(),
                    checkpointer.statistics(),
                    compactor.statistics());
        });
    }

    private static StoreStatistics.Index index(StoreState state) {
        KeyIndex index = state.index();
        MemoryBudget.Use use = index.budget().use();
        return new StoreStatistics.Index(
                index.memoryBytes(),
                index.usedBytes(),
                use.most() * Node.LENGTH,
                use.all(),
                use.inMemory(),
                use.dirty(),
                use.read(),
                use.evicted(),
                state.left());
    }

    /**
     * Makes everything committed SYNCED and ends the store; open transactions are rolled back, open scans end. A second
     * thread that closes it returns when all is done.
     *
     * @throws IllegalStateException in a listener or the step of a future, for whose end this would wait; the store
     *     stays open
     * @throws io.persist.error.LogIOException if the log has failed, now or earlier; all is closed nevertheless
     * @throws StackOverflowError if there is too little stack to end it; nothing was changed
     */
    @Override
    public void close() {
        core.log().checkMayClose();
        if (upkeep.isRunByCaller()) {
            throw new IllegalStateException("close was called in the middle of a checkpoint or a compaction, by a"
                    + " listener or the step of a future; close the store in another thread");
        }
        closing.hold(this::closeOnce);
    }

    private void closeOnce() {
        FreeStack.requireMore(); // for the log is closed in the middle
        MissingPage.dropHeld();
        upkeep.checkpointBeforeClose();
        if (core.close()) {
            Closing.each(ends, Runnable::run);
        }
    }
}
