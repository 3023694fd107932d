package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.support.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compaction of a store with a value that does not fit the heap at this moment. */
@Timeout(300)
class LargeValueTest {

    private static final int VALUE_LENGTH = 8 << 20;

    @TempDir
    Path directory;

    @Test
    void shouldCompactTheOtherSegments() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("64m", Small.class, directory))) {
            assertThat(child.hear()).startsWith("no memory: ").contains("no memory to move a value");
            assertThat(child.hear()).isEqualTo("others are given back: true");
            assertThat(child.hear()).isEqualTo("given back later: true");
            assertThat(child.hear()).isEqualTo("value: " + VALUE_LENGTH);
            assertThat(child.awaitEnd()).isZero();
        }
    }

    static final class Small {

        private static final byte[] LARGE = Texts.bytes("large");
        private static final int BLOCK_LENGTH = 1 << 20;

        /** Less than the value needs. */
        private static final int FREE_BLOCKS = 6;

        private final byte[][] ballast = new byte[64][];

        public static void main(String[] arguments) throws IOException {
            new Small()
                    .run(StoreConfig.builder(LogConfig.builder(Path.of(arguments[0]))
                                    .segmentLength(2 * VALUE_LENGTH)
                                    .build())
                            .maxSpaceRatio(0)
                            .build());
        }

        private void run(StoreConfig config) {
            try (StoreLogger store = StoreLogger.open(config)) {
                fill(store);
                takeMemory();
                try {
                    System.out.println("given back: " + store.compact(Long.MAX_VALUE));
                } catch (LogIOException | OutOfMemoryError e) {
                    System.out.println("no memory: " + e);
                }
                long vacated = store.statistics().compaction().vacatedSegments();
                System.out.println("others are given back: " + (vacated > 1));
                for (int i = 0; i < ballast.length; i++) {
                    ballast[i] = null;
                }
                System.out.println("given back later: " + (store.compact(Long.MAX_VALUE) > 0));
                System.out.println("value: " + store.get(LARGE).remaining());
            }
        }

        /** In the first segment the large value is needed, in each of the next ones a small one. */
        private static void fill(StoreLogger store) {
            store.put(LARGE, new byte[VALUE_LENGTH]);
            for (int i = 0; i < 4; i++) {
                store.put(Texts.bytes("kept " + i), new byte[1000]);
                for (int j = 0; j < 20; j++) {
                    store.put(Texts.bytes("other"), new byte[BLOCK_LENGTH]);
                }
            }
        }

        private void takeMemory() {
            int count = 0;
            try {
                while (count < ballast.length) {
                    ballast[count] = new byte[BLOCK_LENGTH];
                    count++;
                }
            } catch (OutOfMemoryError full) {
                for (int i = 0; i < FREE_BLOCKS; i++) {
                    ballast[--count] = null;
                }
            }
        }
    }
}
