package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.ChildJvm;
import io.persist.support.FullHeap;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log is closed, and there is no memory to tell those that wait for it. */
class CloseWithoutMemoryTest {

    @TempDir
    Path directory;

    @Test
    void shouldCompleteAllFuturesOnceThereIsMemory() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("24m", NoMemory.class, directory))) {
            assertThat(child.hear()).isEqualTo("20 of 20 are completed, some later");
        }
    }

    static final class NoMemory {

        private static final int FUTURES = 20;

        /** What another thread of the JVM gives back behind the filling may be enough for all futures. */
        private static final int MOST_ROUNDS = 20;

        private final CrashableStorage storage = new CrashableStorage();
        private final Log log =
                Log.open(WriterKind.MAPPED.config().segmentLength(1 << 16).build(), storage);
        private final Waiters waiters = log.positions().waiters();
        private final Object[] ballast;
        private volatile boolean isFull;
        private volatile boolean isClosed;
        private volatile boolean isLater;

        private NoMemory(Object[] ballast) {
            this.ballast = ballast;
        }

        public static void main(String[] arguments) throws InterruptedException {
            Object[] ballast = new Object[500_000];
            NoMemory first = new NoMemory(ballast); // what is needed at first only is made here
            first.futures();
            first.log.close();
            long completed = FUTURES;
            boolean isLater = false;
            for (int i = 0; i < MOST_ROUNDS && completed == FUTURES && !isLater; i++) {
                NoMemory round = new NoMemory(ballast);
                completed = round.close();
                isLater = round.isLater;
            }
            System.out.println(
                    completed + " of " + FUTURES + " are completed, " + (isLater ? "some later" : "at once"));
        }

        private List<CompletableFuture<Long>> futures() {
            List<CompletableFuture<Long>> futures = new ArrayList<>();
            for (int i = 0; i < FUTURES; i++) {
                futures.add(waiters.reached(log.position() + 1, Durability.SYNCED));
            }
            return futures;
        }

        /** Returns how many futures are completed then. */
        private long close() throws InterruptedException {
            List<CompletableFuture<Long>> futures = futures();
            Thread other = new Thread(this::giveMemoryBack);
            other.start();
            storage.hook((number, what) -> {
                if (what.equals("force control")) { // the last thing before those that wait are told
                    FullHeap.fill(ballast);
                    isFull = true;
                }
            });
            try {
                log.close();
            } catch (OutOfMemoryError e) {
                // It says so, and all is closed.
            }
            isClosed = true;
            other.join();
            Arrays.fill(ballast, null);
            return futures.stream().filter(CompletableFuture::isDone).count();
        }

        /** Once futures were taken out of the list and are there again, since there was no memory to complete them. */
        private void giveMemoryBack() {
            boolean wereTaken = false;
            while (!isClosed && !isLater) {
                int count = waiters.count();
                wereTaken |= isFull && count == 0;
                if (wereTaken && count > 0) {
                    isLater = true;
                    Arrays.fill(ballast, null);
                }
            }
        }
    }
}
