package io.persist.shard.bench.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.command.Command;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardWriter;
import io.persist.shard.bench.place.ShardCommand.ShardCall;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.shard.model.Codec;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a place cannot read is told as it is met, and the rest is looked at. */
class UnreadablePlaceTest {

    private final MemBlob blob = new MemBlob();
    private final MemConsensus consensus = new MemConsensus();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Of two shards with three objects each. */
    @BeforeEach
    void write() {
        ShardConfig config = ShardConfig.builder()
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .inlineBatchBytes(0)
                .build();
        ShardClient client = ShardClient.open(
                blob,
                new ForwardingConsensus(consensus) {
                    @Override
                    public void close() {}
                },
                config);
        for (String id : List.of("s1", "s2")) {
            ShardWriter<String, String> writer =
                    client.shard(id, Codec.utf8(), Codec.utf8()).writer();
            for (int time = 0; time < 3; time++) {
                writer.compareAndAppend(List.of(new Update<>("k", "v", time, 1)), time, time + 1);
            }
        }
    }

    private int verify(Blob place) throws IOException {
        return run(new VerifyVerb(), place, consensus);
    }

    private int run(Verb verb, Blob place, Consensus states) throws IOException {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        ShardCall call = new ShardCall(List.of("blob", "consensus"), List.of(), print, print, () -> false);
        try (Inspected inspected = new Inspected(place, states, Duration.ZERO)) {
            return verb.work(inspected, call);
        }
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static DeterminateException failure(String name) {
        return new DeterminateException("read of object=" + name + ": Input/output error", null);
    }

    @Test
    void shouldGoOnBehindAnObjectThatCannotBeRead() throws IOException {
        Blob bad = new ForwardingBlob(blob) {
            private String unreadable = "";

            @Override
            public long read(String name, byte[] target) {
                unreadable = unreadable.isEmpty() ? name : unreadable;
                if (name.equals(unreadable)) {
                    throw failure(name);
                }
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        assertThat(verify(bad)).isEqualTo(Command.FAILED);
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).matches("read of object=s1/.*: Input/output error");
        assertThat(lines().get(1)).startsWith("2 shards, 6 parts of ").endsWith(": 1 findings");
    }

    /** Each object would take the time of all its attempts. */
    @Test
    void shouldEndIfThePlaceDoesNotAnswer() {
        Blob gone = new ForwardingBlob(blob) {
            private boolean isGone;

            @Override
            public long read(String name, byte[] target) {
                if (name.startsWith("s1/")) {
                    target[0] ^= 1;
                    return 1;
                }
                isGone = true;
                throw failure(name);
            }

            @Override
            public void list(String prefix, ObjLongConsumer<String> visitor) {
                if (isGone) {
                    throw failure(prefix);
                }
                super.list(prefix, visitor);
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> verify(gone)).isInstanceOf(DeterminateException.class);
        assertThat(lines()).as("what was found until then").hasSize(3).allMatch(line -> line.contains("is damaged"));
    }

    @Test
    void shouldGoOnBehindAShardWhoseStateCannotBeRead() throws IOException {
        Consensus bad = new ForwardingConsensus(consensus) {
            @Override
            public @Nullable Version head(String key) {
                if (key.equals("s1")) {
                    throw failure(key);
                }
                return super.head(key);
            }

            @Override
            public void close() {}
        };
        for (Verb verb : List.of(new ListVerb(), new ShowVerb(), new VerifyVerb())) {
            out.reset();
            assertThat(run(verb, blob, bad)).isEqualTo(Command.FAILED);
            assertThat(lines())
                    .as(verb.manual().name())
                    .anyMatch(line -> line.matches("read of object=s1: Input/output error"))
                    .anyMatch(line -> line.matches("s2 .*|shard s2|2 shards, 3 parts .*"));
        }
    }
}
