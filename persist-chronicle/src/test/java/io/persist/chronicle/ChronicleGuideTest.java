package io.persist.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesOut;
import net.openhft.chronicle.bytes.ReadBytesMarshallable;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's snippets about objects of chronicle-bytes. */
class ChronicleGuideTest {

    // snippet: chronicle-object
    static final class Trade implements WriteBytesMarshallable, ReadBytesMarshallable {
        long id;
        int quantity;

        @Override
        public void writeMarshallable(BytesOut<?> bytes) {
            bytes.writeLong(id).writeInt(quantity);
        }

        @Override
        public void readMarshallable(BytesIn<?> bytes) {
            id = bytes.readLong();
            quantity = bytes.readInt();
        }
    }
    // end

    @Test
    void shouldAppendAndReadObjects(@TempDir Path directory) {
        List<String> seen = new ArrayList<>();
        LogConfig config = LogConfig.builder(directory).segmentLength(1 << 16).build();
        try (MessageLogger logger = MessageLogger.open(config)) {
            // snippet: chronicle
            ChronicleCodec codec = new ChronicleCodec(); // one for all threads
            Trade trade = new Trade(); // one object, used again and again
            trade.id = 7;
            trade.quantity = 100;
            logger.append(trade, codec);

            try (Tailer tailer = logger.tailer()) {
                while (tailer.next()) {
                    codec.decode(tailer.payload(), trade);
                    seen.add(trade.id + " x " + trade.quantity);
                }
            }
            // end
        }
        assertThat(seen).containsExactly("7 x 100");
    }
}
