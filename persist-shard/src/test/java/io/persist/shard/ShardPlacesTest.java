package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.Locations;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A typing error in the URI of the blob: what is appended there only its writer could read. */
class ShardPlacesTest {

    private static final String SAME_ID = "of a shard of this id that another consensus has";

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));

    private Shard<String, String> shardIn(Blob blob) {
        return ShardClient.open(blob, rig.consensus, rig.config).shard(ID, Codec.utf8(), Codec.utf8());
    }

    private static void append(Shard<String, String> shard, long time) {
        try (ShardWriter<String, String> writer = shard.writer()) {
            writer.compareAndAppend(updates("a", time, time + 1), time, time + 1);
        }
    }

    private void assertRefuses(Blob blob) {
        assertThatThrownBy(() -> shardIn(blob))
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("shard=s1: the blob has none of its 2 objects, s1/w")
                .hasMessageContaining("give the URI of the blob that belongs to this consensus");
    }

    @Test
    void shouldNotOpenAShardWhoseObjectsAreElsewhere(@TempDir Path directory) {
        append(rig.shard(), 0);
        append(rig.shard(), 1);
        long version = rig.shard().state().version();
        assertRefuses(new MemBlob());
        Blob files = Locations.blob("file://" + directory);
        assertRefuses(files);
        assertThat(rig.shard().state().version()).as("nobody was registered").isEqualTo(version);

        rig.shard()
                .state()
                .batches()
                .forEach(batch -> files.set(
                        batch.objects().get(0), rig.blob.get(batch.objects().get(0))));
        assertThat(shardIn(files).upper()).isEqualTo(Frontier.at(2));
    }

    /** What is left of it can be read, and it can be written. */
    @Test
    void shouldOpenAShardThatHasLostSomeObjects() {
        append(rig.shard(), 0);
        append(rig.shard(), 1);
        Shard<String, String> shard = rig.shard();
        for (int i = 0; i < 2; i++) {
            String object = shard.state().batches().get(i).objects().get(0);
            byte[] bytes = rig.blob.get(object);
            rig.blob.delete(object);
            assertThat(shardIn(rig.blob).upper()).isEqualTo(Frontier.at(2));
            rig.blob.set(object, bytes);
        }
    }

    /** Between the state and the look at the blob another process merges all that the state names. */
    @Test
    void shouldOpenAShardThatIsMergedMeanwhile() {
        for (int time = 0; time < 8; time++) {
            append(rig.shard(), time);
        }
        AtomicBoolean isMerged = new AtomicBoolean();
        Blob busy = new ForwardingBlob(rig.blob) {
            @Override
            public void list(String prefix, ObjLongConsumer<String> visitor) {
                if (isMerged.compareAndSet(false, true)) {
                    assertThat(rig.shard().maintain().collected()).isEqualTo(8);
                    append(rig.shard(), 8);
                }
                super.list(prefix, visitor);
            }

            @Override
            public void close() {}
        };
        assertThat(shardIn(busy).upper()).isEqualTo(Frontier.at(9));
        assertThat(isMerged).isTrue();
    }

    /** A shard of short batches, which names no object, and the blob of another consensus. */
    @Test
    void shouldNotOpenAShardInTheBlobOfAnotherConsensus() {
        ShardRig staging = new ShardRig();
        append(staging.shard(), 0);
        append(rig.shard(), 0);
        long version = staging.shard().state().version();
        assertThatThrownBy(() -> ShardClient.open(rig.blob, staging.consensus, staging.config)
                        .shard(ID, Codec.utf8(), Codec.utf8()))
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("shard=s1: the blob has 1 objects, s1/w")
                .hasMessageContaining(SAME_ID);
        assertThat(staging.shard().state().version())
                .as("nobody was registered")
                .isEqualTo(version);
    }

    /** Both were created before there was an object. */
    @Test
    void shouldDeleteNoObjectOfAShardOfThisIdInAnotherConsensus() throws InterruptedException {
        ShardRig other = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
        Shard<String, String> theirs = other.shard();
        Shard<String, String> mine = rig.shard();
        ShardReader<String, String> reader = mine.reader();
        Shard<String, String> beside =
                ShardClient.open(rig.blob, other.consensus, other.config).shard(ID, Codec.utf8(), Codec.utf8());
        append(mine, 0);
        assertSweepsNothing(beside);
        assertThat(theirs.upper()).isEqualTo(Frontier.MINIMUM);
        append(beside, 0);
        assertSweepsNothing(beside);
        assertSweepsNothing(mine);
        assertThat(ShardRig.contents(reader, 0)).containsOnlyKeys("a");
    }

    private static void assertSweepsNothing(Shard<String, String> shard) {
        assertThatThrownBy(shard::maintain)
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining(SAME_ID);
    }
}
