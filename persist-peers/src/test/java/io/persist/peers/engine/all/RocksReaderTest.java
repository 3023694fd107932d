package io.persist.peers.engine.all;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.PeerProcess;
import io.persist.peers.engine.Producer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksReaderTest {

    @TempDir
    Path directory;

    /** The first producer has taken its sequence before the second one, and commits after it. */
    @Test
    void shouldPassOverNoMessageThatIsCommittedLater() throws IOException {
        try (Engine engine = RocksEngine.KIND.factory().open(PeerProcess.config(directory, Durability.SYNCED, 2));
                MessageReader reader = engine.reader();
                Producer first = engine.producer();
                Producer second = engine.producer()) {
            append(first, 1);
            append(second, 2);
            second.commit();
            assertThat(read(reader)).isEmpty();
            first.commit();
            assertThat(read(reader)).containsExactly(1L, 2L);
            append(second, 3);
            second.commit();
            assertThat(read(reader)).containsExactly(3L);
        }
    }

    private static void append(Producer producer, long number) throws IOException {
        producer.message().putLong(0, number);
        producer.append();
    }

    private static List<Long> read(MessageReader reader) throws IOException {
        List<Long> numbers = new ArrayList<>();
        reader.poll((buffer, offset, length) -> numbers.add(buffer.getLong(offset)), 10);
        return numbers;
    }
}
