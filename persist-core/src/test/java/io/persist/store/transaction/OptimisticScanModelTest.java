package io.persist.store.transaction;

import static io.persist.store.transaction.VersionedStore.ABSENT;
import static io.persist.store.transaction.VersionedStore.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.read.StoreScan;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Transactions that scan and get, and changes of others in between: each commit succeeds if, and only if, all that it
 * has read is still so. The model knows which version of which key that was, and of which keys that there were none.
 */
class OptimisticScanModelTest {

    private static final int TRANSACTIONS = 25;
    private static final long UNTOUCHED = -1;

    /** So many gets that a commit looks at them in steps. */
    private static final int MANY = 100;

    private final Tally tally = new Tally();

    private static final class Tally {
        int commits;
        int refusals;
        long moved;
        int longScans;
        int commitsAfterMoves;
        int refusalsForMoves;

        @Override
        public String toString() {
            return commits + " commits, " + refusals + " refusals, " + moved + " bytes moved, " + longScans
                    + " long scans, after moves " + commitsAfterMoves + " commits, and refused for that "
                    + refusalsForMoves;
        }
    }

    /** What was read, and what it was. */
    private record Read(int key, long version) {}

    /** A transaction: what it has changed, what it has read, and its scans. */
    private final class Own {

        final VersionedStore world;
        final OptimisticTransaction open;
        final long[] changes;
        final List<Read> reads = new ArrayList<>();
        final List<OwnScan> scans = new ArrayList<>();

        Own(VersionedStore world, OptimisticTransaction open) {
            this.world = world;
            this.open = open;
            this.changes = new long[world.versions.length];
            Arrays.fill(changes, UNTOUCHED);
        }

        void step() {
            int number = world.number();
            switch (world.random.nextInt(13)) {
                case 0 -> {
                    open.put(key(number), world.newValue());
                    changes[number] = world.lastVersion;
                }
                case 1 -> {
                    open.remove(key(number));
                    changes[number] = ABSENT;
                }
                case 2 -> {
                    int below = Math.min(changes.length, number + 1 + world.random.nextInt(5));
                    open.removeRange(KeyRange.between(key(number), key(below)));
                    Arrays.fill(changes, number, below, ABSENT);
                }
                case 3 -> {
                    for (int i = world.random.nextInt(3) == 0 ? MANY : 1; i > 0; i--) {
                        get(world.number());
                    }
                }
                case 4, 5 -> scans.add(new OwnScan(this));
                case 6, 7, 8 -> {
                    if (!scans.isEmpty()) {
                        scans.get(world.random.nextInt(scans.size())).goOn();
                    }
                }
                default -> world.other();
            }
        }

        private void get(int number) {
            boolean isOwn = changes[number] != UNTOUCHED;
            long version = isOwn ? changes[number] : world.versions[number];
            assertThat(open.contains(key(number))).isEqualTo(version != ABSENT);
            if (!isOwn) {
                reads.add(new Read(number, version));
            }
        }

        void commit() {
            for (int i = 0; i < changes.length; i++) {
                if (changes[i] != UNTOUCHED) {
                    world.versions[i] = changes[i];
                }
            }
        }
    }

    private final class OwnScan {

        final Own own;
        final StoreScan scan;
        final long[] versions;
        final long[] changes;
        final int end;
        final int step;
        int at;

        OwnScan(Own own) {
            this.own = own;
            this.versions = own.world.versions.clone();
            this.changes = own.changes.clone();
            Random random = own.world.random;
            int from = random.nextInt(3) == 0 ? 0 : own.world.number();
            int below = random.nextInt(3) == 0 ? versions.length : from + random.nextInt(versions.length - from);
            boolean isForward = random.nextBoolean();
            this.step = isForward ? 1 : -1;
            this.at = isForward ? from : below - 1;
            this.end = isForward ? below : from - 1;
            this.scan = own.open.scan(
                    KeyRange.between(key(from), key(below)), isForward ? Direction.FORWARD : Direction.BACKWARD);
        }

        void goOn() {
            int steps = own.world.random.nextInt(3) == 0 ? Integer.MAX_VALUE : own.world.random.nextInt(8);
            tally.longScans += steps > 4096 && versions.length > 4096 ? 1 : 0;
            for (int i = 0; i < steps; i++) {
                long shown = next();
                assertThat(scan.next()).isEqualTo(shown != ABSENT);
                if (shown == ABSENT) {
                    return;
                }
                assertThat(scan.keyBytes()).isEqualTo(key(at - step));
                assertThat(ByteBuffer.wrap(scan.valueBytes()).getLong()).isEqualTo(shown);
            }
        }

        /** The version that is shown next, or ABSENT; all on the way was read. */
        private long next() {
            while (at != end) {
                boolean isOwn = changes[at] != UNTOUCHED;
                long version = isOwn ? changes[at] : versions[at];
                if (!isOwn) {
                    own.reads.add(new Read(at, version));
                }
                at += step;
                if (version != ABSENT) {
                    return version;
                }
            }
            return ABSENT;
        }
    }

    private void transaction(VersionedStore world) {
        try (OptimisticTransaction open = world.store.beginOptimistic()) {
            Own own = new Own(world, open);
            int compactions = world.compactions;
            for (int i = world.random.nextInt(12); i > 0; i--) {
                own.step();
            }
            own.scans.forEach(scan -> scan.scan.close());
            boolean isUnchanged = own.reads.stream().allMatch(read -> world.versions[read.key] == read.version);
            boolean isMoved = world.compactions > compactions;
            boolean isCommitted = open.tryCommit();
            if (isUnchanged && isMoved && !isCommitted) { // together with a value that was put since
                tally.refusalsForMoves++;
                return;
            }
            assertThat(isCommitted)
                    .as("%s of %s were read", own.reads.size(), world.versions.length)
                    .isEqualTo(isUnchanged);
            tally.commitsAfterMoves += isMoved && isCommitted && !own.reads.isEmpty() ? 1 : 0;
            if (isUnchanged) {
                own.commit();
                tally.commits++;
            } else {
                tally.refusals++;
            }
        }
    }

    @Test
    void shouldCommitIfAndOnlyIfWhatItHasReadIsStillSo() {
        Seeds.run(40, seed -> {
            try (VersionedStore world = new VersionedStore(new Random(seed))) {
                for (int i = 0; i < TRANSACTIONS; i++) {
                    transaction(world);
                    world.other();
                }
                world.check();
                tally.moved += world.movedBytes;
            }
        });
        assertThat(tally.commits).as("%s", tally).isPositive();
        assertThat(tally.refusals).as("%s", tally).isPositive();
        assertThat(tally.moved).as("%s", tally).isPositive();
        assertThat(tally.longScans).as("%s", tally).isPositive();
        assertThat(tally.commitsAfterMoves).as("%s", tally).isGreaterThan(2 * tally.refusalsForMoves);
    }
}
