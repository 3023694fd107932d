package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.shard.batch.PartStore;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.support.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/** A client lets go of a tombstone when nothing is left to do for it, and not before. */
class OpenShardsTest {

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
    private final OpenShards shards = new OpenShards(() -> {});
    private final PartStore store = new PartStore(rig.blob, ID, Duration.ZERO);
    private final OpenShard open = shards.of(
            ID,
            () -> new OpenShard(
                    ID,
                    ShardMachine.open(rig.consensus, store, "utf8", "utf8", 128, Duration.ZERO),
                    store,
                    rig.config,
                    shards));
    private final Shard<String, String> shard = new Shard<>(ID, open, Codec.utf8(), Codec.utf8());

    /** Makes a tombstone that has merged batches, by handles of the shard. */
    private void bury(Shard<String, String> alive) {
        ShardReader<String, String> reader = alive.reader();
        ShardWriter<String, String> writer = alive.writer();
        for (int time = 0; time < 16; time++) {
            writer.compareAndAppend(updates("a", time, time + 1), time, time + 1);
        }
        alive.maintain();
        writer.compareAndAppend(List.of(), Frontier.at(16), Frontier.EMPTY);
        reader.downgradeSince(Frontier.EMPTY);
        assertThat(alive.isTombstone()).isTrue();
        open.keepUp();
        assertThat(shards.all()).as("while there are handles").containsExactly(open);
        reader.close();
        open.keepUp();
        assertThat(shards.all()).as("while there are handles").containsExactly(open);
        writer.close();
    }

    @Test
    void shouldLetGoOfATombstone() {
        bury(shard);
        assertThat(open.keepUp().merges()).isZero();
        assertThat(shards.all()).isEmpty();
        assertThat(rig.objects()).isZero();
        assertThat(shard.state().writers()).as("of upkeep, too").isEmpty();
    }

    /** Its writer's lease has to end, and what it has left is looked for then. */
    @Test
    void shouldKeepATombstoneUpWhileAnotherClientHasAWriter() {
        ShardWriter<String, String> other = rig.shard().writer();
        Batch left = other.batch(Frontier.MINIMUM).add("b", "", 20, 1).finish(Frontier.at(21));
        assertThat(left.objects()).isOne();
        bury(shard);
        open.keepUp();
        assertThat(shards.all()).containsExactly(open);
        rig.clock.advanceMs(5_000);
        assertThat(open.keepUp().swept()).isOne();
        assertThat(shards.all()).isEmpty();
        assertThat(rig.objects()).isZero();
    }

    @Test
    void shouldKeepUpWhatIsNoTombstone() {
        ShardWriter<String, String> writer = shard.writer();
        writer.compareAndAppend(updates("a", 0, 3), Frontier.MINIMUM, Frontier.EMPTY);
        writer.close();
        open.maintain();
        assertThat(shards.all()).containsExactly(open);
    }

    /** Its handles are renewed, and given up with the client, though another one has its id by now. */
    @Test
    void shouldKeepUpAgainWhatGetsAHandle() {
        bury(shard);
        shard.maintain();
        assertThat(shards.all()).isEmpty();
        assertThat(shard.upper()).isEqualTo(Frontier.EMPTY);
        OpenShard anew = shards.of(ID, () -> new OpenShard(ID, open.machine(), store, rig.config, shards));
        assertThat(shards.all()).containsExactly(anew);

        ShardReader<String, String> reader = shard.reader();
        assertThat(shards.all()).containsExactly(anew, open);
        rig.clock.advanceMs(900);
        open.keepUp();
        rig.clock.advanceMs(900);
        open.keepUp();
        assertThat(shard.state().readers()).as("they live").hasSize(1);
        assertThat(shards.all()).containsExactly(anew, open);
        reader.close();
        open.keepUp();
        anew.keepUp();
        assertThat(shards.all()).isEmpty();
    }

    @Test
    void shouldTellOfAClosedClientWhatItHasLetGoOf() {
        ShardClient client = rig.client();
        Shard<String, String> kept = client.shard(ID, Codec.utf8(), Codec.utf8());
        bury(shard);
        shard.maintain();
        kept.maintain(); // knows by this that it is a tombstone
        kept.maintain();
        assertThat(kept.isTombstone()).isTrue();
        client.close();
        assertThatIllegalStateException().isThrownBy(kept::upper).withMessageContaining("the client is closed");
        assertThatIllegalStateException().isThrownBy(kept::writer).withMessageContaining("the client is closed");
    }

    /** What was let go of is opened anew: its first upkeep lists the objects again. */
    @Test
    void shouldLetGoByTheUpkeepOfAClient() {
        bury(shard);
        open.keepUp();
        AtomicInteger lists = new AtomicInteger();
        ForwardingBlob counting = new ForwardingBlob(rig.blob) {
            @Override
            public void list(String prefix, ObjLongConsumer<String> visitor) {
                lists.incrementAndGet();
                super.list(prefix, visitor);
            }

            @Override
            public void close() {}
        };
        ShardConfig config = ShardConfig.builder().clock(rig.clock).build();
        try (ShardClient client = ShardClient.open(counting, rig.consensus, config)) {
            client.shard(ID, Codec.utf8(), Codec.utf8());
            Await.until("its first upkeep lists", () -> lists.get() == 1);
            Await.until("it was let go of", () -> {
                client.shard(ID, Codec.utf8(), Codec.utf8());
                return lists.get() > 1;
            });
        }
    }
}
