package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.support.Seeds;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Another JVM writes several logs at once, tells what was acknowledged, and dies by kill -9 at a random moment. */
class KillTest {

    private static final int LOGS = 8;
    private static final int LIVES = 5;

    @TempDir(factory = InMemory.class)
    Path directory;

    @ParameterizedTest
    @CsvSource({"MAPPED, FLUSHED", "MAPPED, SYNCED", "FILE_RW, FLUSHED", "FILE_RW, SYNCED"})
    void shouldKeepWhatWasAcknowledged(WriterKind kind, Durability level) {
        Seeds.run(1, seed -> {
            Path logs = Files.createTempDirectory(directory, "logs");
            long[] acknowledged = new long[LOGS];
            Random random = new Random(seed);
            for (int life = 0; life < LIVES; life++) {
                liveAndDie(logs, kind, level, acknowledged, random.nextInt(2000), random.nextLong());
                for (int log = 0; log < LOGS; log++) {
                    acknowledged[log] = check(logs.resolve("log" + log), kind, acknowledged[log], life);
                }
            }
        });
    }

    private static void liveAndDie(
            Path logs, WriterKind kind, Durability level, long[] acknowledged, int acknowledgements, long seed)
            throws IOException, InterruptedException {
        try (ChildJvm child = ChildJvm.start(Writer.class, logs, kind, level, seed)) {
            int heard = 0;
            for (String line = child.hear(); line != null; line = child.hear()) {
                if (line.endsWith(";")) { // the last line may be torn
                    String[] words = line.split(" ");
                    int log = Integer.parseInt(words[0]);
                    long sequence = Long.parseLong(words[1]);
                    assertThat(sequence).isGreaterThanOrEqualTo(acknowledged[log]);
                    acknowledged[log] = sequence;
                }
                if (heard++ == acknowledgements) {
                    child.kill(); // what it has said by then is still to be heard
                }
            }
            assertThat(heard).as("the writer did not die by itself").isGreaterThan(acknowledgements);
        }
    }

    /** Returns how many records the log has after recovery, which from then on it must not lose either. */
    private static long check(Path directory, WriterKind kind, long acknowledged, int life) {
        try (Log log = Log.open(kind.config(directory).segmentLength(1 << 16).build())) {
            if (log.recovery().start() == RecoveryReport.Left.CLOSED) { // the writer had not come to open it
                assertThat(log.lastSequence()).isEqualTo(acknowledged);
            }
            assertThat(log.lastSequence())
                    .as("life " + life + " of " + directory + ": "
                            + log.recovery().describe())
                    .isGreaterThanOrEqualTo(acknowledged);
            assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
            Records.append(log, 3);
            return log.lastSequence();
        }
    }

    /** Writes each log on a thread of its own until it is killed. */
    static final class Writer {

        public static void main(String[] arguments) {
            Path logs = Path.of(arguments[0]);
            WriterKind kind = WriterKind.valueOf(arguments[1]);
            Durability level = Durability.valueOf(arguments[2]);
            Random random = new Random(Long.parseLong(arguments[3]));
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
            for (int i = 0; i < LOGS; i++) {
                int number = i;
                long seed = random.nextLong();
                new Thread(() -> write(logs.resolve("log" + number), kind, level, number, new Random(seed), out))
                        .start();
            }
        }

        private static void write(
                Path directory, WriterKind kind, Durability level, int number, Random random, PrintStream out) {
            Log log = Log.open(kind.config(directory).segmentLength(1 << 16).build());
            while (true) {
                int records = 1 + random.nextInt(20);
                for (int i = 0; i < records; i++) {
                    if (random.nextInt(50) == 0) {
                        log.claim(random.nextInt(1000)).abort();
                    }
                    Records.append(log);
                }
                log.commit(level);
                out.print(number + " " + log.lastSequence() + " ;\n");
            }
        }
    }
}
