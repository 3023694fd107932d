package io.persist.store.checkpoint;

import io.persist.error.PersistException;
import io.persist.event.Notices;
import io.persist.event.RepeatedFailure;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.index.IndexImage;
import io.persist.index.IndexImage.Scope;
import io.persist.index.KeyIndex;
import io.persist.index.node.NodeSource;
import io.persist.log.thread.Pace;
import io.persist.store.StoreStatistics;
import io.persist.store.core.StoreCore;
import io.persist.store.state.SegmentBytes;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes checkpoints, while commits go on. A checkpoint gets its name only when it is whole and everything that it
 * refers to is synced; until then the checkpoints before it are untouched. So a checkpoint that fails has only cost
 * time.
 *
 * <p>It is the index of one moment: of its nodes those that changed since the checkpoint before, on which it builds.
 * When these have come to be as much as the index is, the next one has all nodes, and a new chain begins. So it is when
 * a file of the chain was set aside because of a damaged node; unless that can be read after all, it fails. And it
 * always fails once nodes were found to hang together wrongly: what has all of them would look good, and replace a good
 * one. A snapshot is open until the nodes are copied; so a node that changes meanwhile is copied in memory.
 *
 * <p><b>Threads:</b> one at a time; the numbers are for the thread that has the store's lock.
 */
public final class Checkpointer {

    /** Bytes of log that are replayed in some tens of milliseconds. */
    private static final long REPLAYED_SOON = 16 << 20;

    private static final Consumer<IndexImage> CLOSE = IndexImage::close;
    private static final Consumer<IndexImage> GIVE_UP = IndexImage::giveUp;

    private final StoreCore core;
    private final Checkpoints checkpoints;
    private final CheckpointTally tally;
    private final RepeatedFailure failing;

    /** Under the lock. */
    private CheckpointTrigger trigger;

    private @Nullable ChainSummary newest;

    /** Where replay begins if the newest chain is damaged, 0 if there is no other one. */
    private long fallback;

    private long diskBytes;

    /** {@code newest} is what the index was loaded from, null if that was the log alone. */
    public Checkpointer(
            StoreCore core, Checkpoints checkpoints, CheckpointTrigger trigger, @Nullable ChainSummary newest)
            throws IOException {
        this.core = core;
        this.checkpoints = checkpoints;
        this.trigger = trigger;
        this.newest = newest;
        this.tally = new CheckpointTally(core.log().counters(), newest);
        this.failing = new RepeatedFailure(
                Notices.STORE, "store " + core.storage().description() + ": checkpoints are written again");
        this.fallback = checkpoints.fallback(core.log().logId());
        this.diskBytes = checkpoints.bytes();
    }

    /** They are due as {@code newTrigger} says from now on. Under the lock. */
    public void trigger(CheckpointTrigger newTrigger) {
        trigger = newTrigger;
    }

    /** Whether one is due when the log ends at {@code end}, or since the index needs memory. Under the lock. */
    public boolean isDue(long end) {
        return trigger.isDue(end - position(), changedBytes()) || isUrgent();
    }

    /** Whether memory of the index has to wait for one. Under the lock. */
    public boolean isUrgent() {
        return core.state().index().budget().needsImage();
    }

    /** Whether one would give memory back: that of changed nodes, or of what is under way before it. Under the lock. */
    public boolean freesMemory() {
        return tally.isInProgress()
                || !core.state().isSettled()
                || core.state().index().budget().dirtyNodes() > 0;
    }

    /** Whether another index wants memory, and one would let this one give some. Under the lock. */
    public boolean freesMemoryForOthers() {
        KeyIndex index = core.state().index();
        return index.frames().isWanted() && index.budget().couldGiveChunk() && freesMemory();
    }

    /** Whether one before the end is worth its time when the log ends at {@code end}. */
    public boolean isWorthwhile(long end) {
        return trigger.isOn() && end - position() > REPLAYED_SOON;
    }

    private long changedBytes() {
        return (long) core.state().index().changedNodes() * CheckpointDirectory.NODE_LENGTH;
    }

    /** Writes a checkpoint, if anything was committed since the newest one; returns its length in bytes. */
    public long write(Pace pace) throws IOException {
        return write(Scope.CHANGED, pace);
    }

    /** The same, of one that has all nodes: so the fallback becomes the one that is the newest now. */
    public long writeWhole(Pace pace) throws IOException {
        return write(Scope.ALL, pace);
    }

    private long write(Scope wanted, Pace pace) throws IOException {
        try {
            Moment moment = begin(wanted, base());
            if (moment == null) {
                readFromNewest(Scope.CHANGED); // the last one may not have come to that
                return bytes();
            }
            long startNs = System.nanoTime();
            boolean isFinished = false;
            try {
                finish(moment, write(moment, pace), System.nanoTime() - startNs);
                isFinished = true;
            } finally {
                if (!isFinished) {
                    core.lockedAnyway(moment.image(), GIVE_UP);
                }
            }
            return bytes();
        } catch (IOException | RuntimeException | Error e) {
            tell(String.valueOf(e.getMessage()), tally::failed);
            throw e;
        }
    }

    /** What is written: the store at one moment. */
    private record Moment(IndexImage image, CheckpointHeader header, SegmentBytes live, Scope scope) {}

    /** On which the next one can build: null if there is none, or if a file of the newest chain is gone. */
    private @Nullable ChainSummary base() throws IOException {
        return newest != null && checkpoints.isWhole(newest.header().position()) ? newest : null;
    }

