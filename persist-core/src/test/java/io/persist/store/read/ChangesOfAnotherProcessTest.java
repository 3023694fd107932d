package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.ScratchDirectory;
import io.persist.support.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers of the changes of a store that another JVM has open. Each transaction has the next number twice, as the value
 * of two keys: so nothing can be lost or come twice without being seen.
 */
@Timeout(240)
class ChangesOfAnotherProcessTest {

    private static final int LIVES = Seeds.isNightly() ? 6 : 2;
    private static final int KEYS = 50;
    private static final int VALUE_LENGTH = 300;
    private static final String NAME = "replica";
    private static final String LAST = "last";

    @TempDir(factory = InMemory.class)
    Path directory;

    private static StoreConfig config(Path directory) {
        LogConfig log = LogConfig.builder(directory).segmentLength(64 << 10).build();
        return StoreConfig.builder(log)
                .checkpointMinLogBytes(100_000)
                .checkpointPercent(1)
                .maxSpaceRatio(1.5)
                .build();
    }

    private static void commit(StoreLogger store, long number) {
        byte[] value = Texts.bytes(number + " " + "x".repeat(VALUE_LENGTH));
        Transaction transaction = store.begin();
        transaction.put(Texts.bytes("key-" + number % KEYS), value);
        transaction.put(Texts.bytes(LAST), value);
        transaction.commit(Durability.BUFFERED);
    }

    private static long number(ByteBuffer value) {
        String text = String.valueOf(Texts.text(value));
        return Long.parseLong(text.substring(0, text.indexOf(' ')));
    }

    /** Reads the transactions of the numbers from {@code next} on; returns the one after the last that is there. */
    private static long readOn(ChangeReader changes, long next) {
        long expected = next;
        while (changes.next()) {
            assertThat(number(changes.value())).isEqualTo(expected);
            boolean isLast = changes.endsTransaction();
            assertThat(Texts.text(changes.key())).isEqualTo(isLast ? LAST : "key-" + expected % KEYS);
            expected += isLast ? 1 : 0;
        }
        return expected;
    }

    /** Commits until it is killed, or nobody hears it any more. */
    static final class Writer {

        public static void main(String[] arguments) {
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
            StoreLogger store = StoreLogger.open(config(Path.of(arguments[0])));
            ByteBuffer last = store.get(Texts.bytes(LAST));
            long number = last == null ? 0 : number(last);
            while (!out.checkError()) {
                number++;
                commit(store, number);
                out.print(number + ";\n");
            }
        }
    }

