package io.persist.peers.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.log.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The floors write what they say. */
class BareEngineTest {

    private static final int LENGTH = 1000;
    private static final int COUNT = 401;

    /** Frames of this length end where blocks do, so that what is left in a buffer looks like frames. */
    private static final int BLOCK_PART = 1016;

    @TempDir
    Path directory;

    private EngineConfig config(int expected, int producers) {
        return config(LENGTH, expected, producers);
    }

    private EngineConfig config(int length, int expected, int producers) {
        return new EngineConfig(directory, Durability.SYNCED, length, expected, producers);
    }

    /** More than is gathered before a write, so that writes begin and end anywhere in a block. */
    @ParameterizedTest
    @ValueSource(strings = {"bare-copy", "bare-fdatasync", "bare-dsync", "bare-direct"})
    void shouldHoldMoreThanTheyGather(String id) throws IOException {
        appendAndRead(id, LENGTH);
    }

    @Test
    void shouldWriteZerosBehindTheLastFrame() throws IOException {
        appendAndRead("bare-direct", BLOCK_PART);
    }

    private void appendAndRead(String id, int length) throws IOException {
        EngineKind kind = Engines.byId(id).orElseThrow();
        for (int part = 0; part < 2; part++) {
            try (Engine engine = kind.factory().open(config(length, COUNT, 1));
                    Producer producer = engine.producer()) {
                for (int i = 0; i < COUNT; i++) {
                    producer.message().putLong(8, part * COUNT + i);
                    producer.append();
                    if (i % 150 == 99) {
                        producer.commit();
                    }
                }
            }
        }

        List<Long> read = new ArrayList<>();
        try (Engine engine = kind.factory().open(config(length, 0, 0));
                MessageReader reader = engine.reader()) {
            reader.poll((buffer, offset, bytes) -> read.add(buffer.getLong(offset + 8)), Integer.MAX_VALUE);
        }
        assertThat(read)
                .containsExactlyElementsOf(
                        LongStream.range(0, 2 * COUNT).boxed().toList());
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
