package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.HeardNotices;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the application does when it learns that a sync has failed: the thread that tells it has given back the turn. */
@Timeout(120)
class FailedSyncTest {

    private static final long FAR = 1L << 40;

    private final CrashableStorage storage = new CrashableStorage();
    private final Log log =
            Log.open(LogConfig.builder(Path.of("memory")).segmentLength(4096).build(), storage);
    private long end;

    @BeforeEach
    void append() {
        end = Records.append(log);
        log.commit(Durability.FLUSHED);
        storage.hook((number, what) -> {
            if (what.matches("(force|sync) \\d+\\.log")) {
                throw new IOException("injected");
            }
        });
    }

    @AfterEach
    void isClosed() {
        assertThat(storage.openHandles()).isZero();
    }

    private static void checkFails(ThrowingCallable sync) {
        assertThatExceptionOfType(LogIOException.class).isThrownBy(sync).withStackTraceContaining("injected");
    }

    private void await() throws InterruptedException {
        log.await(end, Durability.SYNCED, Duration.ofSeconds(60));
    }

    /** Closes the log in another thread; returns whether that has ended. */
    private boolean hasClosed() {
        Thread closing = new Thread(() -> checkFails(log::close));
        closing.start();
        try {
            closing.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return !closing.isAlive();
    }

    @Test
    void shouldLetAStepWaitForAThreadThatCloses() throws Exception {
        CompletableFuture<Boolean> step =
                log.completion().reachedByOthers(FAR, Durability.SYNCED).handle((reached, thrown) -> hasClosed());
        checkFails(this::await);
        assertThat(step.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldLetTheLoggingWaitForAThreadThatCloses() {
        CompletableFuture<Boolean> heard = new CompletableFuture<>();
        HeardNotices.answering(
                notice -> {
                    if (notice.text().contains("memory") && !heard.isDone()) {
                        heard.complete(hasClosed());
                    }
                },
                () -> checkFails(this::await));
        assertThat(heard).isCompletedWithValue(true);
    }
}
