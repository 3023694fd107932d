package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.Node;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random changes and snapshots, compared with a {@link java.util.TreeMap}. */
class KeyIndexModelTest {

    private static final int STEPS = 6_000;
    private static final int MAX_SNAPSHOTS = 4;

    @ParameterizedTest
    @EnumSource(KeyShape.class)
    void shouldBeLikeATreeMap(KeyShape shape) {
        Seeds.run(1, seed -> run(shape, new Random(seed)));
    }

    private static void run(KeyShape shape, Random random) {
        try (IndexModel model = new IndexModel()) {
            int keys = 1 + random.nextInt(random.nextBoolean() ? 4000 : 300);
            int puts = 60;
            int next = 0;
            for (int step = 0; step < STEPS; step++) {
                if (step % 1000 == 0) {
                    puts = 20 + random.nextInt(70);
                }
                byte[] key = shape.key(random.nextInt(3) == 0 ? next++ % keys : random.nextInt(keys));
                int dice = random.nextInt(100);
                if (dice < puts) {
                    model.put(key);
                } else if (dice < 95) {
                    model.remove(key);
                } else {
                    model.get(key);
                }
                if (random.nextInt(200) == 0) {
                    changeSnapshots(model, random);
                }
                if (random.nextInt(1500) == 0) {
                    model.checkAll(random);
                }
            }
            while (model.openSnapshots() > 0) {
                model.checkAndClose(random, random.nextInt(model.openSnapshots()));
                TreeChecker.check(model.index);
            }
            model.checkAll(random);
            removeAll(model, random);
        }
    }

    /** Keys that come nearly in order, as timers do: full leaves share with the leaf before, also under snapshots. */
    @ParameterizedTest
    @EnumSource(KeyShape.class)
    void shouldBeLikeATreeMapIfKeysComeNearlyInOrder(KeyShape shape) {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            try (IndexModel model = new IndexModel()) {
                int near = 1 + random.nextInt(300);
                for (int i = 0; i < STEPS; i++) {
                    model.put(shape.key(i + random.nextInt(near)));
                    if (random.nextInt(10) == 0) {
                        model.remove(shape.key(random.nextInt(i + 1)));
                    }
                    if (random.nextInt(100) == 0) {
                        changeSnapshots(model, random);
                    }
                }
                while (model.openSnapshots() > 0) {
                    model.checkAndClose(random, 0);
                }
                model.checkAll(random);
                removeAll(model, random);
            }
        });
    }

    private static void changeSnapshots(IndexModel model, Random random) {
        if (model.openSnapshots() < MAX_SNAPSHOTS && random.nextInt(5) < 3) {
            model.open();
        } else if (model.openSnapshots() > 0) {
            model.checkAndClose(random, random.nextInt(model.openSnapshots()));
        }
    }

    /** In any order, or from one of the ends. */
    private static void removeAll(IndexModel model, Random random) {
        List<byte[]> keys = new ArrayList<>(model.model.keySet());
        switch (random.nextInt(3)) {
            case 0 -> Collections.shuffle(keys, random);
            case 1 -> Collections.reverse(keys);
            default -> {}
        }
        for (byte[] key : keys) {
            model.remove(key);
        }
        model.checkAll(random);
        assertThat(model.index.usedBytes()).as("an empty leaf").isEqualTo(Node.LENGTH);
    }
}
