package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.support.Await;
import io.persist.support.OwnThreads;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A log is closed whose owner is in a call that lasts: of this log, or of another one. */
@ParameterizedClass
@EnumSource(WriterKind.class)
class CloseBesideAnotherTest extends LogFixture {

    private static final int SOME_LOOKS = 5;

    private final CountDownLatch isSyncing = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    /** A thread whose next sync waits for the device, and that knows how often another one has looked where it is. */
    private static class Syncing extends Thread {

        volatile int looks;

        /** Whether the next thing that it does to a file lasts. */
        volatile boolean lasts;

        Syncing(Runnable work) {
            super(work);
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            looks++; // one thread closes
            return super.getStackTrace();
        }
    }

    /** Has {@code thread} wait in a sync of the log in {@code storage}. */
    private void hook(CrashableStorage storage, Syncing thread) {
        storage.hook((number, what) -> {
            if (Thread.currentThread() == thread && thread.lasts) {
                thread.lasts = false;
                isSyncing.countDown();
                Await.latch(mayGoOn);
            }
        });
    }

    private static void sync(Log log) {
        Records.append(log, 1);
        ((Syncing) Thread.currentThread()).lasts = true;
        log.commit(Durability.SYNCED);
    }

    /** The device of the other log may hang. */
    @Test
    void shouldNotWaitForASyncOfAnotherLog() throws Exception {
        open();
        CrashableStorage otherStorage = new CrashableStorage();
        Log other = Log.open(kind.config().build(), otherStorage);
        Syncing thread =
                new Syncing(() -> {
                    Records.append(log, 1);
                    log.commit(Durability.SYNCED);
                    sync(other);
                }) {
                    @Override
                    public StackTraceElement[] getStackTrace() {
                        assertThat(looks)
                                .as("looks at a thread that is elsewhere")
                                .isLessThan(SOME_LOOKS);
                        return super.getStackTrace();
                    }
                };
        hook(otherStorage, thread);
        OwnThreads.run(() -> {
            thread.start();
            Await.latch(isSyncing);
            try {
                log.close();
            } finally {
                mayGoOn.countDown();
                thread.join();
                other.close();
            }
        });
    }

    @Test
    void shouldWaitForASyncOfItsOwn() throws Exception {
        open();
        Syncing thread = new Syncing(() -> sync(log));
        hook(storage, thread);
        OwnThreads.run(() -> {
            thread.start();
            Await.latch(isSyncing);
            Thread closing = new Thread(log::close);
            closing.start();
            Await.until("it has looked, or ended", () -> thread.looks >= SOME_LOOKS || !closing.isAlive());
            assertThat(closing.isAlive()).isTrue();
            mayGoOn.countDown();
            thread.join();
            closing.join();
        });
    }

    /** When the other thread asks the log whether it is there, it has left the sync, but not yet the commit. */
    @Test
    void shouldLookOnceMoreAtAThreadThatMayHaveLeftItsSync() throws Exception {
        open();
        AtomicReference<StackTraceElement[]> inSync = new AtomicReference<>();
        Syncing thread = new Syncing(() -> sync(log)) {
            @Override
            public StackTraceElement[] getStackTrace() {
                StackTraceElement[] now = super.getStackTrace();
                return looks == 1 ? inSync.get() : now;
            }
        };
        storage.hook((number, what) -> {
            if (Thread.currentThread() == thread && inSync.get() == null && thread.lasts) {
                inSync.set(new Throwable().getStackTrace());
            }
        });
        thread.start();
        thread.join();
        log.close();
        assertThat(thread.looks).isEqualTo(2);
    }
}
