package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.sync.WaiterList.Waiter;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaiterListTest {

    private static final class Numbered extends Waiter {

        private final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "waiter " + number;
        }
    }

    private static List<Waiter> content(WaiterList list) {
        List<Waiter> content = new ArrayList<>();
        synchronized (list) {
            for (Waiter waiter = list.oldest(); waiter != null; waiter = waiter.next()) {
                content.add(waiter);
            }
        }
        return content;
    }

    @Test
    void shouldHaveThoseThatWereNotTakenOutInTheOrderInWhichTheyCame() {
        Seeds.run(100, seed -> {
            Random random = new Random(seed);
            List<Numbered> all = IntStream.range(0, 1 + random.nextInt(6))
                    .mapToObj(Numbered::new)
                    .toList();
            WaiterList list = new WaiterList();
            Set<Waiter> model = new LinkedHashSet<>();
            for (int i = 0; i < 100; i++) {
                Numbered waiter = all.get(random.nextInt(all.size()));
                if (random.nextBoolean() && model.add(waiter)) {
                    list.add(waiter);
                } else {
                    model.remove(waiter);
                    list.remove(waiter);
                }
                assertThat(content(list)).as("after step %s", i).containsExactlyElementsOf(model);
                assertThat(list.count()).isEqualTo(model.size());
            }
        });
    }
}
