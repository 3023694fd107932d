package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.ScarceThreads;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Threads of the client write whole parts: a batch is built before it is in the blob, and appended behind that. */
class ShardPartWritesTest {

    private static final int PART_BYTES = 1 << 10;
    private static final int ROWS = 115; // of 27 bytes each: three parts, the last one with one row more

    /** A blob that writes when it may, or fails. */
    private static final class Held extends ForwardingBlob {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayWrite = new CountDownLatch(1);
        private volatile boolean isFull;

        private Held(MemBlob blob) {
            super(blob);
        }

        @Override
        public void create(String name, ByteBuffer bytes) {
            begun.countDown();
            try {
                mayWrite.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (isFull) {
                throw new DeterminateException("the disk is full", null);
            }
            super.create(name, bytes);
        }

        @Override
        public void close() {}
    }

    private final MemBlob memory = new MemBlob();
    private final Held blob = new Held(memory);
    private final MemConsensus consensus = new MemConsensus();

    private ShardClient client() {
        ShardConfig settings = ShardConfig.builder()
                .partBytes(PART_BYTES)
                .retryTime(Duration.ZERO)
                .build();
        return ShardClient.open(blob, consensus, settings);
    }

    private static Batch build(ShardWriter<String, String> writer) {
        BatchBuilder<String, String> builder = writer.batch(Frontier.MINIMUM);
        for (int i = 0; i < ROWS; i++) {
            builder.add(String.format("%03d", i), "", 0, 1);
        }
        return builder.finish(Frontier.at(1));
    }

    private int objects() {
        int[] count = {0};
        memory.list("", (name, length) -> count[0]++);
        return count[0];
    }

