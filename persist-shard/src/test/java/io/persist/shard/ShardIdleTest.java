package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.batch.PartStore;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.UpkeepReport;
import io.persist.shard.upkeep.ShardUpkeep;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/** Upkeep by a client that has no handle, while others use the shard. */
class ShardIdleTest {

    private static final int MINUTE_S = 60;

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
    private final Shard<String, String> others = rig.shard();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger lists = new AtomicInteger();
    private final Consensus consensus = new ForwardingConsensus(rig.consensus) {
        @Override
        public List<Version> scan(String key, long from, int limit) {
            looks.incrementAndGet();
            return super.scan(key, from, limit);
        }

        @Override
        public void close() {}
    };
    private final Blob blob = new ForwardingBlob(rig.blob) {
        @Override
        public void list(String prefix, ObjLongConsumer<String> visitor) {
            lists.incrementAndGet();
            super.list(prefix, visitor);
        }

        @Override
        public void close() {}
    };
    private final PartStore store = new PartStore(blob, ID, Duration.ZERO);
    private final ShardMachine machine = ShardMachine.open(consensus, store, "utf8", "utf8", 128, Duration.ZERO);
    private final AtomicLong nowNs = new AtomicLong();
    private final ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config, nowNs::get);

    private UpkeepReport aSecondLater() {
        nowNs.addAndGet(Duration.ofSeconds(1).toNanos());
        return upkeep.routine();
    }

    @Test
    void shouldMergeWhatOthersWrite() {
        ShardWriter<String, String> writer = others.writer();
        upkeep.routine(); // the first time it lists the objects, and asks for the state then
        for (int time = 0; time < 40; time++) {
            writer.compareAndAppend(updates("a", time, time + 1), time, time + 1);
        }
        assertThat(upkeep.routine().merges()).as("it has not asked yet").isZero();
        aSecondLater();
        aSecondLater();
        assertThat(others.state().batches()).hasSizeLessThan(40);
    }

    @Test
    void shouldAskSeldomAndStillOnceAMinuteIfThereIsNoNews() {
        upkeep.routine();
        int before = looks.get();
        for (int second = 0; second < 10 * MINUTE_S; second++) {
            aSecondLater();
        }
        assertThat(looks.get() - before).isBetween(10, 20);

        others.writer().compareAndAppend(updates("a", 0, 1), 0, 1);
        for (int second = 0; second < MINUTE_S; second++) {
            aSecondLater();
        }
        assertThat(machine.known().upper()).isEqualTo(Frontier.at(1));
    }

    @Test
    void shouldAskEachSecondWhileThereIsNews() {
        ShardWriter<String, String> writer = others.writer();
        upkeep.routine();
        for (int time = 0; time < 20; time++) {
            writer.compareAndAppend(updates("a", time, time + 1), time, time + 1);
            aSecondLater();
            assertThat(machine.known().upper()).isGreaterThanOrEqualTo(Frontier.at(time)); // it learns by merges, too
        }
    }

    /** To list a large place takes long, and costs. */
    @Test
    void shouldNotLookForLeftObjectsIfALeaseWasRenewedUnseen() {
        ShardWriter<String, String> writer = others.writer();
        machine.refresh();
        upkeep.routine();
        int before = lists.get();
        rig.clock.advanceMs(3_000);
        writer.renew();
        rig.clock.advanceMs(3_000);
        assertThat(upkeep.routine().expired()).isZero();
        assertThat(lists.get()).isEqualTo(before);
        assertThat(others.state().writers()).hasSize(1);
    }
}
