package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.log.Durability;
import io.persist.log.segment.LogFiles;
import io.persist.store.OldValues;
import io.persist.store.StoreDisks;
import io.persist.store.StoreModel;
import io.persist.store.StoreRecovery;
import io.persist.store.StoreStatistics;
import io.persist.store.engine.StoreDraws.Opening;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** Random work on a store over several lives, each of which ends by a close, a kill or a power cut. */
final class StoreLife {

    private final Random random;
    private final StoreModel model;
    private final StoreDraws draws;
    private final StoreTally tally;

    /** Whether there is a reader of changes with a name, which keeps compaction from what it has not read. */
    private final boolean isAudited;

    StoreLife(Random random, OldValues oldValues, StoreTally tally) {
        this(random, oldValues, tally, random.nextInt(3) == 0);
    }

    StoreLife(Random random, OldValues oldValues, StoreTally tally, boolean isAudited) {
        this.random = random;
        this.isAudited = isAudited;
        this.model = new StoreModel(oldValues);
        this.draws = new StoreDraws(random);
        this.tally = tally;
    }

    StoreModel model() {
        return model;
    }

    Opening anyOpening() {
        return draws.anyOpening(model.oldValues());
    }

    StoreDraws draws() {
        return draws;
    }

    static StoreLogger open(Opening opening, StoreDisks disks) {
        return opening.detached() == null
                ? StoreLogger.open(opening.config(), disks.log, disks.checkpoints)
                : StoreLogger.open(opening.config(), opening.detached(), disks.log, disks.checkpoints);
    }

    /**
     * Opens the store, checks that it holds what it must, and works with it for so many steps, or until the power goes.
     */
    void live(Opening opening, StoreDisks disks, int steps) {
        live(opening, disks, steps, 1);
    }

    /** The same several times in one life, with a compaction in between and a close at the end. */
    void live(Opening opening, StoreDisks disks, int steps, int rounds) {
        tally.lives++;
        StoreLogger store = null;
        try {
            store = open(opening, disks);
            check(store, opening);
            work(store, opening, disks, steps, rounds);
            if (rounds > 1 || random.nextBoolean()) {
                store.close();
                model.allSynced();
            }
        } catch (CorruptLogException | UnsupportedFormatException wrong) {
            throw new AssertionError("a store without damage was refused, " + opening, wrong);
        } catch (PersistException | PowerCut fault) {
            if (!disks.isOff()) {
                throw new AssertionError("a fault without a cause, " + opening, fault);
            }
            tally.cuts++;
        } finally {
            abandon(store);
        }
    }

    private void check(StoreLogger store, Opening opening) {
        StoreRecovery recovery = store.recovery();
        String how = opening + ", " + recovery.describe() + ", "
                + store.logRecovery().describe();
        assertThat(recovery.skipped()).as(how).isEmpty();
        tally.lost += Math.max(0, model.recovered(store, how));
        tally.fromCheckpoint += recovery.checkpoint().isNone() ? 0 : 1;
        tally.replayed += recovery.replay().transactions() > 0 ? 1 : 0;
        tally.cutTails += store.logRecovery().cut().bytes() > 0 ? 1 : 0;
    }

    /**
     * Cuts the power at each operation of the opening of what {@code dead} has left, the first, the second, and so on;
     * each time the next opening finds the same.
     *
     * @return what the last opening, which was not cut, has left
     */
    StoreDisks cutRecoveries(StoreDisks dead, long seed) {
        Loss loss = Loss.values()[(int) (seed & 3)];
        for (int cut = 1; ; cut++) {
            Opening opening = anyOpening();
            StoreDisks disks = dead.crash(new Random(seed), loss).cutPowerAt(cut);
            StoreLogger store = null;
            try {
                store = open(opening, disks);
                disks.powerOff();
            } catch (PowerCut | LogIOException whileOpening) {
                assertThat(disks.isOff()).as("%s", whileOpening).isTrue();
                tally.cutRecoveries++;
            } finally {
                abandon(store);
            }
            StoreDisks left = disks.crash(random, Loss.values()[random.nextInt(Loss.values().length)]);
            try (StoreLogger again = open(anyOpening(), left)) {
                check(again, opening);
            }
            if (store != null) {
                return left;
            }
        }
    }

