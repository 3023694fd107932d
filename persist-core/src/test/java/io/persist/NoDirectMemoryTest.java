package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.support.ChildJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The direct memory of the process is used up when it opens a log for the first time; later there is some again. */
class NoDirectMemoryTest {

    @TempDir
    Path directory;

    @Test
    void shouldOpenOnceThereIsMemory() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.briefly(UsedUp.class, directory));
        command.addAll(1, List.of("-Xmx64m", "-XX:MaxDirectMemorySize=16m"));
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("used up");
            for (String what : List.of("log", "reader", "store")) {
                assertThat(child.hear()).isEqualTo(what + ": all is there");
            }
            assertThat(child.awaitEnd()).isZero();
        }
    }

    static final class UsedUp {

        private static final List<ByteBuffer> TAKEN = new ArrayList<>();

        private final Path directory;

        private UsedUp(Path directory) {
            this.directory = directory;
        }

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            Path file = directory.resolve("file");
            Files.write(file, new byte[1 << 17]);
            Files.readAllBytes(file); // for which the JDK keeps memory from now on
            UsedUp all = new UsedUp(directory);
            useUp();
            all.attempt(all::writeLog);
            all.attempt(all::readLog);
            all.attempt(all::writeStore);
            System.out.println("used up");
            TAKEN.clear(); // the JDK has it collected when it needs some
            System.out.println("log: " + all.writeLog());
            System.out.println("reader: " + all.readLog());
            System.out.println("store: " + all.writeStore());
        }

        private static void useUp() {
            for (int length = 1 << 16; length > 0; ) {
                try {
                    TAKEN.add(ByteBuffer.allocateDirect(length));
                } catch (OutOfMemoryError none) {
                    length /= 16;
                }
            }
        }

        private interface Attempt {

            String run() throws IOException;
        }

        /** Whether it comes off with the memory that the JDK keeps is all the same. */
        private void attempt(Attempt attempt) throws IOException {
            try {
                attempt.run();
            } catch (RuntimeException | OutOfMemoryError noMemory) {
                // That is what it may say.
            }
        }

        private String writeLog() {
            LogConfig config = LogConfig.builder(directory.resolve("log"))
                    .segmentLength(1 << 16)
                    .build();
            try (MessageLogger log = MessageLogger.open(config)) {
                log.append(new byte[] {1});
                log.commit(Durability.SYNCED);
                return "all is there";
            }
        }

        private String readLog() {
            try (Tailer tailer = Tailer.open(directory.resolve("log"))) {
                return tailer.next() ? "all is there" : "nothing";
            }
        }

        private String writeStore() {
            LogConfig log = LogConfig.builder(directory.resolve("store"))
                    .segmentLength(1 << 16)
                    .build();
            try (StoreLogger store = StoreLogger.open(
                    StoreConfig.builder(log).indexMemoryBytes(2 << 20).build())) {
                store.put(new byte[] {1}, new byte[] {2});
                return store.get(new byte[] {1}) == null ? "nothing" : "all is there";
            }
        }
    }
}
