package io.persist.store.layer;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.Texts;
import io.persist.store.staged.StagedChanges;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Changes in the order of their keys, of each key the last one: a sorted map has the same. */
class ChangeOrderTest {

    private final StagedChanges staged = new StagedChanges(1 << 24, OldValues.OMIT);
    private final TreeMap<byte[], Integer> model = new TreeMap<>(Arrays::compareUnsigned);

    private void put(byte[] key) {
        model.put(key, staged.length());
        staged.put(key, key, 0, key.length % 3);
    }

    private void begin() {
        staged.clear();
        model.clear();
    }

    private void check() {
        ChangeOrder order = ChangeOrder.ofAll(staged.buffer(), staged.length(), staged.count());
        List<Integer> entries = new ArrayList<>();
        for (int i = 0; i < order.count(); i++) {
            entries.add(order.entry(i));
        }
        assertThat(entries).isEqualTo(List.copyOf(model.values()));
    }

    @Test
    void shouldHaveNoChangeAtFirst() {
        begin();
        check();
        staged.removeRange(KeyRange.all());
        check();
        assertThat(ChangeOrder.NONE.count()).isZero();
    }

    /** Runs of all lengths, up and down, with keys that come again in each of them. */
    @Test
    void shouldMergeRunsThatAreInOrder() {
        for (int runs = 1; runs < 12; runs++) {
            for (int direction = -1; direction <= 1; direction += 2) {
                begin();
                for (int run = 0; run < runs; run++) {
                    for (int i = 0; i < 5 + run; i++) {
                        put(Texts.bytes("key-" + (1000 + direction * 3 * i + run % 4)));
                    }
                    staged.removeRange(KeyRange.from(Texts.bytes("key-1003")));
                }
                check();
            }
        }
    }

    @Test
    void shouldSortLikeAMap() {
        Seeds.run(20, seed -> {
            Random random = new Random(seed);
            begin();
            int changes = random.nextInt(random.nextInt(2000) + 1);
            int kinds = 1 + random.nextInt(300);
            for (int i = 0; i < changes; i++) {
                byte[] key = new byte[1 + random.nextInt(1 + random.nextInt(20))];
                Arrays.fill(key, (byte) (random.nextInt(kinds) - 128));
                key[key.length - 1] = (byte) random.nextInt(kinds);
                put(key);
            }
            check();
        });
    }

    /** An order does not depend on what is staged later. */
    @Test
    void shouldStayAsItIs() {
        begin();
        put(Texts.bytes("b"));
        put(Texts.bytes("a"));
        ChangeOrder order = ChangeOrder.ofAll(staged.buffer(), staged.length(), staged.count());
        Map<byte[], Integer> before = new TreeMap<>(model);
        put(Texts.bytes("a"));
        assertThat(order.count()).isEqualTo(2);
        assertThat(List.of(order.entry(0), order.entry(1))).isEqualTo(List.copyOf(before.values()));
    }
}
