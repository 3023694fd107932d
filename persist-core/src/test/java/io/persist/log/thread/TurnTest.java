package io.persist.log.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Threads that sleep until a lock is given back. */
class TurnTest {

    private static final int LOOKS = 20;

    private final Turn turn = new Turn();

    private Thread waits() {
        Thread thread = new Thread(() -> {
            turn.take();
            turn.giveBack();
        });
        thread.start();
        Await.until("it sleeps", () -> LockSupport.getBlocker(thread) == turn);
        return thread;
    }

    @SuppressWarnings("unchecked")
    private Queue<Thread> parked() throws ReflectiveOperationException {
        Field field = Turn.class.getDeclaredField("parked");
        field.setAccessible(true);
        return (Queue<Thread>) field.get(turn);
    }

    /** How often it has slept. */
    private static long sleeps(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
    }

    /** Each of many would, and leave no CPU to the one that has the lock. */
    @Test
    void shouldNotLookOftenBehindAnotherThread() throws InterruptedException {
        turn.take();
        Thread first = waits();
        Thread second = waits();
        long before = sleeps(first);
        long beforeOfSecond = sleeps(second);
        Await.until("the first has looked often", () -> sleeps(first) - before >= LOOKS);
        assertThat(sleeps(second) - beforeOfSecond).as("looks of the second").isLessThan(LOOKS / 2);
        turn.giveBack();
        first.join();
        second.join();
        assertThat(turn.tryTake()).isTrue();
    }

    @Test
    void shouldEndAWaitWhenItsTimeIsOver() throws InterruptedException {
        turn.take();
        boolean[] got = {true};
        Thread thread = new Thread(() -> got[0] = turn.takeUnless(() -> false, TimeUnit.MILLISECONDS.toNanos(1)));
        thread.start();
        thread.join();
        assertThat(got[0]).isFalse();
        assertThat(turn.isMine()).isTrue();
        Thread next = waits(); // nobody is before it who would get its wake-up
        turn.giveBack();
        next.join();
    }

    /** And wake the next one, which may find the same. */
    @Test
    void shouldEndAWaitThatIsNotNeededAnyMore() throws InterruptedException {
        turn.take();
        AtomicBoolean isNeedless = new AtomicBoolean();
        AtomicInteger ended = new AtomicInteger();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Thread thread = new Thread(() -> {
                if (!turn.takeUnless(isNeedless::get, Long.MAX_VALUE)) {
                    ended.incrementAndGet();
                }
            });
            waiting.add(thread);
            thread.start();
        }
        Await.until("they sleep", () -> waiting.stream().allMatch(Await::waitsForTurn));
        isNeedless.set(true);
        for (Thread each : waiting) {
            each.join();
        }
        assertThat(ended).hasValue(50);
        assertThat(turn.isMine()).isTrue();
    }

    /** As an error can leave it behind that also stops the second attempt to take it out of the queue. */
    @Test
    void shouldComeBeforeAThreadThatNeverTakesIt() throws ReflectiveOperationException, InterruptedException {
        turn.take();
        Queue<Thread> parked = parked();
        parked.add(new Thread(() -> {}));
        Thread behind = waits();
        turn.giveBack(); // which wakes the one that has not even begun
        behind.join(TimeUnit.MINUTES.toMillis(1));
        assertThat(behind.isAlive()).isFalse();
    }

    /** To look for what is not there is to look at each thread that waits: thousands did nothing else. */
    @Test
    void shouldTakeItselfOutOfTheQueueOnce() throws ReflectiveOperationException, InterruptedException {
        turn.take();
        Queue<Thread> parked = parked();
        Thread waits = waits();
        parked.add(waits); // a second time: only the first one is its own
        turn.giveBack();
        waits.join();
        assertThat(parked).containsExactly(waits);
    }

    /** The question takes another lock, whose wait uses up the wake-up of this one. */
    @Test
    void shouldNotSleepAfterItsQuestionIfItIsFreeByThen() throws InterruptedException {
        Turn asked = new Turn();
        turn.take();
        asked.take();
        Thread first = waits();
        AtomicBoolean got = new AtomicBoolean();
        Thread second = new Thread(() -> {
            got.set(turn.takeUnless(
                    () -> {
                        asked.take();
                        asked.giveBack();
                        return false;
                    },
                    Long.MAX_VALUE));
            turn.giveBack();
        });
        second.start();
        Await.until("it asks", () -> LockSupport.getBlocker(second) == asked);
        turn.giveBack();
        first.join();
        asked.giveBack();
        boolean[] slept = {false};
        Await.until("it has the turn, or sleeps", () -> {
            slept[0] |= LockSupport.getBlocker(second) == turn;
            return got.get() || slept[0];
        });
        assertThat(slept[0]).as("sleeps, and the turn is free").isFalse();
        second.join();
    }
}
