package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.upkeep.ShardUpkeep;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A write without an answer may come about after its object was deleted: whoever has given it up owes a sweep. */
class ShardLateObjectsTest {

    /** Some writes get no answer, and come about when the test says so. */
    private static final class Late extends ForwardingBlob {

        private final Blob place;
        private final Map<String, byte[]> underWay = new HashMap<>();
        private int withoutAnswer;

        Late(Blob place) {
            super(place);
            this.place = place;
        }

        @Override
        public void create(String name, ByteBuffer bytes) {
            if (withoutAnswer == 0) {
                super.create(name, bytes);
                return;
            }
            withoutAnswer--;
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(bytes.position(), copy);
            underWay.put(name, copy);
            throw new IndeterminateException("no answer", null);
        }

        void arrive() {
            underWay.forEach(place::set);
        }

        @Override
        public void close() {}
    }

    /** What a writer does whose first write gets no answer. */
    private interface Use {
        void of(ShardWriter<String, String> writer);
    }

    private final ShardRig rig = new ShardRig(settings());
    private final Late blob = new Late(rig.blob);
    private final PartStore store = new PartStore(rig.blob, ID, Duration.ZERO);
    private final ShardMachine machine = ShardMachine.open(rig.consensus, store, "utf8", "utf8", 128, Duration.ZERO);
    private final ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config);

    private static ShardConfig.Builder settings() {
        return ShardConfig.builder().partBytes(1 << 10).inlineBatchBytes(0);
    }

    private ShardClient client(Duration retryTime) {
        ShardConfig config = settings()
                .clock(rig.clock)
                .retryTime(retryTime)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .build();
        return ShardClient.open(blob, rig.consensus, config);
    }

    private int swept() {
        rig.clock.advanceMs(1);
        machine.refresh();
        return upkeep.routine().swept();
    }

    private void assertSweepsBehind(Duration retryTime, int left, Use use) {
        assertThat(swept()).as("of the first time").isZero();
        Shard<String, String> other = client(retryTime).shard(ID, Codec.utf8(), Codec.utf8());
        try (ShardWriter<String, String> writer = other.writer()) {
            blob.withoutAnswer = 1;
            use.of(writer);
            assertThat(rig.objects()).isEqualTo(left);
            blob.arrive();
            assertThat(rig.objects()).isEqualTo(left + 1);
            assertThat(swept()).as("while the writer lives").isZero();
        }
        assertThat(swept()).isEqualTo(1);
        assertThat(rig.objects()).isEqualTo(left);
    }

    @Test
    void shouldSweepBehindAnAppendThatWasGivenUp() {
        assertSweepsBehind(
                Duration.ZERO,
                0,
                writer -> assertThatThrownBy(() -> writer.append(updates("a", 0, 1), 0, 1))
                        .isInstanceOf(IndeterminateException.class));
    }

    @Test
    void shouldSweepBehindABatchThatWasAbandoned() {
        assertSweepsBehind(Duration.ZERO, 0, writer -> {
            BatchBuilder<String, String> builder = writer.batch(Frontier.at(0));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 200; i++) {
                            builder.add("key" + i, "", 0, 1);
                        }
                    })
                    .isInstanceOf(IndeterminateException.class);
            builder.abandon();
        });
    }

    /** The first attempt may still be under way when the second one was answered. */
    @Test
    void shouldSweepBehindAnAttemptThatWasRepeated() {
        assertSweepsBehind(
                Duration.ofMinutes(1),
                0,
                writer -> writer.batch(Frontier.at(0))
                        .add("a", "", 0, 1)
                        .finish(Frontier.at(1))
                        .delete());
    }

    @Test
    void shouldSweepBehindAMergeThatWasGivenUp() {
        try (ShardWriter<String, String> writer = rig.shard().writer()) {
            for (long time = 0; time < 8; time++) {
                writer.compareAndAppend(updates("a", time, time + 1), time, time + 1);
            }
        }
        ShardClient client = client(Duration.ZERO);
        Shard<String, String> other = client.shard(ID, Codec.utf8(), Codec.utf8());
        blob.withoutAnswer = 1;
        assertThatThrownBy(other::maintain).isInstanceOf(IndeterminateException.class);
        assertThat(upkeep.all().swept()).as("of the first time").isZero();
        int objects = rig.objects();
        blob.arrive();
        assertThat(swept()).as("while the client is open").isZero();
        assertThat(rig.objects()).isEqualTo(objects + 1);
        client.close();
        assertThat(swept()).isEqualTo(1);
        assertThat(rig.objects()).isEqualTo(objects);
    }
}
