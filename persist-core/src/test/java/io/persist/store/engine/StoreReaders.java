package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.LogFiles;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreContent;
import io.persist.store.StoreEntry;
import io.persist.store.StoreModel;
import io.persist.store.StoreModel.Change;
import io.persist.store.StoreModel.Committed;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/** Random gets, scans, snapshots and readers of changes on a store, compared with its model. */
final class StoreReaders {

    private static final int MAX_SNAPSHOTS = 3;
    private static final String AUDIT = "audit";

    private final StoreLogger store;
    private final StoreModel model;
    private final StoreDraws draws;
    private final Storage log;
    private final StoreTally tally;
    private final Random random;
    private final List<Frozen> frozen = new ArrayList<>();

    private record Frozen(StoreSnapshot snapshot, TreeMap<byte[], byte[]> content, long position) {}

    StoreReaders(StoreLogger store, StoreModel model, StoreDraws draws, Storage log, StoreTally tally, Random random) {
        this.store = store;
        this.model = model;
        this.draws = draws;
        this.log = log;
        this.tally = tally;
        this.random = random;
    }

    void get() {
        for (int i = 0; i < 4; i++) {
            check(store, model.state(), draws.nearKey());
        }
        assertThat(store.size()).isEqualTo(model.state().size());
    }

    /** Each way to read {@code key} tells what {@code map} has. */
    static void check(StoreReads reads, NavigableMap<byte[], byte[]> map, byte[] key) {
        byte[] value = map.get(key);
        assertThat(StoreContent.bytes(reads.getUntilNext(key))).isEqualTo(value);
        assertThat(reads.contains(key)).isEqualTo(value != null);
        assertThat(StoreContent.bytes(reads.get(key))).isEqualTo(value);
        assertThat(reads.getBytes(key)).isEqualTo(value);
        assertThat(reads.<byte[]>get(key, StoreContent::bytes)).isEqualTo(value);
        checkNeighbours(reads, map, key);
    }

    private static void checkNeighbours(StoreReads reads, NavigableMap<byte[], byte[]> map, byte[] key) {
        assertSame(reads.lowerEntry(key), map.lowerEntry(key));
        assertSame(reads.floorEntry(key), map.floorEntry(key));
        assertSame(reads.ceilingEntry(key), map.ceilingEntry(key));
        assertSame(reads.higherEntry(key), map.higherEntry(key));
        assertSame(reads.firstEntry(), map.firstEntry());
        assertSame(reads.lastEntry(), map.lastEntry());
    }

    private static void assertSame(StoreEntry entry, Map.Entry<byte[], byte[]> expected) {
        assertThat(entry == null).isEqualTo(expected == null);
        if (expected != null) {
            assertThat(entry.key()).isEqualTo(expected.getKey());
            assertThat(entry.value()).isEqualTo(expected.getValue());
        }
    }

    void scan() {
        Span span = new Span();
        try (StoreScan scan = store.scan(span.range, span.direction)) {
            assertThat(StoreContent.difference(scan, span.of(model.state()))).isNull();
        }
    }

    /** A range, drawn at random, and what of a map lies in it. */
    private final class Span {

        private final byte[] from;
        private final byte[] to;
        private final byte[] prefix;
        private final boolean hasFrom = random.nextInt(4) > 0;
        private final boolean hasTo = random.nextInt(4) == 0;
        private final KeyRange range;
        private final Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;

        Span() {
            prefix = random.nextInt(5) == 0 ? draws.nearKey() : null;
            from = random.nextInt(5) < 2 ? draws.nearKey() : null;
            to = random.nextInt(5) < 2 ? draws.nearKey() : null;
            KeyRange within = from == null ? KeyRange.all() : hasFrom ? KeyRange.from(from) : KeyRange.after(from);
            if (to != null) {
                KeyRange end = hasTo ? KeyRange.through(to) : KeyRange.below(to);
                within = from == null ? end : direct(within.intersection(end));
            }
            range = prefix == null ? within : KeyRange.prefix(prefix).intersection(within);
        }

        /** The same as one call makes it, where there is one. */
        private KeyRange direct(KeyRange intersection) {
            if (!hasFrom || random.nextBoolean()) {
                return intersection;
            }
            return hasTo ? KeyRange.closed(from, to) : KeyRange.between(from, to);
        }

        NavigableMap<byte[], byte[]> of(NavigableMap<byte[], byte[]> map) {
            NavigableMap<byte[], byte[]> part = new TreeMap<>(from == null ? map : map.tailMap(from, hasFrom));
            part.keySet()
                    .removeIf(key -> to != null && Arrays.compareUnsigned(key, to) >= (hasTo ? 1 : 0)
                            || prefix != null && !beginsWith(key, prefix));
            return direction == Direction.FORWARD ? part : part.descendingMap();
        }

        private static boolean beginsWith(byte[] key, byte[] prefix) {
            return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
        }
    }

