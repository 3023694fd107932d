package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.contents;
import static io.persist.shard.ShardRig.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.upkeep.ShardUpkeep;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a shard needs of memory and space has bounds, however fast it is written. */
class ShardBoundsTest {

    private static final int PART_BYTES = 1 << 10;
    private static final int MERGED_RUNS = 8;
    private static final String LONG_VALUE = "x".repeat(500);

    private static ShardConfig.Builder settings() {
        return ShardConfig.builder()
                .inlineBatchBytes(0)
                .partBytes(PART_BYTES)
                .mergedRuns(MERGED_RUNS)
                .retryTime(Duration.ZERO);
    }

    private static List<Update<String, String>> rows(List<String> keys, long time) {
        List<Update<String, String>> rows = new ArrayList<>();
        keys.forEach(key -> rows.add(new Update<>(key, LONG_VALUE, time, 1)));
        return rows;
    }

    /** Objects that follow each other are one run, of which a reader has one in memory; others are not. */
    @Test
    void shouldMakeOneRunOfWhatComesInOrder() throws Exception {
        ShardRig rig = new ShardRig(settings());
        Shard<String, String> shard = rig.shard();
        ShardWriter<String, String> writer = shard.writer();
        writer.compareAndAppend(rows(List.of("a", "b", "c", "d", "e", "f"), 0), 0, 1);
        writer.compareAndAppend(rows(List.of("a", "b", "e", "f", "c", "d"), 1), 1, 2);
        writer.compareAndAppend(rows(List.of("a", "b", "b", "c", "c", "d"), 2), 2, 3);

        assertThat(shard.state().batches())
                .extracting(batch -> batch.runs().stream().map(List::size).toList())
                .containsExactly(List.of(3), List.of(2, 1), List.of(1, 1, 1));
        assertThat(contents(shard.reader(), 2)).isEqualTo(Map.of("a", 3L, "b", 4L, "c", 4L, "d", 3L, "e", 2L, "f", 2L));
    }

    /** Leases and garbage have their turn between two merges: there may be many of them. */
    @Test
    void shouldMergeOnceAndThenLookAfterTheRest() {
        ShardRig rig = new ShardRig(settings());
        Shard<String, String> shard = rig.shard();
        ShardReader<String, String> reader = shard.reader();
        ShardWriter<String, String> writer = shard.writer();
        for (int time = 0; time < 60; time++) {
            writer.compareAndAppend(List.of(update("k" + time, time, 1)), time, time + 1);
        }
        PartStore store = new PartStore(rig.blob, ID, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(rig.consensus, store, "utf8", "utf8", 128, Duration.ZERO);
        ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config);
        assertThat(upkeep.routine().merges()).isEqualTo(1);
        assertThat(upkeep.routine().merges()).isEqualTo(1);
        assertThat(rig.objects()).isEqualTo(62); // the reader may be reading what was merged
        shard.upper(); // from now on it knows the merged ones
        reader.downgradeSince(Frontier.at(59));
        machine.refresh();
        assertThat(upkeep.routine().collected()).isPositive();
    }

    /** Upkeep that comes back at once, as after a merge, does not take a shard that is being written for a quiet one. */
    @Test
    void shouldNotMergeAFewWhileItIsWritten() {
        ShardRig rig = new ShardRig(settings());
        Shard<String, String> shard = rig.shard();
        ShardWriter<String, String> writer = shard.writer();
        for (int time = 0; time < MERGED_RUNS; time++) {
            List<Update<String, String>> many = ShardRig.updates("k", 1_000L * time, 1_000L * (time + 1));
            writer.compareAndAppend(many, 1_000L * time, 1_000L * (time + 1));
        }
        PartStore store = new PartStore(rig.blob, ID, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(rig.consensus, store, "utf8", "utf8", 128, Duration.ZERO);
        AtomicLong nowNs = new AtomicLong();
        ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config, nowNs::get);
        shard.reader(); // behind: what it has not read is merged only if there is half as much more
        assertThat(upkeep.routine().merges()).isZero();
        nowNs.addAndGet(Duration.ofMillis(100).toNanos());
        assertThat(upkeep.routine().merges()).isZero();
        nowNs.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(upkeep.routine().merges()).isEqualTo(1);
    }