    /** Null if {@code base} has everything. */
    private @Nullable Moment begin(Scope wanted, @Nullable ChainSummary base) {
        core.settler().lockSettled();
        try {
            long end = core.appliedEnd();
            if (base != null && end == base.header().position()) {
                return null;
            }
            Scope scope = base == null || isLongEnough(base) ? Scope.ALL : wanted;
            CheckpointHeader header = checkpoints.header(
                    core.log().logId(), end, core.appliedSequence(), scope == Scope.ALL ? null : base);
            SegmentBytes live = core.state().live().copy();
            tally.begun(header.createdAtMs());
            return new Moment(core.state().index().image(scope), header, live, scope);
        } finally {
            core.unlock();
        }
    }

    /** Whether a chain has come to its end: one more file would make it twice as long as it need be. */
    private boolean isLongEnough(ChainSummary chain) {
        KeyIndex index = core.state().index();
        return chain.files() == CheckpointChain.MAX_PARTS
                || chain.bytes() - chain.wholeBytes() + changedBytes() >= index.treeBytes();
    }

    private long write(Moment moment, Pace pace) throws IOException {
        moment.image().checkTree();
        try (CheckpointWriter writer = checkpoints.create(moment.header(), pace)) {
            try {
                writer.add(moment.image());
            } finally {
                core.lockedAnyway(moment.image(), CLOSE); // which has no effect the second time
            }
            // What the checkpoint refers to must survive whatever the checkpoint does.
            core.flushes().sync();
            moment.image().checkTree(); // which may have been found out meanwhile
            return writer.finish(moment.image(), moment.live());
        }
    }

    private void finish(Moment moment, long length, long tookNs) {
        core.lockedAnyway(() -> {
            ChainSummary before = newest;
            ChainSummary now = moment.scope() == Scope.ALL || before == null
                    ? ChainSummary.ofWhole(moment.header(), length)
                    : before.with(moment.header(), length);
            newest = now;
            moment.image().confirm();
            tally.finished(tookNs, now);
        });
        try {
            readFromNewest(moment.scope());
        } catch (IOException | PersistException e) {
            // The files that are read from stay open, and the next one tries again.
            tell("the new checkpoint cannot be read: " + e.getMessage(), tally::note);
            return;
        }
        try {
            found(checkpoints.fallback(core.log().logId()), diskBytes); // as it is, also if nothing can be deleted
            if (moment.scope() == Scope.ALL) {
                checkpoints.deleteOlder(core.log().logId());
            }
            found(fallback, checkpoints.bytes());
            failing.worked(this);
        } catch (IOException | PersistException e) {
            tell("older checkpoints cannot be deleted: " + e.getMessage(), tally::note);
        }
    }

    /** As the files are: one of the chain before may be gone, because it is damaged. */
    private void found(long end, long bytes) {
        core.lockedAnyway(() -> {
            fallback = end;
            diskBytes = bytes;
        });
    }

    /**
     * Nodes that are not in memory are read from the newest checkpoint from now on: if that is whole, so that the files
     * of an older chain can be closed before they are deleted, or if nodes that it has are to give their memory up.
     */
    private void readFromNewest(Scope scope) throws IOException {
        KeyIndex index = core.state().index();
        if (!core.ask(() -> isSourceNeeded(index, scope))) {
            return;
        }
        NodeSource unused = checkpoints.open(position(), checkpoints::trySetAside, index.source());
        core.lockAnyway();
        try {
            unused = index.source(unused); // from here on it is the one before
        } finally {
            core.unlock();
            unused.close(); // not under the lock, as it may have many files
        }
    }

    private static boolean isSourceNeeded(KeyIndex index, Scope scope) {
        return scope == Scope.ALL
                ? index.budget().isPressed() || index.source() != NodeSource.NONE // also if all nodes have been read
                : index.budget().isPressed() && index.budget().dirtyNodes() > index.changedNodes();
    }

    /** Not of a closed store: its counters may be unmapped, if this call has waited for its turn until then. */
    private void tell(String failure, Consumer<String> ofTally) {
        boolean isOpen = core.readAnyway(() -> {
            if (!core.isClosed()) {
                ofTally.accept(failure);
            }
            return !core.isClosed();
        });
        if (isOpen) {
            failing.failed(
                    this,
                    () -> "store " + core.storage().description() + ": a checkpoint failed: " + failure
                            + ", directory=" + checkpoints.description()
                            + "; until one is written the log grows, by now by "
                            + core.readAnyway(() -> core.appliedEnd() - position()) + " bytes; remove the cause");
        }
    }

    /** Where replay begins after a crash. Under the lock. */
    public long position() {
        return newest == null ? 0 : newest.header().position();
    }

    private long bytes() {
        return newest == null ? 0 : newest.length();
    }

    /** Bytes that a checkpoint which has all nodes would have, about. Under the lock. */
    public long wholeBytes() {
        return core.state().index().treeBytes();
    }

    /** Bytes that the files of all checkpoints take, as the last one found them. Under the lock. */
    public long diskBytes() {
        return diskBytes;
    }

    /**
     * What lies below is replayed by nobody, whichever of the two chains is used. Under the lock, or by the thread that
     * writes checkpoints: no other one changes it.
     */
    public long fallback() {
        return fallback;
    }

    /** How far the checkpoints of this store are. Under the lock. */
    public StoreStatistics.Checkpoint statistics() {
        return tally.statistics();
    }
}
