package io.persist.log.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WriterWatchTest {

    /** As that of an application with an idle strategy that backs off, to one poll a second. */
    @Test
    void shouldBeDueSoonForATailerThatWasFastAndBecomesSlow() throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log.open(WriterKind.MAPPED.config().build(), storage).close();
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            WriterWatch watch = new WriterWatch(storage);
            for (int poll = 0; poll < 100_000; poll++) {
                if (watch.isDue(control.block())) {
                    watch.look(control.block());
                }
            }
            watch.look(control.block());
            long overNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(110);
            while (System.nanoTime() < overNs) {
                Thread.onSpinWait();
            }
            int polls = 1;
            while (!watch.isDue(control.block())) {
                polls++;
            }
            assertThat(polls).isLessThanOrEqualTo(16);
        }
    }
}