    /** Opens the store as the last life has left it, twice: the second time there is nothing left to repair. */
    StoreDisks reopen(StoreDisks left, boolean byPowerCut) {
        Opening opening = anyOpening();
        StoreLogger first = open(opening, left);
        try {
            check(first, opening);
            if (random.nextInt(3) == 0) {
                first.close();
            }
            if (byPowerCut) {
                left.powerOff();
            }
        } finally {
            abandon(first);
        }
        StoreDisks again = byPowerCut
                ? left.crash(random, Loss.values()[random.nextInt(Loss.values().length)])
                : random.nextBoolean() ? left : left.afterKill();
        try (StoreLogger second = open(anyOpening(), again)) {
            StoreRecovery recovery = second.recovery();
            model.assertSame(second, recovery.describe());
            assertThat(recovery.skipped()).isEmpty();
            assertThat(second.logRecovery().cut().bytes()).isZero();
            assertThat(second.logRecovery().cut().setAside()).isEmpty();
        }
        return again;
    }

    private void work(StoreLogger store, Opening opening, StoreDisks disks, int steps, int rounds) {
        StoreTransactions transactions = new StoreTransactions(store, model, draws, opening, tally, random);
        StoreSingles singles = new StoreSingles(store, model, draws, tally, random);
        StoreReaders readers = new StoreReaders(store, model, draws, disks.log, tally, random);
        try (StoreViews views = new StoreViews(store, model, disks, tally, random)) {
            for (int i = 0; i < steps * rounds; i++) {
                if (i > 0 && i % steps == 0) {
                    long enough = store.position() + 2L * StoreDraws.SEGMENT_LENGTH; // for compaction to have work
                    while (store.position() < enough) {
                        transactions.run();
                    }
                    readers.closeSnapshots();
                    compact(store, disks, Long.MAX_VALUE / 2);
                }
                switch (random.nextInt(27)) {
                    case 0, 1 -> readers.get();
                    case 2, 3 -> readers.scan();
                    case 4, 5 -> readers.snapshot();
                    case 6 -> readers.changes();
                    case 7 -> {
                        if (isAudited) {
                            readers.audit();
                        }
                    }
                    case 8 -> makeDurable(store);
                    case 9 -> checkpoint(store);
                    case 10 ->
                        compact(store, disks, random.nextInt(3) == 0 ? random.nextInt(3000) : Long.MAX_VALUE / 2);
                    case 11, 12 -> singles.run();
                    case 13 -> views.look();
                    case 14 -> roll(store);
                    default -> transactions.run();
                }
            }
        }
        readers.checkSnapshots();
        model.assertSame(store, "at the end of a life");
    }

    private void roll(StoreLogger store) {
        long before = store.position();
        long end = store.roll();
        assertThat(end).isEqualTo(store.position());
        tally.rolls += end > before ? 1 : 0;
    }

    private void makeDurable(StoreLogger store) {
        switch (random.nextInt(3)) {
            case 0 -> {
                store.flush();
                assertThat(store.flushedPosition()).isGreaterThanOrEqualTo(model.end());
                model.allFlushed();
            }
            case 1 -> {
                store.sync();
                assertThat(store.syncedPosition()).isGreaterThanOrEqualTo(model.end());
                model.allSynced();
            }
            default -> {
                int count = random.nextInt(model.history().size() + 1);
                long end = count == 0 ? 0 : model.history().get(count - 1).end();
                assertThat(await(store, end)).isTrue();
                model.synced(count);
            }
        }
    }

    private static boolean await(StoreLogger store, long end) {
        try {
            return store.await(end, Durability.SYNCED, Duration.ofHours(1));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void checkpoint(StoreLogger store) {
        long before = store.statistics().checkpoint().written();
        store.checkpoint();
        model.allSynced();
        tally.checkpoints += store.statistics().checkpoint().written() - before;
    }

    private void compact(StoreLogger store, StoreDisks disks, long budgetBytes) {
        StoreStatistics before = store.statistics();
        tally.compactions++;
        if (random.nextInt(5) == 0) {
            store.rewrite();
        } else {
            store.compact(budgetBytes);
        }
        model.allSynced();
        StoreStatistics after = store.statistics();
        tally.checkpoints += after.checkpoint().written() - before.checkpoint().written();
        tally.moved += after.compaction().movedBytes() - before.compaction().movedBytes();
        tally.vacated +=
                after.compaction().vacatedSegments() - before.compaction().vacatedSegments();
        tally.waiting += after.compaction().waitingSegments() > 0 ? 1 : 0;
        assertThat(after.compaction().damagedSegments()).isZero();
        try {
            tally.retired += LogFiles.headers(disks.log).get(0).basePosition() > 0 ? 1 : 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends the store's threads whatever the disks say. */
    private static void abandon(StoreLogger store) {
        if (store != null) {
            try {
                store.close();
            } catch (PersistException | PowerCut disksAreGone) {
                assertThat(disksAreGone).isNotNull();
            }
        }
    }
}
