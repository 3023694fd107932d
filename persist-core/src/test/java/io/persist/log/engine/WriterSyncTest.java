package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.event.OpeningProgress;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WriterSyncTest {

    /** The appender may have met an error between the two. */
    @Test
    void shouldSleepUntilWhatWasReadIsCounted() throws Exception {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(4096).build();
        LogOpener.Parts parts = new LogOpener(
                        config, LogContent.MESSAGES, new CrashableStorage(), () -> {}, OpeningProgress.unsaid())
                .open(made -> made);
        LogClosing closing = new LogClosing(parts);
        AtomicLong afterwards = new AtomicLong();
        WriterSync sync = new WriterSync(
                parts.positions(), parts.syncer(), closing, (known, position) -> afterwards.set(position));
        long position = parts.positions().published() + 40;
        FutureTask<Boolean> task = new FutureTask<>(() -> syncTo(sync, position));
        Thread thread = new Thread(task);
        thread.start();
        Await.until("it sleeps", () -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        Await.until("it has seen the interrupt, and sleeps", () -> !thread.isInterrupted());
        closing.close();
        assertThat(task.get(60, TimeUnit.SECONDS)).as("interrupted").isTrue();
        assertThat(afterwards).hasValue(position);
    }

    private static boolean syncTo(WriterSync sync, long position) throws IOException {
        sync.syncTo(0, position);
        return Thread.interrupted();
    }
}
