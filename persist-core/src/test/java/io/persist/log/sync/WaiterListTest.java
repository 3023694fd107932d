package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.sync.WaiterList.Waiter;
import io.persist.support.Await;
import io.persist.support.Seeds;
import io.persist.support.StackEnd;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
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

    private volatile boolean wasInterrupted;

    private static List<Waiter> content(WaiterList list) {
        List<Waiter> content = new ArrayList<>();
        list.visit(content::add);
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

    /**
     * In the queue of a monitor the thread that syncs would wait behind virtual threads that have no carrier; and those
     * that have one, behind them.
     */
    @Test
    void shouldKeepNobodyInAQueueWhileAnotherThreadGoesAlongIt() throws InterruptedException {
        WaiterList list = new WaiterList();
        list.add(new Numbered(0));
        Waiter added = new Numbered(1);
        Thread thread = new Thread(() -> {
            list.add(added);
            Thread.currentThread().interrupt();
            list.remove(added);
            wasInterrupted = Thread.interrupted();
        });
        list.visit(waiter -> {
            thread.start();
            Await.until("it sleeps for a moment, again and again", () -> LockSupport.getBlocker(thread) == list);
            assertThat(list.count()).isEqualTo(1);
            return true;
        });
        thread.join();
        assertThat(list.count()).isEqualTo(1);
        assertThat(wasInterrupted).isTrue();
    }

    @Test
    void shouldCountThoseThatItHasAlsoWhereTheStackEnds() throws Exception {
        assertThat(StackEnd.hear(LittleStack.class)).isEqualTo("the stack ended in some, wrong counts: []");
    }

    static final class LittleStack {

        private static final int MOST_LEVELS = 40;

        public static void main(String[] arguments) throws InterruptedException {
            StackEnd.print(LittleStack::run);
        }

        private static String run() {
            List<String> wrong = new ArrayList<>();
            int ended = 0;
            new WaiterList().add(new Numbered(0)); // so that no class has to be loaded where there is little stack
            for (int levels = 0; levels < MOST_LEVELS; levels++) {
                WaiterList list = new WaiterList();
                Waiter waiter = new Numbered(levels);
                ended += StackEnd.isIn(() -> list.add(waiter), levels) ? 1 : 0;
                int size = content(list).size();
                if (list.count() != size) {
                    wrong.add(list.count() + " of " + size);
                }
            }
            return "the stack ended in " + (ended > 0 && ended < MOST_LEVELS ? "some" : "all or none")
                    + ", wrong counts: " + wrong;
        }
    }
}
