package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.support.StackEnd;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Something that a transaction needs cannot be had when it begins; the thread goes on with another one. */
class BeginCutShortTest {

    /** There the JVM loads a class for the first time, which needs more stack than all the rest. */
    @Test
    void shouldLeaveNoTransactionOpen() throws IOException {
        assertThat(StackEnd.hear(LittleStack.class)).isEqualTo("some did not begin, and none was left open");
    }

    static final class LittleStack {

        private static final int MOST_LEVELS = 200;

        public static void main(String[] arguments) throws InterruptedException {
            StackEnd.print(LittleStack::run);
        }

        private static String run() {
            CrashableStorage storage = new CrashableStorage();
            LogConfig log =
                    LogConfig.builder(Path.of("memory")).segmentLength(1 << 20).build();
            try (StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build(), storage, storage)) {
                store.begin().close();
                int cutShort = 0;
                for (int levels = 0; levels < MOST_LEVELS; levels++) {
                    cutShort += isCutShort(store, levels) ? 1 : 0;
                    store.begin().close(); // refused, if there is an open one
                }
                store.beginOptimistic().close();
                return (cutShort > 0 ? "some" : "none") + " did not begin, and none was left open";
            }
        }

        private static boolean isCutShort(StoreLogger store, int levels) {
            OptimisticTransaction[] begun = {null};
            StackEnd.isIn(
                    () -> {
                        try {
                            begun[0] = store.beginOptimistic();
                        } catch (LinkageError e) {
                            // The stack ended while the JVM made a class ready.
                        }
                    },
                    levels);
            if (begun[0] == null) {
                return true;
            }
            begun[0].close();
            return false;
        }
    }
}
