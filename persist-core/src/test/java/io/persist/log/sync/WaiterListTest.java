package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.sync.WaiterList.Waiter;
import io.persist.support.ChildJvm;
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

    /** Interpreted, a call needs the same stack each time. */
    @Test
    void shouldCountThoseThatItHasAlsoWhereTheStackEnds() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.command(LittleStack.class));
        command.add(1, "-Xint");
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("the stack ended in some, wrong counts: []");
        }
    }

    static final class LittleStack {

        private static final int MOST_LEVELS = 40;

        private final List<String> wrong = new ArrayList<>();
        private int ended;

        public static void main(String[] arguments) throws InterruptedException {
            LittleStack test = new LittleStack();
            Thread thread = new Thread(null, test::run, "deep", 256 << 10);
            thread.start();
            thread.join();
            System.out.println(
                    "the stack ended in " + (test.ended > 0 && test.ended < MOST_LEVELS ? "some" : "all or none")
                            + ", wrong counts: " + test.wrong);
        }

        private void run() {
            new WaiterList().add(new Numbered(0)); // so that no class has to be loaded where there is little stack
            for (int levels = 0; levels < MOST_LEVELS; levels++) {
                WaiterList list = new WaiterList();
                addAbove(levels, list, new Numbered(levels));
                int size = content(list).size();
                if (list.count() != size) {
                    wrong.add(list.count() + " of " + size);
                }
            }
        }

        /** Adds a waiter so many calls above the end of the stack. */
        private int addAbove(int levels, WaiterList list, Waiter waiter) {
            int above;
            try {
                above = addAbove(levels, list, waiter);
            } catch (StackOverflowError e) {
                return 0;
            }
            if (above == levels) {
                try {
                    list.add(waiter);
                } catch (StackOverflowError e) {
                    ended++;
                }
            }
            return above + 1;
        }
    }
}
