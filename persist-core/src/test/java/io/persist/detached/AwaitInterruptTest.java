package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogWriter;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Interrupts of threads that await a position, and of those that must not be ended by one. */
@ParameterizedClass
@EnumSource(WriterWay.class)
class AwaitInterruptTest {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    @Parameter
    WriterWay way;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private Log inner;
    private LogWriter log;

    @BeforeEach
    void open() {
        inner = way.open(storage);
        log = way.writer(inner);
        storage.hook(syncs);
    }

    @AfterEach
    void close() {
        WriterWay.close(log, syncs, storage);
    }

    /** A thread that waits, and then tells whether its flag is up. */
    private final class Waiting extends Thread {

        private final FutureTask<Boolean> task;
        private boolean flag;

        Waiting(long position, Durability level) {
            task = new FutureTask<>(() -> log.await(position, level, FOREVER));
            start();
        }

        @Override
        public void run() {
            task.run();
            flag = Thread.interrupted();
        }

        void isInterrupted(String where) throws InterruptedException {
            join();
            assertThatThrownBy(task::get)
                    .as(where)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(flag).as("flag, %s", where).isFalse();
        }
    }

    private void awaitWaiting(int count) {
        Await.until(count + " wait", () -> inner.positions().waiters().count() == count);
    }

    private long append() {
        return log.append(new byte[100], 0, 100);
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldEndAWaitForWhatDoesNotCome(Durability level) throws InterruptedException {
        Waiting waiting = new Waiting(log.position() + 1, level);
        if (way.isDetached()) {
            awaitWaiting(1); // attached it looks every now and then, and is not listed
        }
        waiting.interrupt();
        waiting.isInterrupted("a wait");
        assertThat(inner.positions().waiters().count()).isZero();
        append();
        log.commit(Durability.SYNCED);
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldThrowAtOnceUnlessThePositionIsThere(Durability level) throws InterruptedException {
        append();
        long end = log.commit(Durability.SYNCED);
        Thread.currentThread().interrupt();
        assertThat(log.await(end, level, Duration.ZERO)).isTrue();
        assertThat(log.await(end, level, FOREVER)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).as("the flag stays").isTrue();
        assertThatThrownBy(() -> log.await(end + 1, level, FOREVER)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted())
                .as("the flag is down")
                .isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> log.await(end + 1, level, Duration.ZERO)).isInstanceOf(InterruptedException.class);
        append();
        log.flush();
        syncs.hold(); // or the writer thread may have synced it before the interrupt is seen
        Thread.currentThread().interrupt();
        long syncsBefore = log.statistics().syncs();
        assertThatThrownBy(() -> log.await(log.position(), Durability.SYNCED, FOREVER))
                .isInstanceOf(InterruptedException.class);
        assertThat(log.statistics().syncs() == syncsBefore || way.isDetached())
                .as("it has not led a sync")
                .isTrue();
    }

    /** The one whose turn it would be to sync next is interrupted: then the one behind it does. */
    @Test
    void shouldLeaveNobodyWithoutALeader() throws Exception {
        append();
        log.flush();
        if (way.isDetached()) {
            syncs.holdWrites();
        } else {
            syncs.hold();
        }
        long end = log.position();
        Waiting leader = new Waiting(end, Durability.SYNCED);
        syncs.awaitHeld();
        append();
        if (!way.isDetached()) {
            log.flush();
        }
        Waiting next = new Waiting(log.position(), Durability.SYNCED);
        awaitWaiting(way.isDetached() ? 2 : 1);
        Waiting last = new Waiting(log.position(), Durability.SYNCED);
        awaitWaiting(way.isDetached() ? 3 : 2);
        next.interrupt();
        next.isInterrupted("while another thread is in the device");
        awaitWaiting(way.isDetached() ? 2 : 1);
        syncs.releaseAll();
        assertThat(leader.task.get()).isTrue();
        assertThat(last.task.get()).isTrue();
        assertThat(log.positions().hasFailed()).isFalse();
    }

    @Test
    void shouldKeepTheInterruptOfACommit() {
        for (Durability level : Durability.values()) {
            append();
            Thread.currentThread().interrupt();
            log.commit(level);
            log.awaitUninterruptibly(log.position(), level == Durability.BUFFERED ? level : Durability.SYNCED);
            assertThat(Thread.interrupted()).as("the flag stays, %s", level).isTrue();
        }
    }
}
