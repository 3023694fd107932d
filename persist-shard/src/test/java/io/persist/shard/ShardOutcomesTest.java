package io.persist.shard;

import static io.persist.shard.ShardRig.contents;
import static io.persist.shard.ShardRig.update;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an append is told is true, and stays so. */
class ShardOutcomesTest {

    /** A shard that gives no lease up while the connection is cut. */
    private static final String UNREACHABLE = "a";

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));

    /** Does what it is asked, but behind the call, as a server does whose connection was cut. */
    private static final class LateConsensus extends ForwardingConsensus {

        private final Consensus place;
        private final List<Runnable> late = new ArrayList<>();
        private Runnable meanwhile = () -> {};
        private volatile boolean isCut;

        LateConsensus(Consensus place) {
            super(place);
            this.place = place;
        }

        @Override
        public boolean compareAndSet(String key, long expected, Version next) {
            if (isCut && key.equals(UNREACHABLE)) {
                throw new DeterminateException("the connection is cut", null);
            }
            if (isCut) {
                meanwhile.run();
                late.add(() -> place.compareAndSet(key, expected, next));
                throw new IndeterminateException("the connection was cut", null);
            }
            return super.compareAndSet(key, expected, next);
        }

        @Override
        public void close() {}
    }

    /** That another upper was expected says nothing of the first append while the shard is as it was. */
    @Test
    void shouldNotDeleteABatchOfWhichAnAppendMayStillHappen() throws Exception {
        LateConsensus late = new LateConsensus(rig.consensus);
        Shard<String, String> shard =
                ShardClient.open(rig.blob, late, rig.config).shard(ShardRig.ID, Codec.utf8(), Codec.utf8());
        ShardReader<String, String> reader = shard.reader();
        ShardWriter<String, String> writer = shard.writer();
        Batch batch = writer.batch(Frontier.MINIMUM).add(update("a", 9, 1)).finish(Frontier.at(10));
        late.isCut = true;
        assertThatThrownBy(() -> writer.compareAndAppendBatch(batch, Frontier.MINIMUM))
                .isInstanceOf(IndeterminateException.class);
        late.isCut = false;
        assertThat(writer.compareAndAppendBatch(batch, Frontier.at(5)).isAppended())
                .isFalse();
        assertThatThrownBy(batch::delete)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the outcome of its append is not known: append it again first");

        late.late.forEach(Runnable::run);
        assertThat(contents(reader, 9)).isEqualTo(Map.of("a", 1L));
        assertThat(writer.compareAndAppendBatch(batch, Frontier.at(5)).isAppended())
                .isFalse(); // by now the shard has gone on
        batch.delete();
        assertThat(contents(reader, 9)).isEqualTo(Map.of("a", 1L));
    }

    /** It gives its leases up by then, and the first one that fails ends that: no other shard is waited for. */
    @Test
    void shouldNotDeleteWhatAnAppendMayHaveAddedThoughTheClientIsClosed() throws Exception {
        LateConsensus late = new LateConsensus(rig.consensus);
        ShardClient client = ShardClient.open(rig.blob, late, rig.config);
        ShardWriter<String, String> first =
                client.shard(UNREACHABLE, Codec.utf8(), Codec.utf8()).writer();
        Shard<String, String> shard = client.shard("b", Codec.utf8(), Codec.utf8());
        ShardReader<String, String> reader =
                rig.client().shard("b", Codec.utf8(), Codec.utf8()).reader();
        ShardWriter<String, String> writer = shard.writer();
        late.isCut = true;
        Thread closing = new Thread(client::close);
        late.meanwhile = () -> {
            closing.start();
            Await.until("the client is closed", () -> !closing.isAlive());
        };
        assertThatThrownBy(() -> writer.compareAndAppend(updates("k", 0, 5), 0, 5))
                .isInstanceOf(IndeterminateException.class);
        assertThatIllegalStateException().isThrownBy(first::upper).withMessageContaining("the client is closed");
        late.late.forEach(Runnable::run);
        assertThat(contents(reader, 4)).isEqualTo(Map.of("k", 5L));
    }

    /** An append of nothing makes no version, and is told the shard's upper all the same. */
    @Test
    void shouldTellAnAppendOfNothingTheNewestUpper() {
        ShardWriter<String, String> first = rig.shard().writer();
        ShardWriter<String, String> second = rig.shard().writer();
        first.compareAndAppend(updates("a", 0, 5), 0, 5);
        assertThat(second.compareAndAppend(updates("a", 5, 9), 5, 9).isAppended())
                .isTrue();
        assertThat(first.compareAndAppend(List.of(), 5, 5))
                .isEqualTo(new AppendResult(AppendResult.Status.UPPER_MISMATCH, Frontier.at(9)));
        assertThat(first.compareAndAppend(List.of(), 9, 9))
                .isEqualTo(new AppendResult(AppendResult.Status.APPENDED, Frontier.at(9)));
    }

    /** The process sleeps while the answer is on its way, and others take its writer for gone. */
    @Test
    void shouldNotSayThatTheLeaseIsOverOfAnAppendThatMayHaveHappened() throws Exception {
        Shard<String, String> other = rig.shard();
        ShardReader<String, String> reader = other.reader();
        AtomicInteger sleeps = new AtomicInteger();
        Consensus sleeping = new ForwardingConsensus(rig.consensus) {
            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                boolean isSet = super.compareAndSet(key, expected, next);
                if (sleeps.getAndDecrement() != 1) {
                    return isSet;
                }
                rig.clock.advanceMs(900); // less than the reader's lease
                other.expire();
                throw new IndeterminateException("no answer", null);
            }

            @Override
            public void close() {}
        };
        ShardConfig config = ShardConfig.builder()
                .clock(rig.clock)
                .writerLease(Duration.ofMillis(500))
                .retryTime(ShardRig.LONG)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .build();
        ShardWriter<String, String> writer = ShardClient.open(rig.blob, sleeping, config)
                .shard(ShardRig.ID, Codec.utf8(), Codec.utf8())
                .writer();
        sleeps.set(1);
        assertThatThrownBy(() -> writer.compareAndAppend(updates("a", 0, 1), 0, 1))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("may have happened, so look at the upper: ")
                .hasMessageContaining("the lease of writer w")
                .hasCauseInstanceOf(LeaseExpiredException.class);
        assertThat(contents(reader, 0)).isEqualTo(Map.of("a", 1L));
        assertThatThrownBy(() -> writer.compareAndAppend(updates("a", 1, 2), 1, 2))
                .as("of which no attempt was made")
                .isInstanceOf(LeaseExpiredException.class);
    }

    /** A new handle of the writer that appends would not help. */
    @Test
    void shouldNameTheWriterThatIsGone() {
        Shard<String, String> shard = rig.shard();
        ShardWriter<String, String> maker = shard.writer();
        Batch batch = maker.batch(Frontier.MINIMUM).add(update("a", 0, 1)).finish(Frontier.at(1));
        maker.close();
        assertThatThrownBy(() -> shard.writer().appendBatch(batch))
                .isInstanceOf(LeaseExpiredException.class)
                .hasMessageMatching("shard=" + ShardRig.ID + ": the lease of writer w[^ ]+ is over, which made this"
                        + " batch, so its objects may be gone; build the batch again");
    }

    static List<Throwable> failures() {
        return List.of(
                new DeterminateException("refused", null),
                new IllegalArgumentException("as if the append was refused"),
                new OutOfMemoryError("as if the merge needs more"));
    }

    /** A writer that is faster than upkeep does a merge of its own. There is no thread of upkeep here to be faster. */
    @ParameterizedTest
    @MethodSource("failures")
    void shouldTellThatItHasHappenedWhateverUpkeepThrows(Throwable failure) {
        AtomicInteger thrown = new AtomicInteger();
        Consensus failing = new ForwardingConsensus(rig.consensus) {
            @Override
            public int truncate(String key, long number) {
                thrown.incrementAndGet();
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) failure;
            }

            @Override
            public void close() {}
        };
        ShardConfig config = ShardConfig.builder()
                .inlineBatchBytes(0)
                .partBytes(1 << 10)
                .mergedRuns(8)
                .retryTime(Duration.ZERO)
                .build();
        PartStore store = new PartStore(rig.blob, ShardRig.ID, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(failing, store, "utf8", "utf8", 128, Duration.ZERO);
        OpenShard open = new OpenShard(ShardRig.ID, machine, store, config, new OpenShards(() -> {}));
        ShardWriter<String, String> writer = new ShardWriter<>(open, Codec.utf8(), Codec.utf8());
        String value = "x".repeat(1 << 10);
        List<AppendResult> told = new ArrayList<>();
        for (int time = 0; time < 40; time++) {
            Update<String, String> update = new Update<>("k" + time, value, time, 1);
            int from = time;
            assertThatCode(() -> told.add(writer.compareAndAppend(List.of(update), from, from + 1)))
                    .doesNotThrowAnyException();
        }
        assertThat(thrown.get()).isPositive();
        assertThat(told).allMatch(AppendResult::isAppended).hasSize(40);
    }

    /** Whose way to the consensus is longer than the time between two appends of others. */
    @Test
    void shouldTellAMismatchWhileOthersAppend() {
        ShardRig rig = new ShardRig();
        ShardWriter<String, String> near = rig.shard().writer();
        AtomicInteger upper = new AtomicInteger();
        AtomicBoolean isBusy = new AtomicBoolean();
        Consensus far = new ForwardingConsensus(rig.consensus) {
            @Override
            public List<Version> scan(String key, long from, int limit) {
                if (isBusy.get() && upper.get() < 50) {
                    int time = upper.getAndIncrement();
                    near.compareAndAppend(List.of(), time, time + 1);
                }
                return super.scan(key, from, limit);
            }

            @Override
            public void close() {}
        };
        ShardWriter<String, String> writer = ShardClient.open(rig.blob, far, rig.config)
                .shard(ShardRig.ID, Codec.utf8(), Codec.utf8())
                .writer();
        near.compareAndAppend(List.of(), 0, upper.incrementAndGet());
        isBusy.set(true);
        AppendResult result = writer.compareAndAppend(List.of(), 0, 1);
        assertThat(result.status()).isEqualTo(AppendResult.Status.UPPER_MISMATCH);
        assertThat(result.upper()).isEqualTo(Frontier.at(upper.get()));
        assertThat(upper.get()).isLessThan(50);
    }

    /** Another writer of the same data was faster, and the batch is appended at the upper that this has made. */
    @Test
    void shouldHaveNothingToAppendOfABatchThatIsThereAlready() throws Exception {
        Shard<String, String> shard = rig.shard();
        ShardWriter<String, String> writer = shard.writer();
        Batch batch = writer.batch(Frontier.at(0)).add(update("a", 3, 1)).finish(Frontier.at(10));
        AppendResult mismatch = writer.compareAndAppendBatch(batch, Frontier.at(10));
        assertThat(mismatch.status()).isEqualTo(AppendResult.Status.UPPER_MISMATCH);
        assertThat(mismatch.upper()).isEqualTo(Frontier.MINIMUM);
        shard.writer().append(List.of(update("a", 3, 1)), 0, 10);
        assertThat(writer.compareAndAppendBatch(batch, Frontier.at(10)).isAppended())
                .isTrue();
        assertThat(contents(shard.reader(), 9)).isEqualTo(Map.of("a", 1L));
        batch.delete();
        assertThat(rig.objects()).isEqualTo(1);
    }
}
