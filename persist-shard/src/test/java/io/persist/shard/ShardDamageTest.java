package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.NOW;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.NewerVersionException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import io.persist.shard.upkeep.ShardUpkeep;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No wrong update is given out, whatever has become of objects and versions. */
class ShardDamageTest {

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
    private final Shard<String, String> shard = rig.shard();
    private final ShardReader<String, String> reader = shard.reader();
    private final String object;
    private final byte[] good;

    ShardDamageTest() {
        shard.writer().compareAndAppend(updates("a", 0, 3), 0, 3);
        object = shard.state().batches().get(0).objects().get(0);
        good = rig.blob.get(object);
    }

    /** A batch for each time from 3 on. */
    private void appendUntil(int end) {
        ShardWriter<String, String> writer = shard.writer();
        for (int time = 3; time < end; time++) {
            writer.compareAndAppend(updates("a", time, time + 1), time, time + 1);
        }
    }

    private ShardUpkeep upkeepOf(Blob blob, LongSupplier nanoTime) {
        return upkeepOf(blob, nanoTime, rig.config);
    }

    private ShardUpkeep upkeepOf(Blob blob, LongSupplier nanoTime, ShardConfig config) {
        PartStore store = new PartStore(blob, ID, config.retryTime());
        ShardMachine machine = ShardMachine.open(rig.consensus, store, "utf8", "utf8", 128, Duration.ZERO);
        return new ShardUpkeep(machine, store, config, nanoTime);
    }

    private void refuse(String why) {
        assertThatThrownBy(() -> reader.snapshot(2, NOW))
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining(object)
                .hasMessageContaining(why);
        assertThatThrownBy(() -> reader.listen(0).poll(NOW)).isInstanceOf(DamagedShardException.class);
    }

    @Test
    void shouldRefuseAMissingObjectUntilItIsRestored() throws Exception {
        rig.blob.delete(object);
        refuse("is missing");
        rig.blob.set(object, good);
        assertThat(ShardRig.contents(reader, 2)).containsEntry("a", 3L);
    }

    @Test
    void shouldRefuseEachDamagedByteAndEachCut() {
        for (int i = 0; i < good.length; i++) {
            byte[] damaged = good.clone();
            damaged[i] ^= 1;
            rig.blob.set(object, damaged);
            assertThatThrownBy(() -> reader.snapshot(2, NOW)).isInstanceOf(DamagedShardException.class);
            rig.blob.set(object, Arrays.copyOf(good, i));
            assertThatThrownBy(() -> reader.snapshot(2, NOW)).isInstanceOf(DamagedShardException.class);
        }
        rig.blob.set(object, Arrays.copyOf(good, good.length - 1));
        refuse("is damaged");
    }

    @Test
    void shouldRefuseAnObjectOfAnotherShard() {
        Shard<String, String> other = rig.client().shard("s2", Codec.utf8(), Codec.utf8());
        other.writer().compareAndAppend(updates("b", 0, 3), 0, 3);
        String theirs = other.state().batches().get(0).objects().get(0);
        rig.blob.set(object, rig.blob.get(theirs));
        refuse("is damaged");
    }

    @Test
    void shouldRefuseADamagedVersion() {
        Version head = rig.consensus.head(ID);
        byte[] bytes = head.data().clone();
        bytes[bytes.length / 2] ^= 1;
        rig.consensus.compareAndSet(ID, head.number(), new Version(head.number() + 1, bytes));
        assertThatThrownBy(shard::upper)
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining(ID);
        assertThatThrownBy(rig::shard).isInstanceOf(DamagedShardException.class);
    }

