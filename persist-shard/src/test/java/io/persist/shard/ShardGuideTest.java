package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.model.AppendResult;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of {@code docs/shards.md}. */
class ShardGuideTest {

    @TempDir
    private Path directory;

    private final List<String> seen = new ArrayList<>();

    @Test
    void shouldDoWhatTheDocumentSays() throws Exception {
        String id = ShardClient.newId();
        // snippet: shard-guide
        String blob = "file://" + directory.resolve("objects");
        String consensus = "journal://" + directory.resolve("journal");
        Duration second = Duration.ofSeconds(1);
        try (ShardClient client = ShardClient.open(blob, consensus)) {
            Shard<String, String> accounts = client.shard(id, Codec.utf8(), Codec.utf8());
            ShardReader<String, String> reader = accounts.reader();
            ShardListener<String, String> listener = reader.listen(0);

            ShardWriter<String, String> writer = accounts.writer();
            writer.compareAndAppend(List.of(new Update<>("alice", "100", 0, 1)), 0, 1);
            AppendResult result = writer.compareAndAppend(
                    List.of(new Update<>("alice", "100", 1, -1), new Update<>("alice", "70", 1, 1)), 1, 2);
            seen.add(result.status() + " " + result.upper()); // APPENDED 2
            result = writer.compareAndAppend(List.of(), 1, 5); // another one was faster
            seen.add(result.status() + " " + result.upper()); // UPPER_MISMATCH 2

            try (Snapshot<String, String> snapshot = reader.snapshot(1, second)) {
                while (snapshot.hasNext()) {
                    Update<String, String> update = snapshot.next();
                    seen.add(update.key() + " " + update.value()); // alice 70
                }
            }
            while (listener.frontier().isBelow(Frontier.at(2))) {
                ShardEvent<String, String> event = listener.poll(second);
                if (event instanceof ShardEvent.Updates<String, String> updates) {
                    seen.add(updates.updates().size() + " updates"); // 2 updates, of time 1
                }
            }
            reader.downgradeSince(Frontier.at(1)); // the past may be compacted away
        }
        // end
        assertThat(seen).containsExactly("APPENDED 2", "UPPER_MISMATCH 2", "alice 70", "2 updates");
        try (ShardClient client = ShardClient.open(blob, consensus)) {
            Shard<String, String> accounts = client.shard(id, Codec.utf8(), Codec.utf8());
            assertThat(accounts.upper()).isEqualTo(Frontier.at(2));
            assertThat(accounts.state().readers()).isEmpty();
            assertThat(accounts.state().writers()).isEmpty();
            try (Snapshot<String, String> snapshot = accounts.reader().snapshot(1, second)) {
                assertThat(snapshot.toList()).containsExactly(new Update<>("alice", "70", 1, 1));
            }
        }
    }
}
