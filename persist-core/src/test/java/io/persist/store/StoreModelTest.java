package io.persist.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.WriteMode;
import io.persist.store.StoreDraws.Opening;
import io.persist.support.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A store is like a sorted map, whatever it does with its segments meanwhile, and however often it is opened. */
class StoreModelTest {

    private static final int LIVES = 4;
    private static final int STEPS = 250;

    @Test
    void shouldBeLikeASortedMapMapped() {
        run(WriteMode.MAPPED, false);
    }

    @Test
    void shouldBeLikeASortedMapInAFile() {
        run(WriteMode.FILE, false);
    }

    @Test
    void shouldBeLikeASortedMapDetached() {
        run(WriteMode.MAPPED, true);
    }

    private static void run(WriteMode mode, boolean isDetached) {
        StoreTally tally = new StoreTally();
        Seeds.run(3, seed -> {
            Random random = new Random(seed);
            OldValues oldValues = OldValues.values()[random.nextInt(2)];
            StoreLife life = new StoreLife(random, oldValues, tally);
            StoreDisks disks = random.nextBoolean() ? StoreDisks.one() : StoreDisks.two();
            for (int i = 0; i < LIVES; i++) {
                Opening opening = life.draws().opening(mode, isDetached, oldValues);
                life.live(opening, disks, STEPS);
                life.model().allSynced(); // it was closed, at the latest by whoever ends a life
            }
            life.live(life.draws().opening(mode, isDetached, oldValues), disks, 0);
        });
        assertThat(tally.checkpoints).as("%s", tally).isPositive();
        assertThat(tally.moved).as("%s", tally).isPositive();
        assertThat(tally.vacated).as("%s", tally).isPositive();
        assertThat(tally.waiting).as("%s", tally).isPositive();
        assertThat(tally.retired).as("%s", tally).isPositive();
        assertThat(tally.refused).as("%s", tally).isPositive();
        assertThat(tally.fromCheckpoint).as("%s", tally).isPositive();
        assertThat(tally.replayed).as("%s", tally).isPositive();
        assertThat(tally.lost).as("%s", tally).isZero();
    }
}