    @Test
    void shouldAppendOnlyWhatIsInTheBlob() throws Exception {
        try (ShardClient client = client()) {
            Shard<String, String> shard = client.shard(ID, Codec.utf8(), Codec.utf8());
            ShardReader<String, String> reader = shard.reader();
            ShardWriter<String, String> writer = shard.writer();
            Batch batch = build(writer); // returns, though nothing is written
            assertThat(batch.objects()).isEqualTo(3);
            CompletableFuture<AppendResult> appended = CompletableFuture.supplyAsync(() -> writer.appendBatch(batch));
            blob.begun.await();
            assertThatThrownBy(() -> appended.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(shard.upper()).isEqualTo(Frontier.MINIMUM);
            assertThat(objects()).isZero();

            blob.mayWrite.countDown();
            assertThat(appended.get().isAppended()).isTrue();
            assertThat(objects()).isEqualTo(batch.objects());
            assertThat(ShardRig.contents(reader, 0)).hasSize(ROWS);
        }
    }

    /** What has failed stays so, for the batch; the shard is as it was. */
    @Test
    void shouldSayThatAPartCouldNotBeWritten() {
        blob.isFull = true;
        blob.mayWrite.countDown();
        try (ShardClient client = client()) {
            Shard<String, String> shard = client.shard(ID, Codec.utf8(), Codec.utf8());
            ShardWriter<String, String> writer = shard.writer();
            assertThatThrownBy(() -> writer.appendBatch(build(writer)))
                    .isInstanceOf(DeterminateException.class)
                    .hasMessage("the disk is full");
            BatchBuilder<String, String> builder = writer.batch(Frontier.MINIMUM);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000_000; i++) {
                            builder.add(String.format("%07d", i), "", 0, 1);
                        }
                    })
                    .as("a builder says it, too")
                    .isInstanceOf(DeterminateException.class);
            blob.isFull = false;
            assertThatThrownBy(() -> builder.finish(Frontier.at(1)))
                    .as("rows are missing, whatever comes behind")
                    .isInstanceOf(DeterminateException.class);
            builder.abandon();
            assertThat(shard.upper()).isEqualTo(Frontier.MINIMUM);
            Batch batch = build(writer);
            assertThat(writer.appendBatch(batch).isAppended()).isTrue();
            assertThat(objects()).isGreaterThanOrEqualTo(batch.objects());
        }
    }

    /** A blob whose operations of one kind fail once. */
    private static final class FailingOnce extends ForwardingBlob {

        private final AtomicBoolean failsRead = new AtomicBoolean();
        private final AtomicBoolean failsDelete = new AtomicBoolean();

        private FailingOnce(MemBlob blob) {
            super(blob);
        }

        @Override
        public long read(String name, byte[] target) {
            failIf(failsRead);
            return super.read(name, target);
        }

        @Override
        public long deleteAll(Collection<String> names) {
            failIf(failsDelete);
            return super.deleteAll(names);
        }

        private static void failIf(AtomicBoolean fails) {
            if (fails.getAndSet(false)) {
                throw new DeterminateException("input/output error", null);
            }
        }

        @Override
        public void close() {}
    }

    /** What was added would be in the batch twice. */
    @Test
    void shouldNotFinishABatchAgainAfterAFailure() {
        FailingOnce failing = new FailingOnce(memory);
        ShardConfig settings = ShardConfig.builder()
                .partBytes(PART_BYTES)
                .mergedRuns(8)
                .retryTime(Duration.ZERO)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .build();
        Shard<String, String> shard =
                ShardClient.open(failing, consensus, settings).shard(ID, Codec.utf8(), Codec.utf8());
        for (AtomicBoolean fails : List.of(failing.failsRead, failing.failsDelete)) {
            BatchBuilder<String, String> builder = shard.writer().batch(Frontier.MINIMUM);
            for (int i = 0; i < 8 * ROWS; i++) {
                builder.add(String.format("%03d", i * 7 % ROWS), "", i, 1); // out of order: many runs, to be merged
            }
            fails.set(true);
            assertThatThrownBy(() -> builder.finish(Frontier.at(8 * ROWS)))
                    .isInstanceOf(DeterminateException.class)
                    .hasMessage("input/output error");
            assertThatThrownBy(() -> builder.finish(Frontier.at(8 * ROWS))).isInstanceOf(IllegalStateException.class);
            builder.abandon();
            assertThat(objects()).isZero();
        }
    }

    private Shard<String, String> shardWithoutInline(FaultyConsensus faulty) {
        ShardConfig settings = ShardConfig.builder()
                .partBytes(PART_BYTES)
                .inlineBatchBytes(0)
                .retryTime(Duration.ZERO)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .build();
        return ShardClient.open(memory, faulty, settings).shard(ID, Codec.utf8(), Codec.utf8());
    }

    /** The writer lives on, and no sweep takes what it has made. */
    @Test
    void shouldLeaveNothingOfAppendsThatAreRefused() throws Exception {
        FaultyConsensus faulty = new FaultyConsensus(consensus);
        Shard<String, String> shard = shardWithoutInline(faulty);
        ShardReader<String, String> reader = shard.reader();
        ShardWriter<String, String> writer = shard.writer();
        writer.compareAndAppend(ShardRig.updates("a", 0, 1), 0, 1);
        faulty.set(FaultyConsensus.Fault.REFUSED);
        assertThatThrownBy(() -> writer.compareAndAppend(ShardRig.updates("a", 1, 2), 1, 2))
                .isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> writer.append(ShardRig.updates("a", 1, 2), 1, 2))
                .isInstanceOf(DeterminateException.class);
        assertThat(objects()).isEqualTo(1);
        faulty.set(FaultyConsensus.Fault.ANSWER_LOST);
        assertThatThrownBy(() -> writer.compareAndAppend(ShardRig.updates("a", 1, 2), 1, 2))
                .isInstanceOf(IndeterminateException.class);
        assertThat(objects()).as("it may be part of the shard").isEqualTo(2);
        faulty.set(FaultyConsensus.Fault.NONE);
        assertThat(shard.upper()).isEqualTo(Frontier.at(2));
        assertThat(ShardRig.contents(reader, 1)).containsEntry("a", 2L);
    }

    /** Whatever fails: here it is the caller's iteration, when objects are there. */
    @Test
    void shouldLeaveNothingOfUpdatesThatCannotBeRead() {
        ShardWriter<String, String> writer =
                shardWithoutInline(new FaultyConsensus(consensus)).writer();
        AtomicInteger most = new AtomicInteger();
        Stream<Update<String, String>> endless = Stream.iterate(0, i -> i + 1).map(i -> {
            most.set(Math.max(most.get(), objects()));
            if (i == ROWS) {
                throw new IllegalStateException("the source is gone");
            }
            return new Update<>(String.format("%03d", i), "", 0, 1);
        });
        assertThatThrownBy(() -> writer.compareAndAppend(endless::iterator, 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the source is gone");
        assertThat(most.get()).isPositive();
        assertThat(objects()).isZero();
    }

    /** Which updates are lost is not known then: the batch is given up, whatever the caller does next. */
    @Test
    void shouldNotFinishABatchThatHasLostUpdates() {
        ShardConfig settings = ShardConfig.builder()
                .partBytes(PART_BYTES)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .build();
        ScarceThreads threads = new ScarceThreads();
        PartStore store = new PartStore(memory, ID, Duration.ZERO, threads.writers(PART_BYTES));
        ShardMachine machine = ShardMachine.open(consensus, store, "utf8", "utf8", 128, Duration.ZERO);
        OpenShard open = new OpenShard(ID, machine, store, settings, new OpenShards(() -> {}));
        ShardWriter<String, String> writer = new ShardWriter<>(open, Codec.utf8(), Codec.utf8());
        BatchBuilder<String, String> builder = writer.batch(Frontier.MINIMUM);
        Error noThread = new OutOfMemoryError("unable to create native thread");
        threads.fail(noThread);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < ROWS; i++) {
                        builder.add(String.format("%03d", i), "", 0, 1);
                    }
                })
                .isSameAs(noThread);
        threads.fail(null);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> builder.add("999", "", 0, 1))
                    .hasMessageContaining("abandon")
                    .hasCause(noThread);
            assertThatThrownBy(() -> builder.finish(Frontier.at(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("abandon")
                    .hasCause(noThread);
        }
        builder.abandon();
        assertThat(objects()).isZero();
        assertThat(writer.appendBatch(build(writer)).isAppended()).isTrue();
    }
}
