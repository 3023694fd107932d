package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.WriteMode;
import io.persist.store.OldValues;
import io.persist.store.StoreDisks;
import io.persist.support.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A store is like a sorted map, whatever it does with its segments meanwhile, and however often it is opened. */
class StoreModelTest {

    private static final int LIVES = 2;
    private static final int STEPS = 300;

    @Test
    void shouldBeLikeASortedMapMapped() {
        run(WriteMode.MAPPED, false, OldValues.RECORD);
    }

    @Test
    void shouldBeLikeASortedMapInAFile() {
        run(WriteMode.FILE, false, OldValues.OMIT);
    }

    @Test
    void shouldBeLikeASortedMapDetached() {
        run(WriteMode.MAPPED, true, OldValues.RECORD);
    }

    private static void run(WriteMode mode, boolean isDetached, OldValues oldValues) {
        StoreTally tally = new StoreTally();
        Seeds.run(3, seed -> {
            Random random = new Random(seed);
            for (boolean isAudited : new boolean[] {false, true}) {
                StoreLife life = new StoreLife(random, oldValues, tally, isAudited);
                StoreDisks disks = random.nextBoolean() ? StoreDisks.one() : StoreDisks.two();
                for (int i = 0; i < LIVES; i++) {
                    life.live(life.draws().opening(mode, isDetached, oldValues), disks, STEPS);
                    life.model().allSynced(); // it was closed, at the latest by whoever ends a life
                }
                life.live(life.draws().opening(mode, isDetached, oldValues), disks, 0);
            }
        });
        assertThat(tally.checkpoints).as("%s", tally).isPositive();
        assertThat(tally.singles).as("%s", tally).isPositive();
        assertThat(tally.exchanges).as("%s", tally).isPositive();
        assertThat(tally.large).as("%s", tally).isPositive();
        assertThat(tally.ranges).as("%s", tally).isPositive();
        assertThat(tally.conflicts).as("%s", tally).isPositive();
        assertThat(tally.optimisticScans).as("%s", tally).isPositive();
        assertThat(tally.moved).as("%s", tally).isPositive();
        assertThat(tally.vacated).as("%s", tally).isPositive();
        assertThat(tally.waiting).as("%s", tally).isPositive();
        assertThat(tally.rolls).as("%s", tally).isPositive();
        assertThat(tally.retired).as("%s", tally).isPositive();
        assertThat(tally.refused).as("%s", tally).isPositive();
        assertThat(tally.fromCheckpoint).as("%s", tally).isPositive();
        assertThat(tally.replayed).as("%s", tally).isPositive();
        assertThat(tally.oldValues > 0).as("%s", tally).isEqualTo(oldValues == OldValues.RECORD);
        assertThat(tally.caughtUp).as("%s", tally).isPositive();
        if (Seeds.isNightly()) { // else it may be that none has fallen so far behind
            assertThat(tally.openedAnew).as("%s", tally).isPositive();
        }
        assertThat(tally.lost).as("%s", tally).isZero();
    }
}
