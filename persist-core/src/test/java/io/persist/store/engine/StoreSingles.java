package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreContent;
import io.persist.store.StoreModel;
import io.persist.store.StoreModel.Change;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.OptimisticTransaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Random changes of single keys, and optimistic transactions, on a store and on its model. */
final class StoreSingles {

    private final StoreLogger store;
    private final StoreModel model;
    private final StoreDraws draws;
    private final StoreTally tally;
    private final Random random;

    StoreSingles(StoreLogger store, StoreModel model, StoreDraws draws, StoreTally tally, Random random) {
        this.store = store;
        this.model = model;
        this.draws = draws;
        this.tally = tally;
        this.random = random;
    }

    void run() {
        switch (random.nextInt(8)) {
            case 0 -> put(draws.key());
            case 1 -> remove();
            case 2, 3 -> compareAndSet();
            case 4 -> removeRange();
            case 5, 6 -> exchange();
            default -> optimistic();
        }
    }

    private void put(byte[] key) {
        byte[] value = draws.newValue();
        model.commits(List.of(change(key, value)));
        if (random.nextInt(4) == 0) {
            model.committed(store.put(key, value, Durability.SYNCED));
            model.allSynced();
        } else {
            model.committed(store.put(key, value));
        }
    }

    private Change change(byte[] key, byte[] value) {
        return new Change(key, value, model.state().get(key));
    }

    /** With the value before, by an operation of its own. */
    private void exchange() {
        byte[] key = draws.nearKey();
        byte[] value = random.nextInt(3) == 0 ? null : draws.newValue();
        byte[] before = model.state().get(key);
        boolean changes = before != null || value != null;
        if (changes) {
            model.commits(List.of(change(key, value)));
        }
        assertThat(StoreContent.bytes(value == null ? store.getAndRemove(key) : store.getAndPut(key, value)))
                .isEqualTo(before);
        if (changes) {
            model.committed(store.position());
            tally.exchanges++;
        }
    }

    private void remove() {
        byte[] key = draws.nearKey();
        boolean isThere = model.state().containsKey(key);
        if (isThere) {
            model.commits(List.of(change(key, null)));
        }
        assertThat(store.remove(key)).isEqualTo(isThere);
        if (isThere) {
            model.committed(store.position());
            tally.singles++;
        } else {
            assertThat(store.position()).as("nothing is written").isGreaterThanOrEqualTo(model.end());
        }
    }

    private void removeRange() {
        byte[] first = random.nextInt(8) == 0 ? new byte[] {0} : draws.nearKey();
        byte[] limit = random.nextInt(8) == 0 ? null : draws.nearKey();
        KeyRange range = limit == null ? KeyRange.from(first) : upTo(limit).intersection(KeyRange.from(first));
        boolean isAny = !StoreModel.range(model.state(), first, limit).isEmpty();
        if (isAny) {
            model.commits(List.of(Change.ofRange(first, limit)));
        }
        assertThat(store.removeRange(range)).isEqualTo(isAny);
        if (isAny) {
            model.committed(store.position());
            tally.ranges++;
        }
    }

    private static KeyRange upTo(byte[] limit) {
        boolean isSuccessor = limit.length > 1 && limit[limit.length - 1] == 0;
        return isSuccessor ? KeyRange.through(Arrays.copyOf(limit, limit.length - 1)) : KeyRange.below(limit);
    }

