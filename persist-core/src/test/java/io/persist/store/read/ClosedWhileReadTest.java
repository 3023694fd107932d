package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.support.Interposed;
import io.persist.support.OwnThreads;
import io.persist.testkit.CrashableStorage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thread is reading a value, and another one closes what it reads with: its segment must stay mapped that long. */
class ClosedWhileReadTest {

    private static final byte[] KEY = {1};
    private static final byte[] VALUE = {11};

    private final CrashableStorage storage = new CrashableStorage();
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private volatile Thread held;
    private volatile boolean isReading;
    private StoreEngine store;

    /** Opened anew, so that values are read from the file. */
    @BeforeEach
    void open() {
        try (StoreEngine first = new StoreOpener(Texts.config(), null).open(storage, storage)) {
            first.single().put(KEY, VALUE, Durability.BUFFERED);
        }
        Storage interposed = Interposed.afterFiles(storage, (file, call) -> {
            if (Thread.currentThread() == held && file.equals(LogFileName.segment(0)) && call.startsWith("read")) {
                isReading = true;
                Await.latch(mayGoOn);
            }
        });
        store = new StoreOpener(Texts.config(), null).open(interposed, interposed);
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldWaitForAThreadThatReadsAValueOfAScan() throws Exception {
        StoreScan scan = store.snapshots().scan(KeyRange.all(), Direction.FORWARD);
        assertThat(scan.next()).isTrue();
        closeWhileRead(scan::close, scan::valueBytes);
        assertThatIllegalStateException().isThrownBy(scan::valueBytes).withMessage("scan is closed");
    }

    @Test
    void shouldWaitForAThreadThatReadsAValueOfASnapshot() throws Exception {
        StoreSnapshot snapshot = store.snapshots().open();
        closeWhileRead(snapshot::close, () -> snapshot.getBytes(KEY));
        assertThatIllegalStateException().isThrownBy(() -> snapshot.getBytes(KEY));
    }

    /** The thread that closes looks where the other one is, again and again. */
    private void closeWhileRead(Runnable close, Supplier<byte[]> read) throws Exception {
        AtomicInteger looks = new AtomicInteger();
        AtomicReference<byte[]> value = new AtomicReference<>();
        AtomicBoolean isClosed = new AtomicBoolean();
        AtomicBoolean wasClosedWithin = new AtomicBoolean();
        OwnThreads.run(() -> {
            Thread reading = new Thread(() -> value.set(read.get())) {
                @Override
                public StackTraceElement[] getStackTrace() {
                    looks.incrementAndGet();
                    return super.getStackTrace();
                }
            };
            held = reading;
            reading.start();
            Await.until("it reads", () -> isReading);
            Thread closing = new Thread(() -> {
                close.run();
                isClosed.set(true);
            });
            closing.start();
            Await.until("it looks again, or is done", () -> looks.get() > 1 || isClosed.get());
            wasClosedWithin.set(isClosed.get());
            mayGoOn.countDown();
            reading.join();
            closing.join();
        });
        assertThat(wasClosedWithin).as("closed while the thread was reading").isFalse();
        assertThat(value.get()).isEqualTo(VALUE);
    }
}
