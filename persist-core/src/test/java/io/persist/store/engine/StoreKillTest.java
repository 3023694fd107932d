package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.Seeds;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another JVM commits to a store, with checkpoints and compaction in the background, tells what it has committed, and
 * dies by kill -9 at a random moment. A mapped log is in the page cache as soon as a commit returns.
 */
class StoreKillTest {

    private static final int LIVES = Seeds.isNightly() ? 4 : 2;
    private static final int KEYS = 100;

    @TempDir(factory = InMemory.class)
    Path directory;

    private static StoreLogger open(Path directory) {
        LogConfig log = LogConfig.builder(directory).segmentLength(64 << 10).build();
        return StoreLogger.open(StoreConfig.builder(log)
                .checkpointMinLogBytes(100_000)
                .checkpointPercent(1)
                .maxSpaceRatio(1.5)
                .build());
    }

    private static byte[] key(long number) {
        return Texts.bytes("key-" + number);
    }

    /** The number of a transaction, which is in its value twice. */
    private static long number(@Nullable ByteBuffer value) {
        if (value == null) {
            return 0;
        }
        int length = value.remaining();
        long number = value.getLong(value.position());
        assertThat(value.getLong(value.limit() - Long.BYTES)).isEqualTo(number);
        assertThat(length).isEqualTo(length(Long.reverseBytes(number)));
        return Long.reverseBytes(number);
    }

    private static int length(long number) {
        return 16 + (int) (number * 7919 % 1000);
    }

    @Test
    void shouldKeepWhatWasCommitted() {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            long acknowledged = 0;
            boolean hadCheckpoint = false;
            for (int life = 0; life < LIVES; life++) {
                acknowledged = Math.max(acknowledged, liveAndDie(500 + random.nextInt(2500)));
                try (StoreLogger store = open(directory)) {
                    String what = "life " + life + ": " + store.recovery().describe();
                    long last = number(store.get(Texts.bytes("last")));
                    assertThat(last).as(what).isBetween(acknowledged, acknowledged + 1);
                    for (long n = Math.max(1, last - KEYS + 1); n <= last; n++) {
                        assertThat(number(store.get(key(n % KEYS)))).as(what).isEqualTo(n);
                    }
                    assertThat(store.size()).isEqualTo(last == 0 ? 0 : 1 + Math.min(KEYS, last));
                    hadCheckpoint |= !store.recovery().checkpoint().isNone();
                    acknowledged = last;
                }
            }
            assertThat(hadCheckpoint).as("a recovery began at a checkpoint").isTrue();
        });
    }

    private long liveAndDie(int acknowledgements) throws IOException, InterruptedException {
        long acknowledged = 0;
        try (ChildJvm child = ChildJvm.startBriefly(Writer.class, directory)) {
            int heard = 0;
            for (String line = child.hear(); line != null; line = child.hear()) {
                if (line.endsWith(";")) { // the last line may be torn
                    acknowledged = Long.parseLong(line.substring(0, line.length() - 1));
                }
                if (heard++ == acknowledgements) {
                    child.kill(); // what it has said by then is still to be heard
                }
            }
            assertThat(heard).as("the writer did not die by itself").isGreaterThan(acknowledgements);
        }
        return acknowledged;
    }

    /** Commits until it is killed, or nobody hears it any more. */
    static final class Writer {

        public static void main(String[] arguments) {
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
            StoreLogger store = open(Path.of(arguments[0]));
            long last = number(store.get(Texts.bytes("last")));
            for (long number = last + 1; !out.checkError(); number++) {
                byte[] value = ByteBuffer.allocate(length(number))
                        .putLong(0, number)
                        .putLong(length(number) - Long.BYTES, number)
                        .array();
                Transaction transaction = store.begin();
                transaction.put(key(number % KEYS), value);
                transaction.put(Texts.bytes("last"), value);
                transaction.commit(Durability.BUFFERED);
                out.print(number + ";\n");
            }
        }
    }
}
