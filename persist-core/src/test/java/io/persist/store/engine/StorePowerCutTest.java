package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.store.OldValues;
import io.persist.store.StoreDisks;
import io.persist.store.engine.StoreDraws.Opening;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.UncaughtErrors;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What was synced survives a power cut at any operation of a commit, a roll, a checkpoint, a compaction, an opening or a
 * closing, and what was flushed survives a kill. What is read is always the state after some number of transactions, and
 * a second recovery finds nothing to do.
 */
class StorePowerCutTest {

    private static final int STEPS = 10;
    private static final int ROUNDS = 3;
    private static final int MOST_OPERATIONS = 5000;

    private final StoreTally tally = new StoreTally();
    private final UncaughtErrors uncaught = new UncaughtErrors();

    @AfterEach
    void checkThreads() {
        System.out.println(tally);
        uncaught.close();
    }

    @Test
    void shouldKeepWhatWasSyncedWhenPowerIsCutAtEachOperationInTurn() {
        Seeds.run(1, seed -> {
            int step = Seeds.isNightly() ? 1 : 3; // a build takes some pairs, another one others
            int cut = 1 + 2 * (int) (seed % step);
            while (cutAt(seed, cut) | cutAt(seed, cut + 1)) {
                cut += 2 * step;
                assertThat(cut).isLessThan(MOST_OPERATIONS);
            }
            assertThat(cut).isGreaterThan(STEPS * ROUNDS);
        });
        assertThat(tally.checkpoints).as("%s", tally).isPositive();
        assertThat(tally.vacated).as("%s", tally).isPositive();
        assertThat(tally.retired).as("%s", tally).isPositive();
        assertThat(tally.fromCheckpoint).as("%s", tally).isPositive();
    }

    /** Returns whether the power went before the script was over, whatever the loss. */
    private boolean cutAt(long seed, int cut) {
        boolean wasCut = false;
        for (Loss loss : Loss.values()) {
            if (Seeds.isNightly() || loss.ordinal() == cut % Loss.values().length) {
                StoreLife life = new StoreLife(new Random(seed), OldValues.RECORD, tally, (cut & 1) == 0);
                Opening opening = life.anyOpening();
                StoreDisks disks = (cut & 2) == 0 ? StoreDisks.one() : StoreDisks.two();
                disks.cutPowerAt(cut);
                life.live(opening, disks, STEPS, ROUNDS);
                wasCut |= disks.isOff();
                life.model().powerWasCut();
                StoreDisks left = life.reopen(disks.crash(new Random(seed + cut), loss), true);
                life.live(life.anyOpening(), left, STEPS / 2);
            }
        }
        return wasCut;
    }

    @Test
    void shouldKeepWhatItMustOverManyLives() {
        Seeds.run(10, seed -> {
            Random random = new Random(seed);
            StoreLife life = new StoreLife(random, OldValues.values()[random.nextInt(2)], tally);
            StoreDisks disks = random.nextBoolean() ? StoreDisks.one() : StoreDisks.two();
            for (int i = 0; i < 6; i++) {
                disks.cutPowerAt(1 + random.nextInt(600));
                life.live(life.anyOpening(), disks, 200);
                boolean byPowerCut = random.nextBoolean();
                if (byPowerCut) {
                    life.model().powerWasCut();
                    disks = disks.crash(random, Loss.values()[random.nextInt(Loss.values().length)]);
                } else {
                    disks = disks.afterKill();
                }
                if (random.nextBoolean()) {
                    disks = life.reopen(disks, byPowerCut);
                }
            }
        });
        assertThat(tally.lost).as("%s", tally).isPositive();
    }

    @Test
    void shouldFindTheSameWhenThePowerGoesDuringRecovery() {
        Seeds.run(3, seed -> {
            Random random = new Random(seed);
            StoreLife life = new StoreLife(random, OldValues.OMIT, tally);
            StoreDisks disks = random.nextBoolean() ? StoreDisks.one() : StoreDisks.two();
            for (int i = 0; i < 3; i++) {
                disks.cutPowerAt(50 + random.nextInt(300));
                life.live(life.anyOpening(), disks, 100);
                life.model().powerWasCut();
                disks = life.cutRecoveries(disks, random.nextLong());
            }
        });
        assertThat(tally.cutRecoveries).as("%s", tally).isPositive();
    }
}