    /** One that is killed and another one goes on, while readers follow: with a name, and from the state of a view on. */
    @Test
    void shouldMissNothingOfAWriterThatIsKilled() {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            try (ScratchDirectory scratch = ScratchDirectory.create(); // a name goes on where the case before stored it
                    ChangeReader named = ChangeReader.open(scratch.path(), NAME);
                    Follower follower = new Follower(scratch.path())) {
                long next = 1;
                for (int life = 0; life < LIVES; life++) {
                    long acknowledged = 0;
                    try (ChildJvm child = ChildJvm.startBriefly(Writer.class, scratch.path())) {
                        int enough = 500 + random.nextInt(1500);
                        int heard = 0;
                        for (String line = child.hear(); line != null; line = child.hear()) {
                            if (line.endsWith(";")) { // the last line may be torn
                                acknowledged = Long.parseLong(line.substring(0, line.length() - 1));
                            }
                            if (++heard % 50 == 0 && heard <= enough) {
                                next = readOn(named, next);
                                follower.follow();
                                assertThat(next).isGreaterThan(acknowledged);
                            }
                            if (heard % 400 == 0) {
                                named.store(); // so that compaction may go on
                            }
                            if (heard == enough) {
                                child.kill(); // what it has said by then is still to be heard
                            }
                        }
                        assertThat(heard).as("the writer did not die by itself").isGreaterThanOrEqualTo(enough);
                    }
                    next = readOn(named, next);
                    assertThat(next).isBetween(acknowledged + 1, acknowledged + 2);
                    follower.follow();
                    assertThat(follower.next).isEqualTo(next);
                }
                assertThat(follower.begun).as("times it began by a view").isPositive();
            }
        });
    }

    /** Goes by positions, and begins anew by the state of a view when compaction has overtaken it, and now and then. */
    private static final class Follower implements AutoCloseable {

        private final Path directory;
        private ChangeReader changes;
        private long next;
        private int begun;
        private int calls;

        Follower(Path directory) {
            this.directory = directory;
        }

        void follow() {
            if (changes == null || ++calls % 7 == 0) {
                begin();
            }
            try {
                next = readOn(changes, next);
            } catch (RetiredException overtaken) {
                begin();
            }
        }

        private void begin() {
            close();
            Await.until("it has begun", this::hasBegun);
            begun++;
        }

        private boolean hasBegun() {
            try (StoreView view = StoreView.open(config(directory))) {
                ByteBuffer last = view.snapshot().get(Texts.bytes(LAST));
                long behind = last == null ? 0 : number(last);
                assertThat(behind + 1).as("what was seen stays").isGreaterThanOrEqualTo(next);
                changes = ChangeReader.open(directory, view.snapshot().position());
                next = behind + 1;
                return true;
            } catch (RetiredException overtaken) {
                return false;
            }
        }

        @Override
        public void close() {
            if (changes != null) {
                changes.close();
                changes = null;
            }
        }
    }

    /** Reads, stores and says how far it came, when told; the reader has a name. */
    static final class Reader {

        public static void main(String[] arguments) throws IOException {
            long next = Long.parseLong(arguments[1]);
            BufferedReader questions = ChildJvm.questions();
            try (ChangeReader changes = ChangeReader.open(Path.of(arguments[0]), NAME)) {
                System.out.println("open");
                for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                    next = readOn(changes, next);
                    if (line.equals("store")) {
                        changes.store();
                    }
                    System.out.println(next);
                }
            } catch (PersistException | AssertionError e) {
                System.out.println(e);
            }
        }
    }

    /** Compaction here leaves what the reader there has not passed, be it open, killed, or opened again. */
    @Test
    void shouldHoldWhatAReaderThatIsKilledHasNotPassed() throws IOException, InterruptedException {
        long stored = 1;
        long written = 0;
        try (StoreLogger store = StoreLogger.open(config(directory))) {
            for (int life = 0; life < LIVES; life++) {
                try (ChildJvm child = ChildJvm.startBriefly(Reader.class, directory, stored)) {
                    assertThat(child.hear()).isEqualTo("open");
                    written = commit(store, written, 1000);
                    assertThat(child.ask("store")).isEqualTo(Long.toString(written + 1));
                    stored = written + 1;
                    written = commit(store, written, 1000);
                    assertThat(child.ask("read")).isEqualTo(Long.toString(written + 1));
                    child.kill();
                }
                written = commit(store, written, 1000);
                store.compact(Long.MAX_VALUE);
                assertThat(store.statistics().compaction().waitingSegments()).isPositive();
            }
            try (ChildJvm child = ChildJvm.startBriefly(Reader.class, directory, stored)) {
                assertThat(child.hear()).isEqualTo("open");
                long vacated = store.statistics().compaction().vacatedSegments();
                assertThat(child.ask("store")).isEqualTo(Long.toString(written + 1));
                store.compact(Long.MAX_VALUE); // or what compacts in the background has done it by now
                assertThat(store.statistics().compaction().vacatedSegments())
                        .as("it has passed them")
                        .isGreaterThan(vacated);
                assertThat(child.awaitEnd()).isZero();
            }
        }
    }

    private static long commit(StoreLogger store, long from, int count) {
        for (int i = 1; i <= count; i++) {
            commit(store, from + i);
        }
        store.flush();
        return from + count;
    }
}
