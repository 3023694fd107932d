package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.Seeds;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several producers of another JVM tell what was acknowledged, and die by kill -9 at a random moment. */
class DetachedKillTest {

    private static final int PRODUCERS = 4;
    private static final int LIVES = Seeds.isNightly() ? 4 : 2;
    private static final int MAX_LENGTH = 200;

    @TempDir(factory = InMemory.class)
    Path directory;

    private static LogConfig config(Path directory, WriteMode mode) {
        return LogConfig.builder(directory)
                .segmentLength(1 << 16)
                .writeMode(mode)
                .writeBufferLength(512)
                .build();
    }

    /** The length of a producer's record. */
    private static int length(int number) {
        return Ledger.MIN_LENGTH + number * 37 % MAX_LENGTH;
    }

    @ParameterizedTest
    @CsvSource({"MAPPED, SYNCED", "FILE, FLUSHED"})
    void shouldKeepWhatWasAcknowledged(WriteMode mode, Durability level) {
        Seeds.run(1, seed -> {
            Path path = Files.createTempDirectory(directory, "log");
            Random random = new Random(seed);
            int[] acknowledged = new int[PRODUCERS * LIVES];
            for (int life = 0; life < LIVES; life++) {
                liveAndDie(path, mode, level, life, acknowledged, random.nextInt(1000));
                check(path, mode, acknowledged);
            }
        });
    }

    private static void liveAndDie(
            Path path, WriteMode mode, Durability level, int life, int[] acknowledged, int acknowledgements)
            throws IOException, InterruptedException {
        try (ChildJvm child = ChildJvm.startBriefly(Writer.class, path, mode, level, life)) {
            int heard = 0;
            for (String line = child.hear(); line != null; line = child.hear()) {
                if (line.endsWith(";")) { // the last line may be torn
                    String[] words = line.split(" ");
                    int producer = Integer.parseInt(words[0]);
                    int records = Integer.parseInt(words[1]);
                    assertThat(records).isGreaterThan(acknowledged[producer]);
                    acknowledged[producer] = records;
                }
                if (heard++ == acknowledgements) {
                    child.kill();
                }
            }
            assertThat(heard).as("the writer did not die by itself").isGreaterThan(acknowledgements);
        }
    }

    /** What is there of a life that has ended must stay: it is acknowledged from then on. */
    private static void check(Path path, WriteMode mode, int[] acknowledged) {
        int[] read = new int[acknowledged.length];
        try (Log log = Log.open(config(path, mode));
                Tailer tailer = log.tailer()) {
            while (tailer.next()) {
                ByteBuffer payload = tailer.payload();
                int producer = payload.getInt(payload.position());
                int number = read[producer]++;
                assertThat(payload)
                        .as("record %d of producer %d", number, producer)
                        .isEqualTo(ByteBuffer.wrap(Ledger.record(producer, number, length(number))));
            }
            for (int producer = 0; producer < read.length; producer++) {
                assertThat(read[producer])
                        .as("producer %d, %s", producer, log.recovery().describe())
                        .isGreaterThanOrEqualTo(acknowledged[producer]);
            }
        }
        System.arraycopy(read, 0, acknowledged, 0, read.length);
        assertThat(Arrays.stream(read).sum()).isPositive();
    }

    /** Has several producers write to one log until it is killed. */
    static final class Writer {

        public static void main(String[] arguments) {
            LogConfig config = config(Path.of(arguments[0]), WriteMode.valueOf(arguments[1]));
            Durability level = Durability.valueOf(arguments[2]);
            int life = Integer.parseInt(arguments[3]);
            DetachedLog log = DetachedLog.over(
                    Log.open(config), DetachedConfig.builder().queueDepth(64).build());
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
            for (int i = 0; i < PRODUCERS; i++) {
                int producer = life * PRODUCERS + i;
                new Thread(() -> write(log, level, producer, out)).start();
            }
        }

        private static void write(DetachedLog log, Durability level, int producer, PrintStream out) {
            Random random = new Random(producer);
            int number = 0;
            while (!out.checkError()) { // as long as the parent that hears it lives
                for (int records = 1 + random.nextInt(20); records > 0; records--) {
                    int length = length(number);
                    log.append(Ledger.record(producer, number++, length), 0, length);
                }
                log.commit(level);
                out.print(producer + " " + number + " ;\n");
            }
        }
    }
}