    private void compareAndSet() {
        byte[] key = draws.nearKey();
        byte[] present = model.state().get(key);
        byte[] expected = switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> present == null ? new byte[0] : Arrays.copyOf(present, present.length + 1);
            default -> present;
        };
        byte[] value = random.nextInt(3) == 0 ? null : draws.newValue();
        boolean isAsExpected = Arrays.equals(present, expected);
        boolean changes = isAsExpected && !(present == null && value == null);
        if (changes) {
            model.commits(List.of(change(key, value)));
        }
        assertThat(store.compareAndSet(key, expected, value)).isEqualTo(isAsExpected);
        if (changes) {
            model.committed(store.position());
            tally.singles++;
        }
    }

    /** Another change comes in between, of a key that was read or of one that was not. */
    private void optimistic() {
        Set<byte[]> read = new TreeSet<>(Arrays::compareUnsigned);
        TreeMap<byte[], byte[]> seen = model.copy();
        List<Change> changes = new ArrayList<>();
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            Set<byte[]> own = new TreeSet<>(Arrays::compareUnsigned);
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                byte[] key = draws.nearKey();
                assertThat(transaction.getBytes(key)).isEqualTo(seen.get(key));
                if (!own.contains(key)) {
                    read.add(key);
                }
                byte[] changed = draws.key();
                byte[] value = random.nextInt(4) == 0 ? null : draws.newValue();
                if (random.nextInt(3) == 0) {
                    ByteBuffer before =
                            value == null ? transaction.getAndRemove(changed) : transaction.getAndPut(changed, value);
                    assertThat(StoreContent.bytes(before)).isEqualTo(seen.get(changed));
                    if (!own.contains(changed)) {
                        read.add(changed);
                    }
                } else if (value == null) {
                    transaction.remove(changed);
                } else {
                    transaction.put(changed, value);
                }
                own.add(changed);
                changes.add(new Change(changed, value, null));
                put(seen, changed, value);
            }
            Predicate<byte[]> scanned = random.nextInt(3) == 0 ? scan(transaction, seen, own) : key -> false;
            boolean isStale = false;
            if (random.nextBoolean()) {
                byte[] other = random.nextInt(3) > 0 ? read.iterator().next() : draws.key();
                put(other);
                isStale = read.contains(other) || scanned.test(other);
            }
            commit(transaction, changes, isStale);
        }
    }

    /** Goes some way; returns which keys it has read, there or not: those on its way that it had not changed. */
    private Predicate<byte[]> scan(OptimisticTransaction transaction, TreeMap<byte[], byte[]> seen, Set<byte[]> own) {
        byte[] from = draws.nearKey();
        Iterator<Map.Entry<byte[], byte[]>> entries =
                seen.tailMap(from, true).entrySet().iterator();
        byte[] last = null;
        boolean isAtEnd = false;
        try (StoreScan scan = transaction.scan(KeyRange.from(from), Direction.FORWARD)) {
            for (int i = random.nextInt(6); i > 0 && !isAtEnd; i--) {
                isAtEnd = !entries.hasNext();
                assertThat(scan.next()).isEqualTo(!isAtEnd);
                if (!isAtEnd) {
                    Map.Entry<byte[], byte[]> entry = entries.next();
                    last = entry.getKey();
                    assertThat(scan.keyBytes()).isEqualTo(last);
                    assertThat(scan.valueBytes()).isEqualTo(entry.getValue());
                }
            }
        }
        tally.optimisticScans++;
        byte[] through = isAtEnd ? null : last;
        boolean isAny = isAtEnd || last != null;
        return key -> isAny
                && Arrays.compareUnsigned(key, from) >= 0
                && (through == null || Arrays.compareUnsigned(key, through) <= 0)
                && !own.contains(key);
    }

    private void commit(OptimisticTransaction transaction, List<Change> changes, boolean isStale) {
        if (isStale) {
            assertThat(transaction.tryCommit()).isFalse();
            tally.conflicts++;
        } else {
            TreeMap<byte[], byte[]> state = model.copy();
            List<Change> withOld = new ArrayList<>();
            for (Change change : changes) {
                withOld.add(new Change(change.key(), change.value(), state.get(change.key())));
                put(state, change.key(), change.value());
            }
            model.commits(withOld);
            assertThat(transaction.tryCommit()).isTrue();
            model.committed(store.position());
        }
        assertThat(transaction.isOpen()).isFalse();
    }

    private static void put(TreeMap<byte[], byte[]> state, byte[] key, byte[] value) {
        if (value == null) {
            state.remove(key);
        } else {
            state.put(key, value);
        }
    }
}
