package io.persist.log.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.HolderBlock;
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
            letTheIntervalPass();
            int polls = 1;
            while (!watch.isDue(control.block())) {
                polls++;
            }
            assertThat(polls).isLessThanOrEqualTo(16);
        }
    }

    /** Or a tailer of the process that wrote first would not see that the second one was killed. */
    @Test
    void shouldBeDueIfAnotherProcessOpensTheLogThatThisOneHasClosed() throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log.open(WriterKind.MAPPED.config().build(), storage).close();
        try (ControlFile control = ControlFile.open(storage, Storage.Access.WRITE)) {
            HolderBlock.Holder self = WriterPresence.self(storage);
            opened(control.block(), self);
            WriterWatch watch = new WriterWatch(storage);
            watch.look(control.block());
            letTheIntervalPass();
            assertThat(isDueSoon(watch, control))
                    .as("while this process writes")
                    .isFalse();

            opened(
                    control.block(),
                    new HolderBlock.Holder(
                            self.pid() + 1,
                            self.start() + 1,
                            self.namespace(),
                            self.bootIdHigh(),
                            self.bootIdLow(),
                            self.file()));
            assertThat(isDueSoon(watch, control))
                    .as("while another process writes")
                    .isTrue();
        }
    }

    /** As the opening of a log leaves it, whose state stays OPEN. */
    private static void opened(ControlBlock block, HolderBlock.Holder holder) {
        block.holder().epoch(block.holder().epoch() + 1);
        block.holder().holder(holder);
        block.open(new BootId(holder.bootIdHigh(), holder.bootIdLow()), holder.pid());
        block.openedEpoch(block.holder().epoch());
    }

    private static boolean isDueSoon(WriterWatch watch, ControlFile control) {
        boolean isDue = false;
        for (int poll = 0; poll < 16 && !isDue; poll++) {
            isDue = watch.isDue(control.block());
        }
        return isDue;
    }

    private static void letTheIntervalPass() {
        long overNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(110);
        while (System.nanoTime() < overNs) {
            Thread.onSpinWait();
        }
    }
}
