package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.log.Durability;
import io.persist.log.WriteMode;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreContent;
import io.persist.store.StoreModel;
import io.persist.store.StoreModel.Change;
import io.persist.store.engine.StoreDraws.Opening;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** Random transactions on a store and on its model. */
final class StoreTransactions {

    private static final int MAX_CHANGES = 20;

    /** More go into the index in steps. */
    private static final int MOST_AT_ONCE = StoreDraws.SEGMENT_LENGTH / 512;

    private final StoreLogger store;
    private final StoreModel model;
    private final StoreDraws draws;
    private final Opening opening;
    private final StoreTally tally;
    private final Random random;

    private final List<Change> changes = new ArrayList<>();
    private TreeMap<byte[], byte[]> seen = new TreeMap<>();
    private int length;

    StoreTransactions(
            StoreLogger store, StoreModel model, StoreDraws draws, Opening opening, StoreTally tally, Random random) {
        this.store = store;
        this.model = model;
        this.draws = draws;
        this.opening = opening;
        this.tally = tally;
        this.random = random;
    }

    void run() {
        Transaction transaction = store.begin();
        changes.clear();
        seen = model.copy();
        length = TransactionLayout.HEADER_LENGTH;
        int count = 1 + random.nextInt(random.nextInt(4) == 0 ? MAX_CHANGES : 4);
        for (int i = 1; i < count; i++) {
            change(transaction);
        }
        byte[] key = draws.key();
        put(transaction, key, draws.newValue());
        assertThat(StoreContent.bytes(transaction.get(key))).isEqualTo(seen.get(key));
        if (random.nextInt(3) == 0) {
            scan(transaction);
        }
        if (random.nextInt(10) == 0) {
            rollBack(transaction);
        } else {
            commit(transaction);
        }
    }

    /** Own writes and what is committed, in one order. */
    private void scan(Transaction transaction) {
        byte[] from = draws.nearKey();
        KeyRange range = random.nextBoolean() ? KeyRange.all() : KeyRange.from(from);
        TreeMap<byte[], byte[]> part = new TreeMap<>(seen);
        part.keySet().removeIf(key -> range != KeyRange.all() && Arrays.compareUnsigned(key, from) < 0);
        try (StoreScan scan = transaction.scan(range, Direction.BACKWARD)) {
            assertThat(StoreContent.difference(scan, part.descendingMap())).isNull();
        }
        try (StoreScan scan = transaction.scan(range, Direction.FORWARD)) {
            assertThat(StoreContent.difference(scan, part)).isNull();
        }
    }

    private void change(Transaction transaction) {
        byte[] key = draws.key();
        if (random.nextInt(12) == 0) {
            removeRange(transaction);
        } else if (random.nextInt(3) == 0) {
            remove(transaction, key);
        } else {
            put(transaction, key, draws.value());
        }
        byte[] other = draws.nearKey();
        assertThat(StoreContent.bytes(transaction.get(other))).isEqualTo(seen.get(other));
        if (random.nextInt(3) == 0) {
            StoreReaders.check(transaction, seen, draws.nearKey());
        }
    }

    private void removeRange(Transaction transaction) {
        byte[] first = random.nextInt(8) == 0 ? new byte[] {0} : draws.nearKey();
        byte[] limit = random.nextInt(8) == 0 ? null : draws.nearKey();
        int limitLength = limit == null ? 0 : limit.length;
        if (!fits(transaction, first, limitLength)) {
            return;
        }
        transaction.removeRange(limit == null ? KeyRange.from(first) : KeyRange.between(first, limit));
        if (limit == null || Arrays.compareUnsigned(first, limit) < 0) {
            length += TransactionLayout.entryLength(first.length, limitLength);
            StoreModel.range(seen, first, limit).clear();
            changes.add(Change.ofRange(first, limit));
        }
    }

    private void remove(Transaction transaction, byte[] key) {
        if (!fits(transaction, key, 0)) {
            return;
        }
        if (random.nextInt(3) == 0) {
            assertThat(StoreContent.bytes(transaction.getAndRemove(key))).isEqualTo(seen.get(key));
        } else {
            transaction.remove(key);
        }
        note(key, null);
    }

    private void put(Transaction transaction, byte[] key, byte[] value) {
        if (!fits(transaction, key, value.length)) {
            assertRefused(transaction, key, value);
            return;
        }
        byte[] within = new byte[value.length + 7];
        System.arraycopy(value, 0, within, 3, value.length);
        switch (random.nextInt(4)) {
            case 2 ->
                assertThat(StoreContent.bytes(transaction.getAndPut(key, value)))
                        .isEqualTo(seen.get(key));
            case 0 -> transaction.put(key, within, 3, value.length);
            case 1 -> transaction.put(key, ByteBuffer.wrap(within, 3, value.length));
            default -> transaction.put(key, value);
        }
        Arrays.fill(within, (byte) 0x5A); // the transaction has a copy
        note(key, value);
    }

    private static void assertRefused(Transaction transaction, byte[] key, byte[] value) {
        try {
            transaction.put(key, value);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("too long");
            return;
        }
        throw new AssertionError("more than fits was accepted: value.length=" + value.length);
    }

    private boolean fits(Transaction transaction, byte[] key, int valueLength) {
        assertThat(transaction.bytes()).isEqualTo(length);
        assertThat(transaction.changes()).isEqualTo(changes.size());
        int entry = TransactionLayout.entryLength(key.length, valueLength);
        boolean fits = length + entry <= Frame.maxPayload(StoreDraws.SEGMENT_LENGTH);
        assertThat(transaction.fits(key.length, valueLength)).isEqualTo(fits);
        return fits;
    }

    private void note(byte[] key, byte[] value) {
        length += TransactionLayout.entryLength(key.length, value == null ? 0 : value.length);
        byte[] old = value == null ? seen.remove(key) : seen.put(key, value);
        changes.add(new Change(key, value, old));
    }

    private void rollBack(Transaction transaction) {
        if (random.nextBoolean()) {
            transaction.rollback();
        } else {
            transaction.close();
        }
    }

    private void commit(Transaction transaction) {
        if (changes.isEmpty()) {
            transaction.rollback(); // its only key was too long for it
            return;
        }
        Durability level = level();
        tally.large += changes.size() > MOST_AT_ONCE ? 1 : 0;
        model.commits(changes);
        long end = level == Durability.BUFFERED ? transaction.commit() : transaction.commit(level);
        model.committed(end);
        boolean isMapped = opening.config().log().writeMode() == WriteMode.MAPPED;
        if (level == Durability.SYNCED) {
            model.allSynced();
        } else if (level == Durability.FLUSHED || isMapped && opening.detached() == null) {
            model.allFlushed();
        }
    }

    private Durability level() {
        return switch (random.nextInt(8)) {
            case 0 -> Durability.SYNCED;
            case 1 -> Durability.FLUSHED;
            default -> Durability.BUFFERED;
        };
    }
}
