package io.persist.shard;

import static io.persist.shard.ShardRig.LONG;
import static io.persist.shard.ShardRig.NOW;
import static io.persist.shard.ShardRig.contents;
import static io.persist.shard.ShardRig.events;
import static io.persist.shard.ShardRig.update;
import static io.persist.shard.ShardRig.updates;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.error.ShardTimeoutException;
import io.persist.shard.error.SinceException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ShardReaderTest {

    private final ShardRig rig = new ShardRig();
    private final Shard<String, String> shard = rig.shard();
    private final ShardWriter<String, String> writer = shard.writer();

    @Test
    void shouldRefuseWhatLiesBelowSince() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        writer.compareAndAppend(updates("a", 0, 10), 0, 10);
        assertThat(reader.downgradeSince(Frontier.at(5))).isEqualTo(Frontier.at(5));
        assertThat(reader.downgradeSince(Frontier.at(3))).isEqualTo(Frontier.at(5));
        assertThat(shard.since()).isEqualTo(Frontier.at(5));
        assertThatThrownBy(() -> reader.snapshot(4, NOW))
                .isInstanceOf(SinceException.class)
                .hasMessage("asOf=4 is below since=5: read as of since or later");
        assertThatThrownBy(() -> reader.listen(4)).isInstanceOf(SinceException.class);
        assertThat(contents(reader, 5)).isEqualTo(Map.of("a", 6L));
    }

    @Test
    void shouldHaveTheLeastSinceOfAll() {
        ShardReader<String, String> one = shard.reader();
        ShardReader<String, String> two = rig.shard().reader();
        SinceHandle critical = shard.since("upstream");
        one.downgradeSince(Frontier.at(5));
        two.downgradeSince(Frontier.at(7));
        assertThat(shard.since()).isEqualTo(Frontier.MINIMUM);
        critical.compareAndDowngradeSince(0, 1, Frontier.at(9));
        assertThat(shard.since()).isEqualTo(Frontier.at(5));
        one.close();
        assertThat(shard.since()).isEqualTo(Frontier.at(7));
        assertThat(shard.reader().since()).isEqualTo(Frontier.at(7));
        two.downgradeSince(Frontier.EMPTY);
        assertThat(shard.since()).isEqualTo(Frontier.at(7)); // the newest reader
    }

    @Test
    void shouldWaitUntilTheTimeIsComplete() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        assertThatThrownBy(() -> reader.snapshot(0, NOW))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessageContaining("upper=0 was not beyond asOf=0");
        CompletableFuture<Map<String, Long>> waiting = CompletableFuture.supplyAsync(() -> {
            try (Snapshot<String, String> snapshot = reader.snapshot(7, LONG)) {
                return Map.of("a", snapshot.next().diff());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        rig.shard().writer().compareAndAppend(updates("a", 0, 7), 0, 7); // by another process: not enough
        writer.compareAndAppend(updates("a", 7, 8), 7, 8);
        assertThat(waiting.get()).isEqualTo(Map.of("a", 8L));
    }

    @Test
    void shouldGiveEachUpdateOnceAndProgress() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        writer.compareAndAppend(updates("a", 0, 4), 0, 4);
        ShardListener<String, String> listener = reader.listen(1);
        assertThat(events(listener, Frontier.at(4))).containsExactly("a@2*1", "a@3*1", "<4");
        assertThat(listener.poll(NOW)).isNull();
        writer.compareAndAppend(List.of(), 4, 6);
        writer.compareAndAppend(List.of(update("b", 6, -2)), 6, 7);
        assertThat(events(listener, Frontier.at(7))).containsExactly("b@6*-2", "<7");
        writer.compareAndAppend(List.of(), Frontier.at(7), Frontier.EMPTY);
        assertThat(events(listener, Frontier.EMPTY)).containsExactly("<EMPTY");
        assertThat(listener.poll(LONG)).isNull();
    }

    @Test
    void shouldGiveContentsThenUpdates() throws Exception {
        writer.compareAndAppend(List.of(update("a", 0, 1), update("b", 1, 1), update("a", 2, -1)), 0, 3);
        ShardListener<String, String> listener = shard.reader().subscribe(1);
        assertThat(events(listener, Frontier.at(3))).containsExactly("a@1*1", "b@1*1", "<2", "a@2*-1", "<3");
        ShardListener<String, String> ahead = shard.reader().subscribe(5);
        assertThat(ahead.poll(NOW)).isNull();
        writer.compareAndAppend(updates("c", 3, 9), 3, 9);
        assertThat(events(ahead, Frontier.at(9)))
                .containsExactly("b@5*1", "c@5*3", "<6", "c@6*1", "c@7*1", "c@8*1", "<9");
    }

    /** The listener is told: it does not look again and again. The consensus of the rig signals. */
    @Test
    void shouldTellListenersThatWait() throws Exception {
        ShardListener<String, String> listener = shard.reader().listen(0);
        CompletableFuture<List<String>> told = CompletableFuture.supplyAsync(() -> {
            try {
                return events(listener, Frontier.at(3));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        rig.shard().writer().compareAndAppend(updates("a", 0, 3), 0, 3);
        assertThat(told.get()).containsExactly("a@1*1", "a@2*1", "<3");
    }

    @Test
    void shouldLetSinceFollowListeners() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        ShardListener<String, String> listener = reader.listen(2);
        reader.close();
        assertThat(shard.since()).isEqualTo(Frontier.at(2));
        writer.compareAndAppend(updates("a", 0, 9), 0, 9);
        events(listener, Frontier.at(9));
        assertThat(shard.since()).isEqualTo(Frontier.at(2));
        shard.maintain();
        assertThat(shard.since()).isEqualTo(Frontier.at(8));
    }

    @Test
    void shouldTellReadersThatTheirLeaseIsOver() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        ShardReader<String, String> lives = shard.reader();
        ShardListener<String, String> listener = reader.listen(0);
        writer.compareAndAppend(updates("a", 0, 9), 0, 9);
        rig.clock.advanceMs(900);
        lives.downgradeSince(Frontier.at(3)); // also a sign of life
        rig.clock.advanceMs(900);
        assertThat(rig.shard().expire()).isEqualTo(2);
        assertThat(shard.since()).isEqualTo(Frontier.at(3));
        assertThatThrownBy(() -> reader.snapshot(5, NOW)).isInstanceOf(LeaseExpiredException.class);
        assertThatThrownBy(() -> reader.listen(5)).isInstanceOf(LeaseExpiredException.class);
        assertThatThrownBy(() -> listener.poll(NOW)).isInstanceOf(LeaseExpiredException.class);
        assertThat(reader.downgradeSince(Frontier.at(8))).isEqualTo(Frontier.EMPTY);
        assertThat(contents(lives, 8)).isEqualTo(Map.of("a", 9L));
    }

    @Test
    void shouldRenewLeasesByUpkeep() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        writer.compareAndAppend(updates("a", 0, 9), 0, 9);
        for (int i = 0; i < 20; i++) {
            rig.clock.advanceMs(500);
            assertThat(shard.maintain().expired()).isZero();
        }
        assertThat(contents(reader, 0)).isEqualTo(Map.of("a", 1L));
        assertThat(writer.compareAndAppend(List.of(), 9, 10).isAppended()).isTrue();
        long version = shard.state().version();
        shard.maintain(); // with nothing to say there is no version
        assertThat(shard.state().version()).isEqualTo(version);
    }

    /** A snapshot has one object of each run in memory, and no more. */
    @Test
    void shouldStreamSnapshots() throws Exception {
        ShardRig large = new ShardRig(ShardConfig.builder().partBytes(1 << 10));
        Shard<String, String> big = large.shard();
        ShardWriter<String, String> bigWriter = big.writer();
        BatchBuilder<String, String> builder = bigWriter.batch(Frontier.MINIMUM);
        for (int i = 0; i < 2_000; i++) {
            builder.add("key" + i, "", 0, 1);
        }
        bigWriter.appendBatch(builder.finish(Frontier.at(1)));
        try (Snapshot<String, String> snapshot = big.reader().snapshot(0, NOW)) {
            assertThat(snapshot.next().key()).isEqualTo("key0");
            large.blob.list("", (name, length) -> large.blob.delete(name)); // what was not read yet is missed
            assertThatThrownBy(snapshot::toList).hasMessageContaining("is missing");
        }
    }

    /** What a call that failed has read by then is not what the next one gives. */
    @Test
    void shouldGoOnWhereAReadOfASnapshotHasFailed() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        Blob fickle = new ForwardingBlob(rig.blob) {
            @Override
            public long read(String name, byte[] target) {
                long length = super.read(name, target);
                if (reads.incrementAndGet() % 2 == 1) {
                    throw new DeterminateException("not now", null);
                }
                return length;
            }

            @Override
            public void close() {}
        };
        ShardConfig settings = ShardConfig.builder()
                .partBytes(1 << 10)
                .retryTime(Duration.ZERO)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .build();
        Shard<String, String> there =
                ShardClient.open(fickle, new MemConsensus(), settings).shard("s2", Codec.utf8(), Codec.utf8());
        List<Update<String, String>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(new Update<>(String.format("k%04d", i), "value" + i, 0, 1));
        }
        there.writer().compareAndAppend(all, 0, 1);
        ShardReader<String, String> reader = there.reader();
        assertThatThrownBy(() -> reader.snapshot(0, NOW)).isInstanceOf(DeterminateException.class);
        List<Update<String, String>> read = new ArrayList<>();
        int failures = 0;
        try (Snapshot<String, String> snapshot = reader.snapshot(0, NOW)) {
            while (snapshot.hasNext()) {
                try {
                    read.add(snapshot.next());
                } catch (DeterminateException again) {
                    failures++;
                }
            }
        }
        assertThat(read).isEqualTo(all);
        assertThat(failures).isGreaterThan(5);
    }

    /** Also by the call after one in which the codec has failed. */
    @Test
    void shouldGiveAnUpdateThatTheCodecCouldNotReadAtFirst() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        Codec<String> fickle = Codec.of("utf8", text -> text.getBytes(UTF_8), bytes -> {
            String text = new String(bytes, UTF_8);
            if (text.equals("c") && fails.getAndSet(false)) {
                throw new IllegalStateException("not now");
            }
            return text;
        });
        Shard<String, String> there = rig.client().shard(ShardRig.ID, fickle, Codec.utf8());
        ShardListener<String, String> listener = there.reader().listen(0);
        writer.compareAndAppend(
                List.of(update("a", 1, 1), update("b", 1, 1), update("c", 1, 1), update("d", 1, 1)), 0, 2);
        assertThatThrownBy(() -> listener.poll(LONG)).hasMessage("not now");
        assertThat(events(listener, Frontier.at(2))).containsExactly("a@1*1", "b@1*1", "c@1*1", "d@1*1", "<2");
    }
}
