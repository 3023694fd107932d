package io.persist.peers.engine.all;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Space;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages go into each engine and come out of it again, the same and in order. */
@Timeout(60)
class EngineRoundTripTest {

    private static final int LENGTH = 120;
    private static final int COUNT = 150;
    private static final int GROUP = 10;

    @TempDir
    Path directory;

    /** A build takes each engine with one of the two levels, which is drawn. */
    static Stream<Arguments> kinds() {
        return Engines.all().stream()
                .flatMap(kind -> kind.spaces().stream()
                        .flatMap(space -> levels().map(durability -> Arguments.of(kind.id(), durability, space))));
    }

    private static Stream<Durability> levels() {
        List<Durability> levels = new ArrayList<>(List.of(Durability.BUFFERED, Durability.SYNCED));
        Collections.shuffle(levels);
        return levels.stream().limit(Boolean.getBoolean("persist.nightly") ? 2 : 1);
    }

    /** Those whose readers come to what was there before them. */
    private static EngineKind kindWithHistory(String id) {
        EngineKind kind = kind(id);
        assumeTrue(kind.reading() != EngineKind.Reading.LIVE, "its readers see what comes from then on");
        return kind;
    }

    private static EngineKind kind(String id) {
        EngineKind kind = Engines.byId(id).orElseThrow();
        assumeTrue(
                kind.missing().get().isEmpty(),
                () -> id + " is missing: " + kind.missing().get().orElseThrow());
        return kind;
    }

    private EngineConfig config(Durability durability, Space space, int producers) {
        return new EngineConfig(directory, durability, space, LENGTH, (long) COUNT * producers, producers);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldReadBackWhatWasAppendedBeforeAndAfterItWasOpenedAgain(String id, Durability durability, Space space)
            throws IOException {
        EngineKind kind = kindWithHistory(id);
        EngineConfig config = config(durability, space, 1);
        try (Engine engine = kind.factory().open(config)) {
            append(engine, 0, COUNT);
            engine.drain();
            if (kind.reading() != EngineKind.Reading.AFTER_CLOSE) {
                try (MessageReader reader = engine.reader()) {
                    assertThat(read(reader, COUNT)).containsExactlyElementsOf(numbers(COUNT));
                }
            }
        }
        try (Engine engine = kind.factory().open(config)) {
            append(engine, COUNT, COUNT);
        }
        try (Engine engine = kind.factory().open(config(durability, space, 0));
                MessageReader reader = engine.reader()) {
            assertThat(read(reader, 2 * COUNT)).containsExactlyElementsOf(numbers(2 * COUNT));
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldShowAReaderWhatIsAppendedWhileItReads(String id, Durability durability, Space space) throws IOException {
        EngineKind kind = kind(id);
        assumeTrue(kind.reading() != EngineKind.Reading.AFTER_CLOSE, "reads only after it has been closed");
        try (Engine engine = kind.factory().open(config(durability, space, 1));
                MessageReader reader = engine.reader();
                Producer producer = engine.producer()) {
            for (long number = 0; number < COUNT / GROUP; number++) {
                append(producer, number);
                producer.commit();
                engine.drain(); // of what is BUFFERED, readers may see nothing yet
                assertThat(read(reader, 1)).containsExactly(number);
            }
            assertThat(reader.poll((buffer, offset, length) -> {}, 1)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldKeepTheOrderOfEachOfTwoProducers(String id, Durability durability, Space space) throws IOException {
        EngineKind kind = kindWithHistory(id);
        EngineConfig config = config(durability, space, 2);
        long secondFrom = 1_000_000;
        try (Engine engine = kind.factory().open(config)) {
            CompletableFuture<Void> second = CompletableFuture.runAsync(() -> {
                try {
                    append(engine, secondFrom, COUNT);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            append(engine, 0, COUNT);
            second.join();
        }
        try (Engine engine = kind.factory().open(config);
                MessageReader reader = engine.reader()) {
            List<Long> read = read(reader, 2 * COUNT);
            assertThat(read.stream().filter(number -> number < secondFrom)).containsExactlyElementsOf(numbers(COUNT));
            assertThat(read.stream().filter(number -> number >= secondFrom).map(number -> number - secondFrom))
                    .containsExactlyElementsOf(numbers(COUNT));
        }
    }

    private static List<Long> numbers(int count) {
        return LongStream.range(0, count).boxed().toList();
    }

    private static void append(Engine engine, long from, int count) throws IOException {
        try (Producer producer = engine.producer()) {
            for (long number = from; number < from + count; number++) {
                append(producer, number);
                if (number % GROUP == 0) {
                    producer.commit();
                }
            }
            producer.commit();
        }
    }

    /** A message says its number at its beginning and at its end, and what follows from it in between. */
    private static void append(Producer producer, long number) throws IOException {
        ByteBuffer message = producer.message();
        for (int i = 0; i < LENGTH; i += Long.BYTES) {
            message.putLong(i, number + i);
        }
        producer.append();
    }

    private static List<Long> read(MessageReader reader, int count) throws IOException {
        List<Long> numbers = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (numbers.size() < count && System.nanoTime() < deadline) {
            int polled = reader.poll(
                    (buffer, offset, length) -> {
                        assertThat(length).isEqualTo(LENGTH);
                        long number = buffer.getLong(offset);
                        for (int i = 0; i < LENGTH; i += Long.BYTES) {
                            assertThat(buffer.getLong(offset + i)).isEqualTo(number + i);
                        }
                        numbers.add(number);
                    },
                    7);
            assertThat(polled).isLessThanOrEqualTo(7);
            if (polled == 0) {
                Thread.yield();
            }
        }
        return numbers;
    }
}
