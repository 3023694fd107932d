package io.persist.store.state;

import io.persist.error.IndexFullException;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.Location;
import io.persist.store.layer.Layer;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.layer.RemovedRange;
import io.persist.store.layer.ReplayedChanges;
import io.persist.store.staged.StagedChanges;

/**
 * What a store knows in memory: where each key's value lies in the log, and how much of each segment is needed for
 * that.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #isSettled}. <b>Allocation:</b> none in steady state.
 */
public final class StoreState implements AutoCloseable {

    /** So many changes are made while the lock is held, in some tens of microseconds; then other threads come. */
    public static final int CHANGES_PER_STEP = 64;

    /** To read a node takes as long as so many changes, or more. */
    public static final int CHANGES_PER_READ = 8;

    private final KeyIndex index;
    private final LiveBytes live = new LiveBytes();
    private final KeyBuffer key = new KeyBuffer();
    private final Location replaced = new Location();
    private final IndexCursor cursor;
    private final RangeRemovals removals = new RangeRemovals(live);

    private final PendingChanges pending = new PendingChanges();

    /** Whether the index alone says what there is; without the lock, of all commits that the thread knows of. */
    private volatile boolean isSettled = true;

    private long settleCalls;
    private final StepTally step = new StepTally();
    private final ExpectedChanges expected;
    private final PreviousEntries previous = new PreviousEntries(this);
    private final RecentChanges recent = new RecentChanges(live);

    /** A store without keys. */
    public StoreState() {
        this(new KeyIndex());
    }

    /** A store with these keys; the segments in which their values lie are to be added. */
    public StoreState(KeyIndex index) {
        this.index = index;
        this.cursor = index.cursor();
        this.expected = new ExpectedChanges(index, pending, removals, step);
    }

    /** Where the values of keys lie. */
    public KeyIndex index() {
        return index;
    }

    /** The live bytes of each segment. */
    public LiveBytes live() {
        return live;
    }

    /** What changed lately, for commits that have to know. */
    public RecentChanges recent() {
        return recent;
    }

    /** Where the value of {@code wanted} lies; false if there is no such key. */
    public boolean get(KeyBuffer wanted, Location found) {
        return isSettled ? index.get(wanted, found) : getUnsettled(wanted, found);
    }

    private boolean getUnsettled(KeyBuffer wanted, Location found) {
        int entry = pending.find(wanted);
        boolean isThere = entry >= 0 ? pending.get(entry, found) : index.get(wanted, found);
        return isThere && !removals.removes(wanted, found.position());
    }

    /** Whether the index has all changes, and no key that a removal of a range has removed. */
    public boolean isSettled() {
        return isSettled;
    }

    /** This moment's state, which the caller has to close. It takes bounded time, and copies no key. */
    public LayeredSnapshot snapshot() {
        Layer layer = isSettled ? null : pending.layer(removals.ranges());
        return new LayeredSnapshot(index.snapshot(), layer); // last, since nobody else would close it
    }

    /**
     * Whether a snapshot may be taken now. Before the index has all, that takes memory: each node that changes is
     * copied then. Without it what is to be done could not be brought to an end.
     */
    public boolean maySnapshot() {
        return isSettled
                || index.budget().expected().hasCopies(removals.isEmpty() ? pending.left() : Integer.MAX_VALUE);
    }

    /** How much is done in one step, while the lock is held. */
    public StepTally step() {
        return step;
    }

    /** Whether there is a key in {@code range}; the index has to be settled. */
    public boolean isAnyIn(RemovedRange range) {
        return range.isAnyIn(cursor, key);
    }

    /**
     * Has the index take over so many changes of a large transaction at most, and then looks at keys of removed ranges,
     * of which a leaf that goes as a whole counts as one, and a node that has to be read as several; returns whether
     * nothing is left to do.
     *
     * @throws IndexFullException if there is no memory; what is left to do can be tried again
     */
    public boolean settle(int keys) {
        settleCalls++;
        int done = 0;
        long readBefore = index.budget().nodesRead();
        for (; !pending.isEmpty() && done + read(readBefore) < keys; done++) {
            step.count(1);
            pending.settleOne(this, key);
        }
        for (; !removals.isEmpty() && done + read(readBefore) < keys; done++) {
            step.count(1);
            if (!removals.next(cursor)) {
                removals.removeCurrent();
                continue;
            }
            key.copyFrom(cursor.key());
            if (cursor.isFirstOfLeaf() && index.removeLeaf(key, removals)) {
                continue; // the range goes on with the key that is the next one then
            }
            if (removals.current().removes(key, cursor.position())) {
                remove(key);
            }
            removals.pass(key); // not before the key is gone: for want of memory that may have to be tried again
        }
        expected.tellBudget();
        index.showChanges();
        isSettled = pending.isEmpty() && removals.isEmpty();
        unpin();
        return isSettled;
    }

    /** How often {@link #settle} was called: a thread that is at it makes that go up. */
    public long settleCalls() {
        return settleCalls;
    }