    void snapshot() {
        if (frozen.size() < MAX_SNAPSHOTS && random.nextBoolean()) {
            StoreSnapshot snapshot = store.snapshot();
            assertThat(snapshot.position()).isEqualTo(store.position());
            frozen.add(new Frozen(snapshot, model.copy(), snapshot.position()));
        } else if (!frozen.isEmpty()) {
            Frozen one = frozen.get(random.nextInt(frozen.size()));
            check(one);
            if (random.nextBoolean()) {
                one.snapshot.close();
                frozen.remove(one);
            }
        }
        assertThat(store.statistics().openSnapshots()).isEqualTo(frozen.size());
    }

    private void check(Frozen one) {
        assertThat(one.snapshot.size()).isEqualTo(one.content.size());
        assertThat(one.snapshot.position()).isEqualTo(one.position);
        try (StoreScan scan = one.snapshot.scan(KeyRange.all(), Direction.FORWARD)) {
            assertThat(StoreContent.difference(scan, one.content)).isNull();
        }
        Span span = new Span();
        try (StoreScan scan = one.snapshot.scan(span.range, span.direction)) {
            assertThat(StoreContent.difference(scan, span.of(one.content))).isNull();
        }
        check(one.snapshot, one.content, draws.nearKey());
    }

    void checkSnapshots() {
        frozen.forEach(this::check);
    }

    void closeSnapshots() {
        checkSnapshots();
        frozen.forEach(one -> one.snapshot.close());
        frozen.clear();
    }

    /** What the reader of changes that has a name has read is gone from then on, also after a crash. */
    void audit() {
        if (model.audited() != model.maybeAudited()) {
            model.audited(whereAuditGoesOn());
        }
        try (ChangeReader changes = store.changes(AUDIT)) {
            int first = model.audited() > 0 ? model.audited() : model.before(completeFrom());
            int end = read(changes, first, first + 1 + random.nextInt(30));
            if (end > 0 && random.nextBoolean()) {
                model.audits(end);
                changes.store();
                model.audited(end);
            }
        }
    }

    /** The power went while its place was stored: it is the old one or the new one. */
    private int whereAuditGoesOn() {
        store.flush();
        try (ChangeReader changes = store.changes(AUDIT)) {
            int at = changes.next()
                    ? model.before(changes.position())
                    : model.history().size();
            int old = model.audited() > 0 ? model.audited() : model.before(completeFrom());
            assertThat(at).as("the stored place").isIn(old, model.maybeAudited());
            return at == old ? model.audited() : at;
        }
    }

    /** From the end of a transaction on, or from the beginning. */
    void changes() {
        int first = random.nextInt(model.history().size() + 1);
        long position = first == 0 ? 0 : model.history().get(first - 1).end();
        ChangeReader opened;
        try {
            opened = store.changes(position);
        } catch (RetiredException gone) {
            assertThat(gone).hasMessageContaining("position=" + position);
            assertThat(completeFrom()).as("%s", gone).isGreaterThan(position);
            tally.refused++;
            return;
        }
        try (ChangeReader changes = opened) {
            assertThat(completeFrom()).as("what is behind the reader stays").isLessThanOrEqualTo(position);
            read(changes, first, model.history().size());
            assertThat(changes.next()).isFalse();
        }
    }

    /**
     * The position from which on all that was committed is in the log. The store's thread takes segments away at any
     * time, so it grows, but for what an open reader has before it.
     */
    private long completeFrom() {
        try {
            while (true) {
                long complete = SegmentHeader.completeFrom(LogFiles.headers(log));
                // Else segments behind the first ones may have been taken away while the headers were read.
                if (LogFiles.basePositions(log).first() <= complete) {
                    return complete;
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Reads whole transactions from {@code first} to {@code end}, as far as there are any; returns where. */
    private int read(ChangeReader changes, int first, int end) {
        store.flush();
        model.allFlushed();
        int at = first;
        for (; at < Math.min(end, model.history().size()); at++) {
            Committed transaction = model.history().get(at);
            int left = transaction.changes().size();
            for (Change change : transaction.changes()) {
                assertThat(changes.next()).as("a change of transaction %s", at).isTrue();
                left--;
                check(changes, change, transaction, left);
            }
        }
        return at;
    }

    private void check(ChangeReader changes, Change change, Committed transaction, int left) {
        assertThat(StoreContent.bytes(changes.key())).isEqualTo(change.key());
        assertThat(changes.type()).isEqualTo(change.type());
        assertThat(StoreContent.bytes(changes.value()))
                .isEqualTo(change.value() == null ? new byte[0] : change.value());
        assertThat(changes.endsTransaction()).isEqualTo(left == 0);
        if (changes.endsTransaction()) {
            assertThat(changes.nextPosition()).isEqualTo(transaction.end());
        }
        assertThat(changes.position()).isLessThan(transaction.end());
        try {
            byte[] old = StoreContent.bytes(changes.oldValue());
            assertThat(old).isEqualTo(model.oldValues() == OldValues.RECORD ? change.old() : null);
            tally.oldValues += old == null ? 0 : 1;
        } catch (RetiredException gone) {
            tally.goneOldValues++;
            assertThat(tally.compactions).as("compactions").isPositive();
        }
    }
}
