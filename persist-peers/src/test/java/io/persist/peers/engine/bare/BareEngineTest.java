package io.persist.peers.engine.bare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Space;
import io.persist.peers.engine.all.Engines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The floors write what they say. */
class BareEngineTest {

    private static final int LENGTH = 1000;
    private static final int COUNT = 401;

    /** Where messages are long. */
    private static final int FEW = 101;

    /** Frames of this length end where blocks do, so that what is left in a buffer looks like frames. */
    private static final int BLOCK_PART = 1016;

    @TempDir
    Path directory;

    private EngineConfig config(int expected, int producers) {
        return config(LENGTH, expected, producers);
    }

    private EngineConfig config(int length, int expected, int producers) {
        return config(Space.PREPARED, length, expected, producers);
    }

    private EngineConfig config(Space space, int length, int expected, int producers) {
        return new EngineConfig(directory, Durability.SYNCED, space, length, expected, producers);
    }

    /** More than is gathered before a write, so that writes begin and end anywhere in a block. */
    @ParameterizedTest
    @ValueSource(strings = {"bare-copy", "bare-fdatasync", "bare-dsync", "bare-direct"})
    void shouldHoldMoreThanTheyGather(String id) throws IOException {
        appendAndRead(id, Space.PREPARED, LENGTH);
    }

    /** More than is gathered before a write, or mapped at once. */
    @ParameterizedTest
    @CsvSource({"bare-copy, 200000", "bare-sequential, 1000", "bare-sequential, 2000000"})
    void shouldMakeTheFileLongerAsItGoes(String id, int length) throws IOException {
        appendAndRead(id, Space.UNPREPARED, length);
    }

    @Test
    void shouldLetAReaderFollowAFileThatGrows() throws IOException {
        try (Engine engine = BareCopyEngine.KIND.factory().open(config(Space.UNPREPARED, 10_000_000, 0, 1));
                MessageReader reader = engine.reader();
                Producer producer = engine.producer()) {
            for (long i = 0; i < 20; i++) {
                long expected = i;
                producer.message().putLong(8, i);
                producer.append();
                assertThat(reader.poll(
                                (buffer, offset, bytes) ->
                                        assertThat(buffer.getLong(offset + 8)).isEqualTo(expected),
                                2))
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void shouldLetTwoProducersGoFromWindowToWindow() throws IOException {
        try (Engine engine = BareCopyEngine.KIND.factory().open(config(Space.UNPREPARED, 10_000_000, 0, 2));
                Producer slow = engine.producer();
                Producer fast = engine.producer()) {
            slow.append();
            for (int i = 0; i < 15; i++) {
                fast.append();
            }
            slow.append();
        }
        assertThat(read(Space.UNPREPARED, BareCopyEngine.KIND, 10_000_000)).hasSize(17);
    }

    @Test
    void shouldWriteZerosBehindTheLastFrame() throws IOException {
        appendAndRead("bare-direct", Space.PREPARED, BLOCK_PART);
    }

    private void appendAndRead(String id, Space space, int length) throws IOException {
        EngineKind kind = Engines.byId(id).orElseThrow();
        int count = length > LENGTH ? FEW : COUNT;
        for (int part = 0; part < 2; part++) {
            try (Engine engine = kind.factory().open(config(space, length, count, 1));
                    Producer producer = engine.producer()) {
                for (int i = 0; i < count; i++) {
                    producer.message().putLong(8, part * count + i);
                    producer.append();
                    if (i % 150 == 99) {
                        producer.commit();
                    }
                }
            }
        }

        assertThat(read(space, kind, length))
                .containsExactlyElementsOf(
                        LongStream.range(0, 2 * count).boxed().toList());
    }

    private List<Long> read(Space space, EngineKind kind, int length) throws IOException {
        List<Long> read = new ArrayList<>();
        try (Engine engine = kind.factory().open(config(space, length, 0, 0));
                MessageReader reader = engine.reader()) {
            reader.poll((buffer, offset, bytes) -> read.add(buffer.getLong(offset + 8)), Integer.MAX_VALUE);
        }
        return read;
    }

    @Test
    void shouldRefuseMoreThanWasExpected() throws IOException {
        for (EngineKind kind : List.of(BareCopyEngine.KIND, BareWriteEngine.DSYNC)) {
            try (Engine engine = kind.factory().open(config(4, 1));
                    Producer producer = engine.producer()) {
                for (int i = 0; i < 4; i++) {
                    producer.append();
                }
                assertThatThrownBy(producer::append)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is full");
            }
        }
    }

    @Test
    void shouldSayThatAFileCannotBeSoLong() {
        assertThatThrownBy(() -> BareCopyEngine.KIND.factory().open(config(3_000_000, 1)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "3000000 messages of 1000 bytes do not fit a bare engine's file, which is mapped as a whole:"
                                + " 2 GiB at most");
    }
}