    /** What nobody can read any more may be more objects than a version can name. */
    @Test
    void shouldDropAndForgetMoreObjectsThanAVersionCanName() {
        ShardRig rig = new ShardRig();
        AtomicInteger most = new AtomicInteger(Integer.MAX_VALUE);
        Consensus narrow = taking(most::get, rig.consensus);
        ShardConfig config =
                settings().upkeep(ShardConfig.Upkeep.BY_CALL).clock(rig.clock).build();
        Shard<String, String> shard = ShardClient.open(rig.blob, narrow, config).shard(ID, Codec.utf8(), Codec.utf8());
        ShardReader<String, String> reader = shard.reader();
        ShardWriter<String, String> writer = shard.writer();
        for (int time = 0; time < 5; time++) {
            writer.compareAndAppend(rows(keys(10_000), time), time, time + 1);
        }
        assertThat(rig.objects()).isEqualTo(25_000);
        most.set(2 << 20);
        reader.downgradeSince(Frontier.EMPTY); // nobody can read what was appended
        rig.clock.advanceMs(config.readerLease().toMillis() + 1);

        PartStore store = new PartStore(rig.blob, ID, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(narrow, store, "utf8", "utf8", 128, Duration.ZERO);
        ShardUpkeep upkeep = new ShardUpkeep(machine, store, config);
        assertThat(upkeep.routine().collected()).isEqualTo(25_000);
        assertThat(rig.objects()).isZero();
        assertThat(machine.known().garbage()).isEmpty();
        assertThat(machine.known().batches()).hasSize(1);
    }

    /** Others wait for their turn meanwhile: to ask again for what can never be is no use to anybody. */
    @Test
    void shouldNotAskAConsensusForMoreThanItTakes() {
        ShardRig rig = new ShardRig();
        AtomicInteger asked = new AtomicInteger();
        Consensus narrow = taking(() -> 10_000, new ForwardingConsensus(rig.consensus) {
            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                asked.incrementAndGet();
                return super.compareAndSet(key, expected, next);
            }

            @Override
            public void close() {}
        });
        ShardConfig config = settings().build();
        Shard<String, String> shard = ShardClient.open(rig.blob, narrow, config).shard(ID, Codec.utf8(), Codec.utf8());
        ShardWriter<String, String> writer = shard.writer();
        writer.compareAndAppend(List.of(update("k", 0, 1)), 0, 1);
        int before = asked.get();

        assertThatThrownBy(() -> writer.compareAndAppend(rows(keys(1_000), 1), 1, 2))
                .isInstanceOf(DeterminateException.class)
                .hasMessageContaining("is longer than the consensus takes, which is 10000");
        assertThat(asked).hasValue(before);
        assertThat(writer.compareAndAppend(List.of(update("k", 1, 1)), 1, 2).isAppended())
                .isTrue();
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
    }

    private static Consensus taking(IntSupplier most, Consensus consensus) {
        return new ForwardingConsensus(consensus) {
            @Override
            public int mostBytes() {
                return most.getAsInt();
            }

            @Override
            public void close() {}
        };
    }

