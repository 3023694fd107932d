package io.persist.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.query.Position;
import org.junit.jupiter.api.Test;

/** Byte by byte what stores of version 1 have on disk beside Kafka's values. These bytes are never edited, only added. */
class GoldenBytesTest {

    /**
     * A store of values with timestamps that is not clean, with an offset of its changelog, 42 of partition 3, and with
     * the position 5 of partition 1 of the topic t, which is as Kafka writes it.
     */
    private static final byte[] HEADER = HexFormat.of()
            .parseHex("010101" + "00000001" + "00096368616e67656c6f67" + "00000003" + "000000000000002a" + "0000001a"
                    + "0000000001000000017400000001000000010000000000000005");

    private static final Map<TopicPartition, Long> OFFSETS = Map.of(new TopicPartition("changelog", 3), 42L);
    private static final Position POSITION = Position.emptyPosition().withComponent("t", 1, 5);

    @Test
    void shouldWriteAndReadWhatAStoreSaysAboutItself() {
        StoreHeader header = StoreHeader.first(ValueFormat.TIMESTAMPED)
                .committed(Map.copyOf(OFFSETS), POSITION)
                .written();
        assertThat(header.encode()).isEqualTo(HEADER);
        StoreHeader read = StoreHeader.decode(HEADER);
        assertThat(read).isEqualTo(header);
        assertThat(read.decodePosition()).isEqualTo(POSITION);
        assertThat(StoreHeader.key()).containsExactly(0);
    }

    @Test
    void shouldKnowTheFormatsOfValuesByTheirNumbers() {
        assertThat(ValueFormat.values()).extracting(ValueFormat::code).containsExactly(0, 1, 2);
        assertThat(ValueFormat.of(0)).isSameAs(ValueFormat.PLAIN);
        assertThat(ValueFormat.of(1)).isSameAs(ValueFormat.TIMESTAMPED);
        assertThat(ValueFormat.of(2)).isSameAs(ValueFormat.WITH_HEADERS);
    }

    @Test
    void shouldPutAByteBeforeTheKeysOfKafka() {
        assertThat(UserKeys.toStored(new byte[] {7, 8})).containsExactly(1, 7, 8);
        assertThat(UserKeys.toKafka(new byte[] {1, 7, 8}).get()).containsExactly(7, 8);
    }
}
