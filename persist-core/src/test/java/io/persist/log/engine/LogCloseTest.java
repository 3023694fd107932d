package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.detached.DetachedLog;
import io.persist.format.LogFileName;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.read.Tailer;
import io.persist.log.write.Commits;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.OwnThreads;
import io.persist.support.Records;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing a log syncs it, ends its threads, and leaves nothing of it that could still be used but open tailers. */
@ParameterizedClass
@EnumSource(WriterKind.class)
@Timeout(60)
class LogCloseTest extends LogFixture {

    private void cutPower() {
        storage = DeadLog.cutPower(log, storage);
    }

    @Test
    void shouldSyncOnClose() {
        open();
        Records.append(log, 50);
        log.close();
        cutPower();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.CLOSED);
        assertThat(log.recovery().checked().records()).isZero();
        assertThat(Records.readAll(log)).isEqualTo(50);
    }

    @Test
    void shouldRefuseEverythingOnceClosed() {
        open();
        Records.append(log, 3);
        log.commit(Durability.BUFFERED);
        Records.append(log, 1);
        Tailer tailer = log.tailer();
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        log.close();
        String message = "logger is closed";
        assertThatIllegalStateException().isThrownBy(() -> Records.append(log)).withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.append(ByteBuffer.allocate(1)))
                .withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> log.claim(1)).withMessage(message);
        for (Durability level : Durability.values()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> log.commit(level))
                    .withMessage(message);
        }
        assertThatIllegalStateException().isThrownBy(() -> log.flush()).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> log.sync()).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> log.handOver()).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> log.tailer()).withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.await(1, Durability.BUFFERED, Duration.ZERO))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.planRetention(RetentionRule.keepBytes(0)))
                .withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.retire(plan, Retirement.DELETE))
                .withMessage(message);
        assertThat(log.lastSequence()).isEqualTo(4);
        assertThat(log.statistics().rolls()).isZero();
        assertThat(Records.readAll(tailer)).isEqualTo(4);
        tailer.close();
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldCloseTwice() {
        open();
        Records.append(log, 1);
        log.close();
        Log second = Log.open(kind.config().build(), storage);
        assertThatCode(log::close).doesNotThrowAnyException();
        Records.append(second, 1);
        second.commit(Durability.SYNCED);
        second.close();
    }

    /** Or it would take away what a new writer's readers are reading. */
    @Test
    void shouldWaitForARetirement() throws Exception {
        open();
        Records.appendUntilRolled(log, 3);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        storage.hook((number, what) -> {
            if (what.startsWith("delete " + LogFileName.segment(0))) {
                isHeld.countDown();
                Await.latch(mayGoOn);
            }
        });
        log.flush();
        Thread retiring = new Thread(() -> log.retire(plan, Retirement.DELETE));
        retiring.start();
        Await.latch(isHeld);
        Thread closing = new Thread(log::close);
        closing.start();
        Await.until("it waits for it", () -> waits(closing) || !closing.isAlive());
        boolean waited = closing.isAlive();
        MonitorInfo[] monitors = monitors(retiring); // in a retirement a thread may park, too
        mayGoOn.countDown();
        retiring.join();
        closing.join();
        assertThat(waited).isTrue();
        assertThat(monitors)
                .noneMatch(held -> held.getLockedStackFrame().getClassName().equals(LogClosing.class.getName()));
        assertThat(storage.openHandles()).isZero();
    }

    /**
     * On JDK 21 to 23 a virtual thread that parks in a monitor keeps its carrier. If there is no other one, the thread
     * that it waits for never goes on.
     */
    @Test
    void shouldHoldNoMonitorWhileItWaitsForAThreadOfTheLog() throws Exception {
        open();
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Thread writing = new Thread(() -> {
            Records.append(log, 1);
            log.commit(Durability.SYNCED);
        });
        log.handOver();
        storage.hook((number, what) -> {
            if (what.startsWith("sync ") || what.startsWith("force ")) {
                isHeld.countDown();
                Await.latch(mayGoOn);
            }
        });
        writing.start();
        Await.latch(isHeld);
        Thread closing = new Thread(log::close);
        closing.start();
        Await.until("it waits", () -> waits(closing) || !closing.isAlive());
        MonitorInfo[] held = monitors(closing);
        boolean waited = closing.isAlive();
        mayGoOn.countDown();
        writing.join();
        closing.join();
        assertThat(waited).isTrue();
        assertThat(held).isEmpty();
        assertThat(storage.openHandles()).isZero();
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static MonitorInfo[] monitors(Thread thread) {
        long[] ids = {thread.getId()};
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(ids, true, false)[0];
        return info.getLockedMonitors();
    }

    @Test
    void shouldLeaveNoThreadBehind() throws Exception {
        OwnThreads.run(() -> {
            open();
            Records.append(log, 100);
            log.close();
        });
    }

    /** The thread that closes looks at the stack of the one that appended. */
    private static final class UnknownStack extends Thread {

        private boolean fails = true;

        UnknownStack(Runnable work) {
            super(work);
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            if (fails) {
                fails = false;
                throw new OutOfMemoryError("no stack");
            }
            return super.getStackTrace();
        }
    }

    @Test
    void shouldCloseAtTheSecondAttemptWhenMemoryWasMissing() throws Exception {
        open();
        UnknownStack appending = new UnknownStack(() -> Records.append(log, 10));
        appending.start();
        appending.join();
        assertThat(catchThrowable(log::close)).isInstanceOf(OutOfMemoryError.class);
        assertThatIllegalStateException().isThrownBy(() -> log.tailer()).withMessage("logger is closed");
        log.close();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.CLOSED);
        assertThat(Records.readAll(log)).isEqualTo(10);
    }

    /** A thread that has lost its CPU in a commit, right after the sync, when another one looks where it is. */
    private static final class Preempted extends Thread {

        private static final String COMMIT = Commits.class.getName();

        private final List<StackTraceElement> inCommit = new ArrayList<>();
        private int looks;

        Preempted(Runnable work) {
            super(work);
        }

        /** To be called below the sync. */
        void noteCommit() {
            List<StackTraceElement> stack = List.of(super.getStackTrace());
            stack.stream()
                    .dropWhile(frame -> !frame.getClassName().equals(COMMIT))
                    .forEach(inCommit::add);
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            looks++;
            return looks == 1 ? inCommit.toArray(StackTraceElement[]::new) : super.getStackTrace();
        }
    }

    /** The commit counts itself in mapped memory when the sync has returned; on an unmapped page the JVM would end. */
    @Test
    void shouldWaitForACommitBehindItsSync() throws Exception {
        open();
        Preempted committing = new Preempted(() -> {
            Records.append(log, 1);
            log.commit(Durability.SYNCED);
        });
        storage.hook((number, what) -> {
            if (Thread.currentThread() == committing && committing.inCommit.isEmpty()) {
                committing.noteCommit();
            }
        });
        committing.start();
        committing.join();
        assertThat(committing.inCommit).isNotEmpty();
        log.close();
        assertThat(committing.looks).as("looks at the thread").isEqualTo(2);
    }

    @Test
    void shouldCloseADetachedLogAtTheSecondAttempt() {
        open();
        DetachedConfig config =
                DetachedConfig.builder().threadFactory(UnknownStack::new).build();
        DetachedLog detached = DetachedLog.over(log, config);
        detached.append(new byte[8], 0, 8);
        detached.commit(Durability.SYNCED);
        assertThat(catchThrowable(detached::close)).isInstanceOf(OutOfMemoryError.class);
        detached.close();
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.CLOSED);
        assertThat(log.lastSequence()).isEqualTo(1);
    }
}
