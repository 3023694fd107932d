package io.persist.memcached.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.LogConfig;
import io.persist.memcached.cache.HeapItems;
import io.persist.memcached.cache.Items;
import io.persist.memcached.cache.StoredItems;
import io.persist.memcached.cache.StoredItems.Safety;
import io.persist.store.StoreConfig;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random pipelines, in random pieces, against a model; and with restarts in between. Repeat one with -Dseed=. */
class ModelTest {

    private static final long START = 1_800_000_000L;

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private final Model model = new Model(random, START);

    @TempDir
    Path directory;

    @Test
    void shouldAnswerAsTheModelOnTheHeap() {
        check(new HeapItems(1 << 30), 200);
    }

    @Test
    void shouldAnswerAsTheModelFromAStoreThatIsOpenedAgainAndAgain() {
        for (int i = 0; i < 4; i++) {
            restart(i % 2 == 0 ? Safety.SYNCED : Safety.LATER, 15);
        }
    }

    @Test
    @Tag("nightly")
    void shouldAnswerAsTheModelForLong() {
        for (int i = 0; i < 100; i++) {
            restart(random.nextBoolean() ? Safety.SYNCED : Safety.LATER, 100);
        }
    }

    private void restart(Safety safety, int pipelines) {
        StoreConfig config = StoreConfig.builder(
                        LogConfig.builder(directory).segmentLength(4 << 20).build())
                .build();
        try (StoredItems items = StoredItems.open(config, safety)) {
            check(items, pipelines);
        }
        model.forgetCas(); // a client may not rely on their being without gaps
    }

    private void check(Items items, int pipelines) {
        Service service = Wire.service(items, model::now);
        Wire wire = new Wire(service);
        for (int i = 0; i < pipelines; i++) {
            String before = model.describe();
            String pipeline = model.pipeline();
            int cut = random.nextInt(pipeline.length());
            String answers = wire.send(pipeline.substring(0, cut)) + wire.exchange(pipeline.substring(cut));
            String expected = model.answers();
            assertThat(model.withKnownCas(answers, expected))
                    .as("seed=" + seed + ", sent=" + pipeline + ", before=" + before)
                    .isEqualTo(model.withKnownCas(expected, expected));
            model.passTime();
        }
        wire.close();
    }
}
