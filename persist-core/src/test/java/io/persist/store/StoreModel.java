package io.persist.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What a store must hold: every transaction that was committed, in order, and the state that follows from them. */
public final class StoreModel {

    /** A put, or a remove if {@code value} is null; {@code old} is what the key had right before, null if nothing. */
    public record Change(ChangeType type, byte[] key, byte[] value, byte[] old) {

        public Change(byte[] key, byte[] value, byte[] old) {
            this(value == null ? ChangeType.REMOVE : ChangeType.PUT, key, value, old);
        }

        /** A removal of all keys from {@code first} on and below {@code limit}, null if it has no end. */
        public static Change ofRange(byte[] first, byte[] limit) {
            return new Change(ChangeType.REMOVE_RANGE, first, limit, null);
        }
    }

    /** {@code end} is the position right after it. */
    public record Committed(long end, List<Change> changes) {}

    private static final long NOT_KNOWN = Long.MAX_VALUE;

    private final List<Committed> history = new ArrayList<>();
    private TreeMap<byte[], byte[]> state = newState();

    /** The one whose commit failed, so that it may be there or not. */
    private Committed inDoubt;

    private final OldValues oldValues;
    private int flushed;
    private int synced;

    /** Up to which transaction the reader of changes has stored its place, and where it maybe has. */
    private int audited;

    private int maybeAudited;

    public StoreModel(OldValues oldValues) {
        this.oldValues = oldValues;
    }

    public OldValues oldValues() {
        return oldValues;
    }

    private static TreeMap<byte[], byte[]> newState() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    public TreeMap<byte[], byte[]> state() {
        return state;
    }

    public TreeMap<byte[], byte[]> copy() {
        return new TreeMap<>(state);
    }

    public List<Committed> history() {
        return history;
    }

    /** The position after the last transaction, 0 if there is none. */
    public long end() {
        return history.isEmpty() ? 0 : history.get(history.size() - 1).end();
    }

    /** The changes are about to be committed: from now on they may be there. */
    public void commits(List<Change> changes) {
        inDoubt = new Committed(NOT_KNOWN, List.copyOf(changes));
    }

    public void committed(long end) {
        assertThat(end).as("positions ascend").isGreaterThan(end());
        add(new Committed(end, inDoubt.changes()));
        inDoubt = null;
    }

    private void add(Committed transaction) {
        history.add(transaction);
        apply(state, transaction);
    }

    static void apply(NavigableMap<byte[], byte[]> to, Committed transaction) {
        for (Change change : transaction.changes()) {
            if (change.type() == ChangeType.REMOVE_RANGE) {
                range(to, change.key(), change.value()).clear();
            } else if (change.value() == null) {
                to.remove(change.key());
            } else {
                to.put(change.key(), change.value());
            }
        }
    }

    public void allFlushed() {
        flushed = history.size();
    }

    public void allSynced() {
        synced(history.size());
    }

    /** The first {@code count} transactions are safe. */
    public void synced(int count) {
        flushed = Math.max(flushed, count);
        synced = Math.max(synced, count);
    }

    /** The reader of changes is about to store its place after so many transactions. */
    public void audits(int count) {
        maybeAudited = count;
    }

    public void audited(int count) {
        audited = count;
        maybeAudited = count;
        synced(count);
    }

    public int audited() {
        return audited;
    }

    /** Where the reader of changes goes on after a crash: where it stored its place last, or was about to. */
    public int maybeAudited() {
        return maybeAudited;
    }

    /** The power was cut: of what was only flushed anything may be gone. */
    public void powerWasCut() {
        flushed = synced;
    }

    /**
     * The store was opened after a crash: it holds the transactions up to one that is no older than what was
     * acknowledged, whole, and nothing else. From now on that is what there is.
     *
     * @return how many transactions were lost
     */
    public int recovered(StoreLogger store, String how) {
        long tail = store.logRecovery().kept().tailPosition(); // compaction may have moved the log's end on since
        int before = history.size();
        while (history.size() > 0 && end() > tail) {
            history.remove(history.size() - 1);
        }
        assertThat(history.size())
                .as("transactions after recovery, of %s: %s", before, how)
                .isGreaterThanOrEqualTo(flushed);
        state = newState();
        history.forEach(transaction -> apply(state, transaction));
        boolean mayHaveMore = inDoubt != null && history.size() == before;
        if (mayHaveMore && StoreContent.difference(store, state) != null) {
            add(new Committed(tail, inDoubt.changes()));
        }
        inDoubt = null;
        assertSame(store, how);
        synced = Math.min(synced, history.size());
        flushed = history.size();
        return before - history.size();
    }

    /** The store holds this very state. */
    public void assertSame(StoreLogger store, String how) {
        assertThat(StoreContent.difference(store, state))
                .as("the state after %s transactions: %s", history.size(), how)
                .isNull();
        for (Map.Entry<byte[], byte[]> entry : state.entrySet()) {
            assertThat(StoreContent.bytes(store.get(entry.getKey()))).isEqualTo(entry.getValue());
        }
    }

    /** How many transactions end at or before {@code position}. */
    public int before(long position) {
        int count = 0;
        while (count < history.size() && history.get(count).end() <= position) {
            count++;
        }
        return count;
    }

    public static NavigableMap<byte[], byte[]> range(NavigableMap<byte[], byte[]> of, byte[] from, byte[] below) {
        NavigableMap<byte[], byte[]> range = from == null ? of : of.tailMap(from, true);
        if (below == null) {
            return range;
        }
        boolean isEmpty = from != null && Arrays.compareUnsigned(from, below) >= 0;
        return isEmpty ? newState() : range.headMap(below, false);
    }
}