    /** A whole state is for opening and for truncation: without one a shard goes on, until there is room again. */
    @Test
    void shouldGoOnIfTheWholeStateIsLongerThanTheConsensusTakes() throws Exception {
        ShardRig rig = new ShardRig();
        int most = 2_000;
        int[] longest = {0};
        Consensus narrow = new ForwardingConsensus(rig.consensus) {
            @Override
            public int mostBytes() {
                return most;
            }

            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                if (next.data().length > most) {
                    throw new DeterminateException("longer than a segment", null);
                }
                longest[0] = Math.max(longest[0], next.data().length);
                return super.compareAndSet(key, expected, next);
            }

            @Override
            public void close() {}
        };
        ShardConfig config =
                settings().rollupEvery(4).upkeep(ShardConfig.Upkeep.BY_CALL).build();
        Shard<String, String> shard = ShardClient.open(rig.blob, narrow, config).shard(ID, Codec.utf8(), Codec.utf8());
        ShardWriter<String, String> writer = shard.writer();
        for (int time = 0; time < 60; time++) {
            writer.compareAndAppend(List.of(update("k", time, 1)), time, time + 1);
        }
        assertThat(longest[0]).as("whole states, as long as they fit").isGreaterThan(1_500);
        assertThat(rig.consensus.scan(ID, 0, 100)).hasSizeGreaterThan(60);
        Shard<String, String> opened =
                ShardClient.open(rig.blob, narrow, config).shard(ID, Codec.utf8(), Codec.utf8());
        try (ShardReader<String, String> reader = opened.reader()) {
            assertThat(contents(reader, 59)).isEqualTo(Map.of("k", 60L));
        }
        PartStore store = new PartStore(rig.blob, ID, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(narrow, store, "utf8", "utf8", 4, Duration.ZERO);
        ShardUpkeep upkeep = new ShardUpkeep(machine, store, config);
        for (int time = 60; time < 65; time++) {
            while (upkeep.routine().merges() > 0) {} // so that the state is short
            writer.compareAndAppend(List.of(update("k", time, 1)), time, time + 1);
            machine.refresh();
        }
        assertThat(rig.consensus.scan(ID, 0, 100)).hasSizeLessThan(20);
        assertThat(contents(shard.reader(), 64)).isEqualTo(Map.of("k", 65L));
    }

    /** All of it would be read and written again, each second, and be as long again. */
    @Test
    void shouldNotMergeAgainWhatIsLongerThanTheConsensusTakes() {
        ShardRig rig = new ShardRig(settings());
        AtomicInteger written = new AtomicInteger();
        Blob counting = new ForwardingBlob(rig.blob) {
            @Override
            public void create(String name, ByteBuffer bytes) {
                written.incrementAndGet();
                super.create(name, bytes);
            }

            @Override
            public void close() {}
        };
        Consensus narrow = taking(() -> 10_000, rig.consensus);
        ShardWriter<String, String> writer = ShardClient.open(rig.blob, narrow, rig.config)
                .shard(ID, Codec.utf8(), Codec.utf8())
                .writer();
        for (int time = 0; time < 8; time++) {
            BatchBuilder<String, String> batch = writer.batch(Frontier.at(time));
            for (int part = 10; part < 40; part++) {
                batch.add(part + "-" + time, "v".repeat(PART_BYTES), time, 1);
            }
            writer.appendBatch(batch.finish(Frontier.at(time + 1)));
        }
        PartStore store = new PartStore(counting, ID, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(narrow, store, "utf8", "utf8", 128, Duration.ZERO);
        AtomicLong nowNs = new AtomicLong();
        ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config, nowNs::get);
        String why = "is longer than the consensus takes";
        upkeep.routine(); // then it is quiet, and all is merged
        nowNs.addAndGet(1_000_000_000);
        assertThatThrownBy(upkeep::routine)
                .isInstanceOf(DeterminateException.class)
                .hasMessageContaining(why);
        int once = written.get();
        assertThat(once).isPositive();
        for (int minute = 0; minute < 5; minute++) {
            nowNs.addAndGet(60_000_000_000L);
            assertThatThrownBy(upkeep::routine).as("it is still said").hasMessageContaining(why);
        }
        assertThat(written).hasValue(once);
    }

    /** Upkeep in the background that comes to nothing stands for one that is too slow. */
    @Test
    void shouldHoldAWriterUpThatIsFasterThanUpkeep() {
        ShardRig rig = new ShardRig();
        Blob slow = new ForwardingBlob(rig.blob) {
            @Override
            public long read(String name, byte[] target) {
                if (Thread.currentThread().getName().equals("shard-upkeep")) {
                    throw new DeterminateException("too slow", null);
                }
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        long most = 2L * MERGED_RUNS * PART_BYTES;
        try (ShardClient client =
                ShardClient.open(slow, rig.consensus, settings().build())) {
            Shard<String, String> shard = client.shard(ID, Codec.utf8(), Codec.utf8());
            ShardWriter<String, String> writer = shard.writer();
            for (int time = 0; time < 150; time++) {
                writer.compareAndAppend(rows(List.of("a", "b"), time), time, time + 1);
            }
            assertThat(shard.state().readingBytes()).isBetween(1L, 2 * most); // without it 150 parts
        }
    }
}
