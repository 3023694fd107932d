package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.WaitStrategy;
import io.persist.support.Await;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WriterIdleTest {

    private static final int ROUNDS = 300;
    private static final int HANDOFFS = 3000;

    private final AtomicInteger work = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger idled = new AtomicInteger();
    private volatile boolean over;
    private Thread writer;

    private WriterIdle start(WaitStrategy strategy) {
        WriterIdle idle =
                new WriterIdle(strategy, () -> over || done.get() < work.get(), () -> false, WriterIdle::sleep);
        writer = new Thread(() -> {
            idle.begin();
            while (!over) {
                if (done.get() < work.get()) {
                    done.incrementAndGet();
                    idle.reset();
                } else {
                    idle.idle();
                    idled.incrementAndGet();
                }
            }
        });
        writer.setDaemon(true);
        writer.start();
        return idle;
    }

    private void end(WriterIdle idle) throws InterruptedException {
        over = true;
        idle.wake();
        writer.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(writer.isAlive()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(WaitStrategy.class)
    void shouldNeverMissWork(WaitStrategy strategy) throws InterruptedException {
        WriterIdle idle = start(strategy);
        for (int i = 1; i <= HANDOFFS; i++) {
            if (i % 100 == 0 && strategy == WaitStrategy.BLOCKING) {
                Await.until("the writer sleeps", () -> writer.getState() == Thread.State.TIMED_WAITING);
            }
            work.incrementAndGet();
            idle.wake();
            int all = i;
            if (i % 7 == 0) {
                Await.until("the work is done", () -> done.get() == all);
            }
        }
        Await.until("all the work is done", () -> done.get() == HANDOFFS);
        end(idle);
    }

    @ParameterizedTest
    @EnumSource(
            value = WaitStrategy.class,
            names = {"BUSY_SPIN", "YIELDING", "SLEEPING"})
    void shouldLookAgainByItselfUnlessItBlocks(WaitStrategy strategy) throws InterruptedException {
        WriterIdle idle = start(strategy);
        Await.until("it has looked many times", () -> idled.get() > ROUNDS);
        work.incrementAndGet(); // and nobody wakes it
        Await.until("the work is done", () -> done.get() == 1);
        end(idle);
    }

    @Test
    void shouldSleepUntilItIsWokenIfItBlocks() throws InterruptedException {
        WriterIdle idle = start(WaitStrategy.BLOCKING);
        Await.until("the writer sleeps", () -> writer.getState() == Thread.State.TIMED_WAITING);
        int before = idled.get();
        work.incrementAndGet();
        assertThat(done.get()).isZero();
        assertThat(idled.get()).as("it has not looked since").isEqualTo(before);
        idle.wake();
        Await.until("the work is done", () -> done.get() == 1);
        end(idle);
    }

    private static WriterIdle blocking(BooleanSupplier hasWork) {
        return new WriterIdle(WaitStrategy.BLOCKING, hasWork, () -> false, WriterIdle::sleep);
    }

    /** Idles so often that it would sleep, on a thread of its own because it might not come back. */
    private static void idle(AtomicReference<WriterIdle> idle) throws InterruptedException {
        Thread thread = new Thread(() -> {
            idle.get().begin();
            for (int i = 0; i < ROUNDS; i++) {
                idle.get().idle();
            }
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(thread.isAlive()).as("sleeps for ever").isFalse();
    }

    @Test
    void shouldNotSleepWhenItsLastLookFindsWork() throws InterruptedException {
        idle(new AtomicReference<>(blocking(() -> true)));
    }

    @Test
    void shouldBeWokenByWorkThatComesRightAfterItsLastLook() throws InterruptedException {
        AtomicReference<WriterIdle> idle = new AtomicReference<>();
        idle.set(blocking(() -> {
            idle.get().wake();
            return false;
        }));
        idle(idle);
    }
}
