package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.ChildJvm;
import io.persist.support.FullHeap;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A checkpoint ends for want of memory: the snapshot that it is written from is closed all the same. */
class CheckpointWithoutMemoryTest {

    /** G1 uses a region again when nothing of it is needed: so what little its end gives back is no memory yet. */
    @Test
    void shouldLeaveNoSnapshotOpen() throws Exception {
        List<String> command = ChildJvm.command(NoMemory.class);
        command.addAll(1, List.of("-Xmx24m", "-XX:+UseG1GC"));
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("ended in the header, 0 are open");
            assertThat(child.hear()).isEqualTo("ended in the nodes, 0 are open");
        }
    }

    static final class NoMemory {

        private static final Object[] BALLAST = new Object[500_000];

        private final CrashableStorage storage = new CrashableStorage();
        private final StoreEngine store;
        private final Checkpointer checkpointer;
        private int writesLeft;

        private NoMemory() throws IOException {
            store = new StoreOpener(Texts.config(), null).open(storage, storage);
            checkpointer = new Checkpointer(store.core(), new Checkpoints(storage), new CheckpointTrigger(0, 0), null);
        }

        public static void main(String[] arguments) throws IOException {
            System.out.println("ended in the header, " + openAfter(1) + " are open");
            System.out.println("ended in the nodes, " + openAfter(2) + " are open");
            System.exit(0);
        }

        /** Again if the store's own thread was the one that got no memory: then the log has failed. */
        private static int openAfter(int write) throws IOException {
            while (true) {
                NoMemory test = new NoMemory();
                test.end(0); // what is needed at first only is made here
                int open = test.end(write);
                if (!test.store.core().writer().positions().hasFailed()) {
                    return open;
                }
            }
        }

        /** Ends one in its write number {@code write}, if there is one; says how many snapshots are open then. */
        private int end(int write) throws IOException {
            store.single().put(new byte[] {1}, new byte[] {11}, Durability.BUFFERED);
            writesLeft = write;
            try {
                checkpointer.write(this::spend);
            } catch (OutOfMemoryError | IllegalArgumentException full) {
                // It has ended. One and the same error cannot be suppressed for its own sake, so the second may come.
            } finally {
                Arrays.fill(BALLAST, null);
            }
            return store.core().state().index().openSnapshots();
        }

        private void spend(long bytes) {
            writesLeft--;
            if (writesLeft == 0) {
                FullHeap.fill(BALLAST);
                BALLAST[0] = new byte[1 << 20];
            }
        }
    }
}