    @Test
    void shouldRefuseANewerFormat() {
        Version head = rig.consensus.head(ID);
        byte[] bytes = head.data().clone();
        bytes[7]++;
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - 4);
        for (int i = 0; i < 4; i++) {
            bytes[bytes.length - 4 + i] = (byte) ((int) crc.getValue() >>> 24 - 8 * i);
        }
        rig.consensus.compareAndSet(ID, head.number(), new Version(head.number() + 1, bytes));
        assertThatThrownBy(rig::shard)
                .isInstanceOf(NewerVersionException.class)
                .hasMessageContaining("use a newer one");
    }

    /** A merge up to what is damaged would write the same objects each second, and nothing else would be done. */
    @Test
    void shouldNotMergeWhatIsDamagedAgainAndAgain() {
        AtomicInteger reads = new AtomicInteger();
        Blob counting = new ForwardingBlob(rig.blob) {
            @Override
            public long read(String name, byte[] target) {
                reads.incrementAndGet();
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        appendUntil(30);
        AtomicLong nowNs = new AtomicLong();
        ShardUpkeep upkeep = upkeepOf(counting, nowNs::get);
        Map<String, byte[]> restored = new TreeMap<>();
        for (BatchState batch : shard.state().batches()) {
            String name = batch.objects().get(0);
            restored.put(name, rig.blob.get(name));
            rig.blob.delete(name);
        }

        assertThatThrownBy(upkeep::routine)
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("is missing");
        int once = reads.get();
        assertThat(once).isPositive();
        assertThatThrownBy(upkeep::routine)
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("is missing");
        assertThat(reads).hasValue(once);

        restored.forEach(rig.blob::set);
        nowNs.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(upkeep.routine().merges()).isEqualTo(1);
    }

    /** Nor what is on a bad block, which would take all the time of retries each second; other shards wait for that. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void shouldNotTryToReadAgainAndAgain() {
        appendUntil(30);
        AtomicInteger failures = new AtomicInteger();
        AtomicBoolean isBad = new AtomicBoolean(true);
        Blob bad = new ForwardingBlob(rig.blob) {
            @Override
            public long read(String name, byte[] target) {
                if (name.equals(object) && isBad.get()) {
                    failures.incrementAndGet();
                    throw new DeterminateException("read of object=" + name + ": Input/output error", null);
                }
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        AtomicLong nowNs = new AtomicLong();
        ShardConfig patient = ShardConfig.builder()
                .clock(rig.clock)
                .inlineBatchBytes(0)
                .retryTime(Duration.ofHours(1))
                .build();
        ShardUpkeep upkeep = upkeepOf(bad, nowNs::get, patient);

        assertThatThrownBy(upkeep::all).isInstanceOf(DeterminateException.class).hasMessageContaining(object);
        int once = failures.get();
        assertThat(once).isPositive();
        assertThat(shard.state().batches()).as("the others are merged").hasSizeLessThan(20);
        assertThatThrownBy(upkeep::routine)
                .isInstanceOf(DeterminateException.class)
                .hasMessageContaining(object);
        assertThat(failures).hasValue(once);

        isBad.set(false);
        nowNs.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(upkeep.routine().merges()).isEqualTo(1);
    }

    /** To read up to what is damaged may take longer than it is left alone. */
    @Test
    void shouldTryEachDamagedGroupOnce() {
        appendUntil(200);
        List<BatchState> batches = shard.state().batches();
        rig.blob.delete(batches.get(150).objects().get(0));
        rig.blob.delete(batches.get(190).objects().get(0));
        AtomicLong nowNs = new AtomicLong();
        AtomicInteger misses = new AtomicInteger();
        Blob slow = new ForwardingBlob(rig.blob) {
            @Override
            public long read(String name, byte[] target) {
                if (rig.blob.get(name) == null) {
                    nowNs.addAndGet(Duration.ofMinutes(2).toNanos());
                    assertThat(misses.incrementAndGet()).isLessThan(10);
                }
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        ShardUpkeep upkeep = upkeepOf(slow, nowNs::get);

        assertThatThrownBy(upkeep::all).isInstanceOf(DamagedShardException.class);
        assertThat(misses).hasValue(2);
    }

    /** Each append makes another group of batches to merge, with what is damaged among them. */
    @Test
    void shouldMergeAroundWhatIsDamagedWhileTheShardIsWritten() {
        AtomicInteger reads = new AtomicInteger();
        Blob counting = new ForwardingBlob(rig.blob) {
            @Override
            public long read(String name, byte[] target) {
                reads.addAndGet(rig.blob.get(name) == null ? 1 : 0);
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        PartStore store = new PartStore(counting, ID, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(rig.consensus, store, "utf8", "utf8", 128, Duration.ZERO);
        AtomicLong nowNs = new AtomicLong();
        ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config, nowNs::get);
        ShardWriter<String, String> writer = shard.writer();
        for (int time = 3; time < 100; time++) {
            writer.compareAndAppend(updates("a", time, time + 1), time, time + 1);
            reader.downgradeSince(Frontier.at(time));
            ShardState state = machine.refresh();
            if (time == 10) {
                rig.blob.delete(state.batches().get(8).objects().get(0));
            }
            try {
                upkeep.routine();
            } catch (DamagedShardException told) {
                assertThat(told).hasMessageContaining("missing");
            }
        }
        assertThat(reads).hasValue(1);
        assertThat(shard.state().batches()).hasSizeLessThan(60);
        assertThatThrownBy(upkeep::routine).as("it is still said").isInstanceOf(DamagedShardException.class);
        nowNs.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThatThrownBy(upkeep::routine).isInstanceOf(DamagedShardException.class);
        assertThat(reads).hasValue(2);
    }

    /** What comes after the merge fails, too: the object is what somebody has to look for. */
    @Test
    void shouldTellFirstWhyAMergeHasFailed() {
        appendUntil(30);
        rig.blob.delete(object);
        Consensus refusing = new ForwardingConsensus(rig.consensus) {
            @Override
            public int truncate(String key, long number) {
                throw new DeterminateException("refused", null);
            }

            @Override
            public void close() {}
        };
        PartStore store = new PartStore(rig.blob, ID, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(refusing, store, "utf8", "utf8", 128, Duration.ZERO);
        ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config);
        assertThatThrownBy(upkeep::all)
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("is missing")
                .satisfies(told ->
                        assertThat(told.getSuppressed()).singleElement().isInstanceOf(DeterminateException.class));
    }
}
