package io.persist.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.packet.Packet;
import io.persist.packet.PacketMetadata;
import io.persist.packet.PacketOperation;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** That the read pass sees whatever differs from what was written: each field, each byte. */
class PacketRecordsTest {

    private static final int INDEX = 17;

    private final MetadataPattern pattern = new MetadataPattern(1, 4);
    private final PacketContent content = new PacketContent(new PatternMessages(20), 3, pattern);
    private final PacketRecords records = new PacketRecords(content.copy());
    private final Packet packet = new Packet();

    @Test
    void shouldAcceptWhatWasWritten() {
        for (long index = 0; index < 2500; index++) {
            content.fill(packet.clear(), index);

            assertThat(records.difference(packet.payload(), index)).isNull();
        }
    }

    @Test
    void shouldSeeEachFieldThatDiffers() {
        assertThat(changed(metadata -> metadata.operation(PacketOperation.OTHER)))
                .isEqualTo("has operation=OTHER, but operation=UPDATE was written");
        assertThat(changed(metadata -> metadata.type(99))).isEqualTo("has type=99, but type=2 was written");
        assertThat(changed(metadata -> metadata.objectId(new UUID(0, metadata.objectIdLow()))))
                .contains("objectId");
        assertThat(changed(metadata -> metadata.objectId(metadata.objectIdHigh(), 9)))
                .contains("objectId");
        assertThat(changed(metadata -> metadata.transactionId(9))).contains("transactionId=9", "transactionId=5");
        assertThat(changed(metadata -> metadata.stableTransactionId(9)))
                .contains("stableTransactionId=9", "stableTransactionId=4");
        assertThat(changed(metadata -> metadata.inSequence(9))).contains("inSequence=9", "inSequence=18");
        assertThat(changed(metadata -> metadata.outSequence(9))).contains("outSequence=9", "outSequence=35");
        assertThat(changed(metadata -> metadata.checkpoint(9))).contains("checkpoint=9", "checkpoint=0");
        assertThat(changed(PacketMetadata::markPossibleDuplicate)).contains("possibleDuplicate=true");
        assertThat(changed(PacketMetadata::markCommitStart)).contains("commitStart=true");
        assertThat(changed(PacketMetadata::markCommitEnd)).contains("commitEnd=true");
    }

    private String changed(Consumer<PacketMetadata> change) {
        content.fill(packet.clear(), INDEX);
        change.accept(packet.metadata());
        return String.valueOf(records.difference(packet.payload(), INDEX));
    }

    @Test
    void shouldSeeMessagesThatAreMissingOrDiffer() {
        packet.clear();
        pattern.fill(packet.metadata(), INDEX);
        packet.add(new PatternMessages(20).message(3 * INDEX));
        assertThat(records.difference(packet.payload(), INDEX)).isEqualTo("has 1 message, but 3 were written");

        packet.add(new PatternMessages(20).message(3 * INDEX + 1));
        packet.add(new PatternMessages(20).message(3 * INDEX));
        assertThat(records.difference(packet.payload(), INDEX))
                .isEqualTo("has message 3, which differs from what was written at byte 0");
    }

    @Test
    void shouldSeeMetadataThatIsMissingOrTooMuch() {
        PacketContent without = new PacketContent(new PatternMessages(20), 3, null);
        without.fill(packet.clear(), INDEX);
        assertThat(records.difference(packet.payload(), INDEX)).isEqualTo("has lost its metadata");

        packet.metadata();
        assertThat(new PacketRecords(without).difference(packet.payload(), INDEX))
                .isEqualTo("has metadata, but none was written");
    }

    @Test
    void shouldKnowThePacketOfSeveralProducersByTheNumberOfItsFirstMessage() {
        PacketContent numbered = new PacketContent(new NumberedMessages(new PatternMessages(20)), 3, null);
        numbered.fill(packet.clear(), INDEX);

        assertThat(new PacketRecords(numbered).index(packet.payload())).isEqualTo(INDEX);
        assertThat(new PacketRecords(numbered)
                        .index(packet.clear().add(new byte[7]).payload()))
                .isEqualTo(-1);
    }

    @Test
    void shouldKnowHowLongAPacketIsAtMost() {
        content.fill(packet.clear(), INDEX);

        assertThat(content.maxLength()).isEqualTo(packet.length());
    }
}
