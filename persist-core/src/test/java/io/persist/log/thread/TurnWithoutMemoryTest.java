package io.persist.log.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.FullHeap;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread has to wait for a lock, and there is no memory: it may need the lock to give back what it holds. */
class TurnWithoutMemoryTest {

    @TempDir
    Path directory;

    @Test
    void shouldWaitAllTheSame() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("24m", NoMemory.class, directory))) {
            assertThat(child.hear()).isEqualTo("taken");
        }
    }

    static final class NoMemory {

        private final Turn turn = new Turn();
        private volatile boolean isFull;
        private volatile String end = "";

        public static void main(String[] arguments) throws InterruptedException {
            Object[] ballast = new Object[500_000];
            new NoMemory().run(new Object[0]); // what is needed at first only is made here
            System.out.println(new NoMemory().run(ballast));
            System.exit(0);
        }

        private String run(Object[] ballast) throws InterruptedException {
            turn.take();
            Thread waiting = new Thread(this::take);
            waiting.start();
            FullHeap.fill(ballast);
            isFull = true;
            while (waiting.isAlive() && !Await.waitsForTurn(waiting)) {
                Thread.onSpinWait();
            }
            Arrays.fill(ballast, null);
            turn.giveBack();
            waiting.join();
            return end;
        }

        private void take() {
            while (!isFull) {
                Thread.onSpinWait();
            }
            try {
                turn.take();
                end = "taken";
                turn.giveBack();
            } catch (OutOfMemoryError none) {
                end = "not taken";
            }
        }
    }
}