    private long read(long before) {
        return CHANGES_PER_READ * (index.budget().nodesRead() - before);
    }

    /** How many changes of a large transaction, or of a replay, the index has not got. */
    public int left() {
        return pending.left();
    }

    /** The bytes of the keys that get a value by these. */
    long leftBytes() {
        return pending.leftBytes();
    }

    /** Nodes that were read for changes need not stay, unless a large transaction needs them. */
    public void unpin() {
        expected.unpin();
    }

    /** Notes for each change which entry it replaces: in the log, or an earlier one of the same transaction. */
    public void recordPrevious(StagedChanges staged) {
        staged.beginPrevious();
        previous.record(staged, TransactionLayout.HEADER_LENGTH, Integer.MAX_VALUE);
    }

    /** The same for a step of changes from {@code first} on; returns the offset of the next one. */
    public int recordSomePrevious(StagedChanges staged, int first) {
        step.count(CHANGES_PER_STEP);
        return previous.record(staged, first, CHANGES_PER_STEP);
    }

    /**
     * Reads of the index what the changes need, and reserves memory for them, so that {@link #apply} reads nothing. It
     * may be memory that was kept for a large transaction which is not on the log yet.
     *
     * @throws IndexFullException if there is not so much memory; nothing has changed then
     */
    public void prepare(StagedChanges staged) {
        if (!index.budget().isReady(staged.count())) {
            try {
                loadAndReserve(staged);
            } catch (IndexFullException e) {
                if (!expected.yieldMemory()) {
                    throw e;
                }
                loadAndReserve(staged);
            }
        }
    }

    private void loadAndReserve(StagedChanges staged) {
        load(staged);
        index.budget().reserve(staged.count());
    }

    /** The same for changes that only give keys which are there another place. */
    public void prepareMoves(StagedChanges staged) {
        if (index.unloadedNodes() > 0) {
            load(staged);
        }
        index.budget().reserveForReplacing(staged.count());
    }

    private void load(StagedChanges staged) {
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            staged.key(entry, key);
            if (staged.isPut(entry)) {
                index.load(key);
            } else if (!staged.removesRange(entry)) {
                index.loadToRemove(key);
            }
        }
    }

    /** The large transaction that is about to come. */
    public ExpectedChanges expected() {
        return expected;
    }

    /**
     * Takes over the changes of a transaction that was appended as the record at {@code framePosition}, and that has
     * been expected: from now on they are seen, and {@link #settle} brings them into the index. Its memory goes with
     * it, so {@code staged} has no changes then.
     */
    public void layOver(StagedChanges staged, long framePosition) {
        long payload = framePosition + Frame.HEADER_LENGTH;
        removals.addAll(expected.order().removed(), payload);
        pending.take(staged, expected, payload);
        isSettled = false;
        expected.end(); // before the caller gives the object to another thread, which does not lock to change it
    }

    /** Another transaction changes the key that is in {@code key}. */
    private void noteChange() {
        step.count(1);
        if (!isSettled) {
            pending.forget(key);
        }
        expected.noteChange(key);
    }

    /** Takes over the changes of the transaction that was appended as the record at {@code framePosition}. */
    public void apply(StagedChanges staged, long framePosition) {
        long payload = framePosition + Frame.HEADER_LENGTH;
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            if (staged.removesRange(entry)) {
                step.count(1);
                RemovedRange range = staged.removedRange(entry);
                range.appendedAt(payload);
                removals.add(range);
                isSettled = false;
                expected.noteRemovalOfRange();
                continue;
            }
            staged.key(entry, key);
            noteChange();
            if (staged.isPut(entry)) {
                put(key, payload + entry, TransactionLayout.valueLength(staged.buffer(), entry));
            } else {
                remove(key);
            }
        }
    }

    /** Takes over changes that were read back from the log, as those of a large transaction. */
    void layOver(ReplayedChanges replayed) {
        pending.take(replayed);
        isSettled = false;
        expected.tellBudget();
    }

    /** The same of the current entry, which removes a range. */
    void removeRange(EntryCursor entries) {
        removals.add(entries.removedRange());
        isSettled = false;
    }

    /** The value of {@code newKey} lies at {@code position} from now on; returns whether the index had no such key. */
    boolean put(KeyBuffer newKey, long position, int valueLength) {
        boolean wasThere = index.put(newKey, position, valueLength, replaced);
        if (wasThere) {
            live.subtract(replaced.position(), entryLength(newKey, replaced.length()));
        }
        live.add(position, entryLength(newKey, valueLength));
        return !wasThere;
    }

    void remove(KeyBuffer oldKey) {
        if (index.remove(oldKey, replaced)) {
            live.subtract(replaced.position(), entryLength(oldKey, replaced.length()));
            expected.noteRemoval(oldKey);
        }
    }

    private static int entryLength(KeyBuffer key, int valueLength) {
        return TransactionLayout.entryLength(key.length(), valueLength);
    }

    @Override
    public void close() {
        index.close();
    }
}
