package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.OptimisticTransaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/patterns.md shows of streams, run; {@link GuideSnippetsTest} compares the two texts. */
@Timeout(60)
class StreamsPatternTest {

    @TempDir
    private Path directory;

    private StoreLogger store;
    private Streams streams;

    // snippet: patterns-streams
    /** Events of many streams, each numbered from 1, in one store. */
    static final class Streams {

        private final StoreLogger store;

        Streams(StoreLogger store) {
            this.store = store;
        }

        /** The stream, which has no byte 0; a byte 0; the number, big-endian, so that keys ascend as numbers do. */
        private static byte[] key(String stream, long number) {
            byte[] name = stream.getBytes(UTF_8);
            return ByteBuffer.allocate(name.length + 1 + Long.BYTES)
                    .put(name)
                    .put((byte) 0)
                    .putLong(number)
                    .array();
        }

        private static KeyRange all(String stream) {
            return KeyRange.prefix((stream + '\0').getBytes(UTF_8));
        }

        /** The number of the last event, 0 if there is none. */
        private static long last(OptimisticTransaction transaction, String stream) {
            try (StoreScan scan = transaction.scan(all(stream), Direction.BACKWARD)) {
                if (!scan.next()) {
                    return 0;
                }
                ByteBuffer key = scan.key().order(ByteOrder.BIG_ENDIAN);
                return key.getLong(key.limit() - Long.BYTES);
            }
        }

        /** Appends behind the event {@code last}, 0 for a new stream; false if that is not the stream's last one. */
        boolean append(String stream, long last, List<byte[]> events) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                long number = last(transaction, stream);
                if (number != last) {
                    return false;
                }
                for (byte[] event : events) {
                    transaction.put(key(stream, ++number), event);
                }
                return transaction.tryCommit(Durability.SYNCED); // all of them, unless another thread was first
            }
        }

        /** The events of a stream from a number on. */
        List<ByteBuffer> read(String stream, long from) {
            List<ByteBuffer> events = new ArrayList<>();
            KeyRange range = all(stream).intersection(KeyRange.from(key(stream, from)));
            try (StoreScan scan = store.scan(range, Direction.FORWARD)) {
                while (scan.next()) {
                    events.add(scan.value());
                }
            }
            return events;
        }

        /** Removes the events before a number, which is not above the last one's: that has to stay. */
        void removeBefore(String stream, long number) {
            KeyRange range = all(stream).intersection(KeyRange.below(key(stream, number)));
            store.removeRange(range, Durability.SYNCED);
        }

        /** Removes a stream; one of the same name begins at 1 again. */
        void remove(String stream) {
            store.removeRange(all(stream), Durability.SYNCED);
        }
    }
    // end

    @BeforeEach
    void open() {
        LogConfig log = LogConfig.builder(directory).segmentLength(1 << 20).build();
        store = StoreLogger.open(StoreConfig.builder(log).build());
        streams = new Streams(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static List<byte[]> events(String... texts) {
        List<byte[]> events = new ArrayList<>();
        for (String text : texts) {
            events.add(text.getBytes(UTF_8));
        }
        return events;
    }

    private List<String> read(String stream, long from) {
        return streams.read(stream, from).stream()
                .map(event -> UTF_8.decode(event).toString())
                .toList();
    }

    @Test
    void shouldKeepStreamsApart() {
        assertThat(streams.append("a", 0, events("a1", "a2"))).isTrue();
        assertThat(streams.append("aa", 0, events("aa1"))).isTrue();
        assertThat(streams.append("a", 2, events("a3"))).isTrue();
        assertThat(read("a", 1)).containsExactly("a1", "a2", "a3");
        assertThat(read("a", 3)).containsExactly("a3");
        assertThat(read("aa", 1)).containsExactly("aa1");
        streams.remove("a");
        assertThat(read("a", 1)).isEmpty();
        assertThat(read("aa", 1)).containsExactly("aa1");
    }

    @Test
    void shouldRefuseWhatIsNotTheLastEvent() {
        assertThat(streams.append("a", 1, events("no such event"))).isFalse();
        assertThat(streams.append("a", 0, events("a1", "a2"))).isTrue();
        assertThat(streams.append("a", 0, events("again"))).isFalse();
        assertThat(streams.append("a", 1, events("between"))).isFalse();
        assertThat(streams.append("a", 3, events("gap"))).isFalse();
        assertThat(read("a", 1)).containsExactly("a1", "a2");
    }

    @Test
    void shouldGoOnBehindTheLastEventWhateverWasRemoved() {
        streams.append("a", 0, events("a1", "a2", "a3"));
        streams.removeBefore("a", 3);
        assertThat(streams.append("a", 0, events("late"))).isFalse();
        assertThat(streams.append("a", 3, events("a4"))).isTrue();
        assertThat(read("a", 1)).containsExactly("a3", "a4");
    }

    @Test
    void shouldNumberWithoutGapsBesideOtherThreads() throws InterruptedException {
        AtomicInteger refused = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int appended = 0; appended < 25; ) {
                    long last = streams.read("shared", 1).size();
                    if (streams.append("shared", last, events("event " + (last + 1)))) {
                        appended++;
                    } else {
                        refused.incrementAndGet();
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        List<String> events = read("shared", 1);
        assertThat(events).hasSize(100);
        for (int i = 0; i < 100; i++) {
            assertThat(events.get(i)).as(refused + " refused").isEqualTo("event " + (i + 1));
        }
    }

    @Test
    void shouldTellAllStreamsInTheOrderOfTheirCommits() {
        List<String> seen = new ArrayList<>();
        try (ChangeReader changes = store.changes("projection")) {
            streams.append("b", 0, events("b1"));
            streams.append("a", 0, events("a1", "a2"));
            streams.append("b", 1, events("b2"));
            while (changes.next()) {
                seen.add(UTF_8.decode(changes.value()).toString());
            }
        }
        assertThat(seen).containsExactly("b1", "a1", "a2", "b2");
    }
}
