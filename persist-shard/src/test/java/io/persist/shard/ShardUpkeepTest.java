package io.persist.shard;

import static io.persist.shard.ShardRig.NOW;
import static io.persist.shard.ShardRig.contents;
import static io.persist.shard.ShardRig.update;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.Version;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShardUpkeepTest {

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
    private final Shard<String, String> shard = rig.shard();
    private final ShardWriter<String, String> writer = shard.writer();

    private void append(int from, int below) {
        for (int time = from; time < below; time++) {
            writer.compareAndAppend(List.of(update("a", time, 1), update("b" + time % 3, time, 1)), time, time + 1);
        }
    }

    @Test
    void shouldMergeEightBatches() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        append(0, 7);
        assertThat(shard.maintain().merges()).isZero();
        append(7, 8);
        assertThat(shard.maintain().merges()).isEqualTo(1);
        assertThat(shard.state().batches()).hasSize(1);
        assertThat(contents(reader, 3)).isEqualTo(Map.of("a", 4L, "b0", 2L, "b1", 1L, "b2", 1L));
        assertThat(contents(reader, 7)).isEqualTo(Map.of("a", 8L, "b0", 3L, "b1", 3L, "b2", 2L));
    }

    /** Times below since are one, and what they sum up to is one update. */
    @Test
    void shouldForgetTheHistoryBelowSince() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        append(0, 8);
        writer.compareAndAppend(List.of(update("b0", 8, -3)), 8, 9);
        reader.downgradeSince(Frontier.at(8));
        shard.maintain();
        BatchState merged = shard.state().batches().get(0);
        assertThat(merged.since()).isEqualTo(Frontier.at(8));
        assertThat(merged.updates()).isEqualTo(3);
        assertThat(contents(reader, 8)).isEqualTo(Map.of("a", 8L, "b1", 3L, "b2", 2L));
    }

    /** Of so many runs that one merge does not take the batches that would be worth it: a reader has a part of each. */
    @Test
    void shouldMergeBatchesWhoseUpdatesDidNotComeInOrder() throws Exception {
        ShardRig small = new ShardRig(
                ShardConfig.builder().inlineBatchBytes(0).partBytes(1 << 10).mergedRuns(8));
        Shard<String, String> unordered = small.shard();
        ShardReader<String, String> reader = unordered.reader();
        ShardWriter<String, String> appending = unordered.writer();
        Map<String, Long> expected = new TreeMap<>();
        for (int time = 0; time < 10; time++) {
            List<Update<String, String>> updates = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                updates.add(update("key" + i * 37 % 400, time, 1));
                expected.merge("key" + i, 1L, Long::sum);
            }
            appending.compareAndAppend(updates, time, time + 1);
        }
        assertThat(unordered.state().batches()).allMatch(batch -> batch.runs().size() > 3);
        unordered.maintain();
        assertThat(unordered.state().batches().stream()
                        .mapToInt(batch -> batch.runs().size())
                        .sum())
                .isLessThanOrEqualTo(8);
        assertThat(contents(reader, 9)).isEqualTo(expected);
    }

    @Test
    void shouldKeepObjectsThatASnapshotReads() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        append(0, 8);
        try (Snapshot<String, String> snapshot = reader.snapshot(7, NOW)) {
            shard.maintain();
            shard.maintain(); // a reader lets go of what it does not read
            assertThat(rig.objects()).isEqualTo(9); // eight, and the one that they were merged into
            assertThat(rig.shard().maintain().collected()).isZero();
            assertThat(snapshot.toList()).hasSize(4);
        }
        assertThat(shard.maintain().collected()).isEqualTo(8);
        assertThat(rig.objects()).isEqualTo(1);
        assertThat(shard.state().garbage()).isEmpty();
    }

    /** A commit after two thousand others writes as much as one after two hundred. */
    @Test
    void shouldWriteAsMuchForEachCommit() {
        ShardRig plain = new ShardRig();
        Shard<String, String> busy = plain.shard();
        ShardWriter<String, String> quick = busy.writer();
        long early = 0;
        long late = 0;
        for (int time = 0; time < 2_000; time++) {
            quick.compareAndAppend(updates("a", time, time + 1), time, time + 1);
            if (time % 100 == 99) {
                busy.maintain();
            }
            if (time == 200) {
                early = bytes(plain);
            }
        }
        quick.compareAndAppend(updates("a", 2_000, 2_001), 2_000, 2_001);
        late = bytes(plain);
        assertThat(late).isLessThanOrEqualTo(early * 6 / 5);
        assertThat(plain.consensus.scan(ShardRig.ID, 0, 10_000)).hasSizeLessThan(256);
        assertThat(busy.state().batches()).hasSizeLessThan(40);
    }

    private static long bytes(ShardRig rig) {
        Version head = rig.consensus.head(ShardRig.ID);
        return head == null ? 0 : head.data().length;
    }

    /** The whole states are where the settings say, and all versions from the last one on are there. */
    @Test
    void shouldStartFromTheLastWholeVersion() throws Exception {
        ShardRig short4 = new ShardRig(ShardConfig.builder().rollupEvery(4));
        Shard<String, String> there = short4.shard();
        ShardWriter<String, String> mine = there.writer();
        Shard<String, String> slow = short4.shard(); // knows a version that will be truncated
        for (int time = 0; time < 21; time++) {
            mine.compareAndAppend(updates("a", time, time + 1), time, time + 1);
        }
        there.maintain();
        List<Version> versions = short4.consensus.scan(ShardRig.ID, 0, 100);
        assertThat(versions).hasSizeLessThanOrEqualTo(4);
        assertThat(versions.get(0).number() % 4).isEqualTo(1);
        assertThat(slow.upper()).isEqualTo(Frontier.at(21));
        assertThat(contents(short4.shard().reader(), 20)).isEqualTo(Map.of("a", 21L));
    }

    @Test
    void shouldLeaveNothingOfATombstone() {
        ShardReader<String, String> reader = shard.reader();
        append(0, 5);
        reader.downgradeSince(Frontier.EMPTY);
        assertThat(shard.since()).isEqualTo(Frontier.EMPTY);
        assertThat(shard.isTombstone()).isFalse();
        append(5, 6); // nobody will read it, and that is no error
        writer.compareAndAppend(List.of(), Frontier.at(6), Frontier.EMPTY);
        assertThat(shard.isTombstone()).isTrue();
        reader.close();
        shard.maintain();
        assertThat(rig.objects()).isZero();
        ShardState state = shard.state();
        assertThat(state.batches()).isEmpty();
        assertThat(writer.compareAndAppend(updates("a", 6, 7), 6, 7).upper()).isEqualTo(Frontier.EMPTY);
        assertThat(rig.objects()).isZero();
    }

    /** A blob of which others do something whenever it is listed. */
    private final class Busy extends ForwardingBlob {

        private final Runnable others;

        private Busy(Runnable others) {
            super(rig.blob);
            this.others = others;
        }

        @Override
        public void list(String prefix, ObjLongConsumer<String> visitor) {
            others.run();
            super.list(prefix, visitor);
        }

        @Override
        public void close() {}
    }

    private Shard<String, String> shardIn(Blob blob, Consensus consensus) {
        return ShardClient.open(blob, consensus, rig.config).shard(ShardRig.ID, Codec.utf8(), Codec.utf8());
    }

    /** What is written and named while the sweep is under way is not taken for left over. */
    @Test
    void shouldNotSweepWhatComesMeanwhile() throws Exception {
        int[] upper = {0};
        Blob busy = new Busy(() -> {
            try (ShardWriter<String, String> other = rig.shard().writer()) {
                other.compareAndAppend(updates("c", upper[0], upper[0] + 1), upper[0], upper[0] + 1);
                upper[0]++;
            }
        });
        assertThat(shardIn(busy, rig.consensus).maintain().swept()).isZero();
        assertThat(contents(shard.reader(), 0)).isEqualTo(Map.of("c", 1L));
    }

    /** A typing error in the URI of the consensus: its upkeep would take all objects for left over. */
    @Test
    void shouldNotCreateAShardThatHasObjects() throws Exception {
        append(0, 3);
        MemConsensus wrong = new MemConsensus();
        assertThatThrownBy(() -> shardIn(rig.blob, wrong).maintain())
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("the blob has 3 objects of it")
                .hasMessageContaining("the consensus does not know it");
        assertThat(wrong.keys()).isEmpty();
        assertThat(rig.objects()).isEqualTo(3);
        assertThat(contents(shard.reader(), 2)).containsEntry("a", 3L);
    }

    @Test
    void shouldOpenAShardThatAnotherProcessCreatesAndWritesMeanwhile() {
        MemConsensus fresh = new MemConsensus();
        Blob busy = new Busy(() -> {
            if (fresh.keys().isEmpty()) {
                shardIn(rig.blob, fresh).writer().compareAndAppend(updates("c", 0, 1), 0, 1);
            }
        });
        assertThat(shardIn(busy, fresh).upper()).isEqualTo(Frontier.at(1));
        assertThat(rig.objects()).isEqualTo(1);
    }

    /**
     * A typing error in the URI of the blob, where another consensus has a shard of the same id. It was opened before
     * there was an object of either.
     */
    @Test
    void shouldNotSweepTheBlobOfAnotherConsensus() throws Exception {
        ShardRig another = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
        Shard<String, String> right = another.shard();
        Shard<String, String> wrong = shardIn(rig.blob, another.consensus);
        append(0, 3);
        right.writer().compareAndAppend(updates("c", 0, 1), 0, 1);
        assertThatThrownBy(wrong::maintain)
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("1 objects are missing");
        assertThat(rig.objects()).isEqualTo(3);
        assertThat(contents(shard.reader(), 2)).containsEntry("a", 3L);
    }

    /** A shard with eight batches to merge, whose upkeep has merged before. */
    private Shard<String, String> shardToMerge(FaultyConsensus faulty) {
        Shard<String, String> sloppy = shardIn(rig.blob, faulty);
        append(0, 8);
        sloppy.maintain();
        append(8, 16);
        assertThat(rig.objects()).isEqualTo(9);
        return sloppy;
    }

    /** They would be more and more: upkeep comes again each second. */
    @Test
    void shouldLeaveNothingOfMergesThatAreRefused() throws Exception {
        FaultyConsensus faulty = new FaultyConsensus(rig.consensus);
        Shard<String, String> sloppy = shardToMerge(faulty);
        faulty.set(FaultyConsensus.Fault.REFUSED);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(sloppy::maintain).isInstanceOf(DeterminateException.class);
            assertThat(rig.objects()).isEqualTo(9);
        }
        faulty.set(FaultyConsensus.Fault.NONE);
        assertThat(sloppy.maintain().merges()).isEqualTo(1);
        assertThat(contents(shard.reader(), 15)).containsEntry("a", 16L);
    }

    /** The merge is not made again: the same one is tried until it is known what has become of it. */
    @ParameterizedTest
    @EnumSource(names = {"LOST", "ANSWER_LOST"})
    void shouldSettleAMergeBeforeTheNext(FaultyConsensus.Fault fault) throws Exception {
        FaultyConsensus faulty = new FaultyConsensus(rig.consensus);
        Shard<String, String> sloppy = shardToMerge(faulty);
        faulty.set(fault);
        assertThatThrownBy(sloppy::maintain).isInstanceOf(IndeterminateException.class);
        assertThat(rig.objects()).isEqualTo(10);
        faulty.set(FaultyConsensus.Fault.LOST);
        for (int i = 0; fault == FaultyConsensus.Fault.LOST && i < 3; i++) {
            assertThatThrownBy(sloppy::maintain).isInstanceOf(IndeterminateException.class);
            assertThat(rig.objects()).isEqualTo(10);
        }
        faulty.set(FaultyConsensus.Fault.REFUSED); // of what may have happened that says nothing
        for (int i = 0; fault == FaultyConsensus.Fault.LOST && i < 3; i++) {
            assertThatThrownBy(sloppy::maintain).isInstanceOf(DeterminateException.class);
            assertThat(rig.objects()).isEqualTo(10);
        }
        faulty.set(FaultyConsensus.Fault.NONE);
        assertThat(sloppy.maintain().merges()).isEqualTo(1);
        assertThat(contents(shard.reader(), 15)).containsEntry("a", 16L);
    }
}
