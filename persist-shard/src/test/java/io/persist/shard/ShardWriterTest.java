package io.persist.shard;

import static io.persist.shard.ShardRig.NOW;
import static io.persist.shard.ShardRig.contents;
import static io.persist.shard.ShardRig.update;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.CodecMismatchException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.AppendResult.Status;
import io.persist.shard.model.AppendToken;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardWriterTest {

    private final ShardRig rig = new ShardRig();
    private final Shard<String, String> shard = rig.shard();

    private static AppendResult mismatch(long upper) {
        return new AppendResult(Status.UPPER_MISMATCH, Frontier.at(upper));
    }

    private static AppendResult appended(long upper) {
        return new AppendResult(Status.APPENDED, Frontier.at(upper));
    }

    @Test
    void shouldAppendAtTheExpectedUpperOnly() throws Exception {
        ShardWriter<String, String> writer = shard.writer();
        ShardWriter<String, String> other = rig.shard().writer(); // of a process that does not know
        assertThat(writer.compareAndAppend(List.of(update("a", 0, 1), update("b", 4, 2)), 0, 5))
                .isEqualTo(appended(5));
        assertThat(other.compareAndAppend(List.of(update("c", 0, 1)), 0, 5)).isEqualTo(mismatch(5));
        assertThat(other.compareAndAppend(List.of(update("c", 7, 1)), 6, 8)).isEqualTo(mismatch(5));
        assertThat(other.compareAndAppend(List.of(update("a", 5, -1)), 5, 6)).isEqualTo(appended(6));
        assertThat(writer.upper()).isEqualTo(Frontier.at(6));
        ShardReader<String, String> reader = shard.reader();
        assertThat(contents(reader, 0)).isEqualTo(Map.of("a", 1L));
        assertThat(contents(reader, 4)).isEqualTo(Map.of("a", 1L, "b", 2L));
        assertThat(contents(reader, 5)).isEqualTo(Map.of("b", 2L));
    }

    @Test
    void shouldMoveUpperWithoutUpdates() {
        ShardWriter<String, String> writer = shard.writer();
        assertThat(writer.compareAndAppend(List.of(), 0, 3)).isEqualTo(appended(3));
        assertThat(writer.compareAndAppend(List.of(), 3, 3)).isEqualTo(appended(3));
        assertThat(writer.compareAndAppend(List.of(), Frontier.at(3), Frontier.EMPTY)
                        .isAppended())
                .isTrue();
        assertThat(writer.compareAndAppend(List.of(), 3, 4))
                .isEqualTo(new AppendResult(Status.UPPER_MISMATCH, Frontier.EMPTY));
    }

    @Test
    void shouldRefuseWrongTimes() {
        ShardWriter<String, String> writer = shard.writer();
        assertThatThrownBy(() -> writer.compareAndAppend(List.of(), 5, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("upper=4 is below lower=5");
        assertThatThrownBy(() -> writer.compareAndAppend(List.of(update("a", 4, 1)), 0, 4))
                .hasMessage("time=4 is not below upper=4");
        assertThatThrownBy(() -> writer.compareAndAppend(List.of(update("a", 2, 1)), 3, 4))
                .hasMessage("time=2 is below lower=3");
        assertThatThrownBy(() -> writer.compareAndAppend(List.of(update("a", -1, 1)), 0, 4))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.compareAndAppend(List.of(update("a", 0, 1)), 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(shard.upper()).isEqualTo(Frontier.MINIMUM);
    }

    /** A replacement would make two keys one. */
    @Test
    void shouldAppendNothingOfTextThatIsNoUtf8() throws Exception {
        ShardWriter<String, String> writer = shard.writer();
        assertThatThrownBy(() -> writer.compareAndAppend(List.of(update("a", 0, 1), update("cut\ud83d", 0, 1)), 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no UTF-8: a lone surrogate at character 3");
        assertThat(writer.upper()).isEqualTo(Frontier.MINIMUM);
        assertThat(writer.compareAndAppend(updates("a", 0, 1), 0, 1)).isEqualTo(appended(1));
        assertThat(contents(shard.reader(), 0)).isEqualTo(Map.of("a", 1L));
    }

    @Test
    void shouldNotAppendTwiceWithOneToken() throws Exception {
        ShardWriter<String, String> writer = shard.writer();
        AppendToken token = AppendToken.random();
        Frontier at5 = Frontier.at(5);
        writer.compareAndAppend(token, List.of(update("a", 0, 1)), Frontier.MINIMUM, at5);
        assertThat(writer.compareAndAppend(token, List.of(update("a", 0, 1)), Frontier.MINIMUM, at5))
                .isEqualTo(appended(5));
        rig.shard().writer().compareAndAppend(List.of(), 5, 9); // it is still known when others have gone on
        assertThat(writer.compareAndAppend(token, List.of(update("a", 0, 1)), Frontier.MINIMUM, at5))
                .isEqualTo(appended(5));
        assertThat(contents(shard.reader(), 8)).isEqualTo(Map.of("a", 1L));
    }

    /** What it has would be in no shard, and the caller would not know. */
    @Test
    void shouldRefuseTheTokenOfAnotherAppend() throws Exception {
        ShardWriter<String, String> writer = shard.writer();
        AppendToken token = new AppendToken("job-7");
        Frontier at1 = Frontier.at(1);
        Frontier at2 = Frontier.at(2);
        writer.compareAndAppend(token, List.of(update("a", 0, 1)), Frontier.MINIMUM, at1);
        assertThatThrownBy(() -> writer.compareAndAppend(token, List.of(update("b", 1, 1)), at1, at2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("token=job-7 is that of an append up to 1, not up to 2; give each append its own");
        assertThat(writer.compareAndAppend(token, List.of(update("a", 0, 1)), Frontier.MINIMUM, at1))
                .isEqualTo(appended(1));
        assertThat(writer.compareAndAppend(List.of(update("b", 1, 1)), 1, 2)).isEqualTo(appended(2));
        assertThat(contents(shard.reader(), 1)).isEqualTo(Map.of("a", 1L, "b", 1L));
    }

    @Test
    void shouldCutWhatIsThereAlready() throws Exception {
        ShardWriter<String, String> one = shard.writer();
        ShardWriter<String, String> two = rig.shard().writer();
        assertThat(one.append(updates("a", 0, 4), 0, 4)).isEqualTo(appended(4));
        assertThat(two.append(updates("a", 0, 6), 0, 6)).isEqualTo(appended(6));
        assertThat(one.append(updates("a", 2, 5), 2, 5)).isEqualTo(appended(6));
        assertThat(two.append(updates("a", 8, 9), 8, 9)).isEqualTo(mismatch(6));
        assertThatThrownBy(() -> two.append(updates("a", 0, 1), 2, 9)).isInstanceOf(IllegalArgumentException.class);
        assertThat(contents(shard.reader(), 5)).isEqualTo(Map.of("a", 6L));
    }

    /** As rows of a cursor. Who is behind makes more than is missing, and need not make it again. */
    @Test
    void shouldIterateOnceOverWhatItAppends() throws Exception {
        ShardWriter<String, String> behind = shard.writer();
        rig.shard().writer().append(updates("a", 0, 2), 0, 2);
        Iterator<Update<String, String>> rows = updates("a", 0, 4).iterator();
        assertThat(behind.append(() -> rows, 0, 4)).isEqualTo(appended(4));
        assertThat(contents(shard.reader(), 3)).isEqualTo(Map.of("a", 4L));
    }

    @Test
    void shouldTellTheNewestUpperThoughNothingIsMissing() {
        ShardWriter<String, String> behind = shard.writer();
        ShardWriter<String, String> other = rig.shard().writer();
        behind.append(List.of(), 0, 5);
        Batch batch = behind.batch(Frontier.MINIMUM).finish(Frontier.at(5));
        other.append(List.of(), 5, 10);
        assertThat(behind.append(updates("a", 0, 5), 0, 5)).isEqualTo(appended(10));
        other.append(List.of(), 10, 20);
        assertThat(behind.appendBatch(batch)).isEqualTo(appended(20));
        assertThat(behind.append(List.of(), 50, 50)).as("there would be a gap").isEqualTo(mismatch(20));
    }

    @Test
    void shouldAppendBatches() throws Exception {
        ShardRig large = new ShardRig(ShardConfig.builder().partBytes(1 << 10).mergedRuns(8));
        Shard<String, String> big = large.shard();
        ShardWriter<String, String> writer = big.writer();
        BatchBuilder<String, String> builder = writer.batch(Frontier.MINIMUM);
        for (int i = 0; i < 1_000; i++) {
            builder.add("key" + (i * 7919) % 1_000, "", i, 1);
        }
        int whileBuilding = large.objects();
        Batch batch = builder.finish(Frontier.at(1_000));
        assertThat(whileBuilding).isGreaterThan(20);
        assertThat(batch.objects()).isEqualTo(large.objects()).isGreaterThan(20);
        assertThat(batch.state().runs()).hasSizeLessThanOrEqualTo(8);
        assertThat(batch.updates()).isEqualTo(1_000);
        assertThat(big.upper()).isEqualTo(Frontier.MINIMUM);
        writer.compareAndAppend(updates("x", 0, 10), 0, 10);
        assertThat(writer.compareAndAppendBatch(batch, Frontier.MINIMUM)).isEqualTo(mismatch(10));
        assertThat(writer.appendBatch(batch)).isEqualTo(appended(1_000));
        assertThat(writer.appendBatch(batch)).isEqualTo(appended(1_000));
        batch.delete(); // it is part of the shard, so it stays
        Map<String, Long> contents = contents(big.reader(), 999);
        assertThat(contents).hasSize(991).containsEntry("x", 10L); // without those of times 0 to 9
        assertThat(contents.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(1_000);
    }

    @Test
    void shouldDeleteBatchesThatAreNotAppended() {
        ShardRig noInline = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
        ShardWriter<String, String> writer = noInline.shard().writer();
        Batch batch = writer.batch(Frontier.MINIMUM).add(update("a", 0, 1)).finish(Frontier.at(1));
        assertThat(noInline.objects()).isEqualTo(1);
        batch.delete();
        assertThat(noInline.objects()).isZero();
        writer.compareAndAppend(updates("a", 0, 1), 0, 1);
        writer.compareAndAppend(updates("a", 0, 1), 0, 1); // a mismatch: its object goes
        assertThat(noInline.objects()).isEqualTo(1);
        assertThatThrownBy(() -> writer.compareAndAppend(List.of(update("a", 1, 1), update("a", 0, 1)), 1, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(noInline.objects()).isEqualTo(1);
    }

    /** The state that has the other one's updates says what has become of it. */
    @Test
    void shouldDeleteABatchOfUnknownOutcomeOnceAnotherOneHasAppended() {
        ShardRig noInline = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
        FaultyConsensus faulty = new FaultyConsensus(noInline.consensus);
        ShardWriter<String, String> writer = ShardClient.open(noInline.blob, faulty, noInline.config)
                .shard(ShardRig.ID, Codec.utf8(), Codec.utf8())
                .writer();
        Batch batch = writer.batch(Frontier.MINIMUM).add(update("a", 0, 1)).finish(Frontier.at(1));
        faulty.set(FaultyConsensus.Fault.LOST);
        assertThatThrownBy(() -> writer.appendBatch(batch)).isInstanceOf(IndeterminateException.class);
        faulty.set(FaultyConsensus.Fault.NONE);
        noInline.shard().writer().append(updates("a", 0, 1), 0, 1);
        assertThat(writer.upper()).isEqualTo(Frontier.at(1));
        assertThat(noInline.objects()).isEqualTo(2);
        assertThat(writer.appendBatch(batch)).isEqualTo(appended(1));
        batch.delete();
        assertThat(noInline.objects()).isEqualTo(1);
    }

    /** Its objects would be missing in the shard. */
    @Test
    void shouldNotAppendABatchThatWasDeleted() {
        ShardRig noInline = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
        ShardWriter<String, String> writer = noInline.shard().writer();
        Batch batch = writer.batch(Frontier.MINIMUM).add(update("a", 0, 1)).finish(Frontier.at(1));
        batch.delete();
        assertThatThrownBy(() -> writer.appendBatch(batch))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the batch was deleted; build it again");
        assertThatThrownBy(() -> writer.compareAndAppendBatch(batch, Frontier.MINIMUM))
                .isInstanceOf(IllegalStateException.class);
        assertThat(writer.upper()).isEqualTo(Frontier.MINIMUM);
    }

    /** The objects are those of the batch, which may be part of the shard. */
    @Test
    void shouldNotAbandonWhatHasBecomeABatch() throws Exception {
        ShardRig noInline = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
        Shard<String, String> there = noInline.shard();
        ShardWriter<String, String> writer = there.writer();
        BatchBuilder<String, String> builder = writer.batch(Frontier.MINIMUM).add(update("a", 0, 1));
        assertThatThrownBy(() -> builder.finish(Frontier.MINIMUM)).isInstanceOf(IllegalArgumentException.class);
        writer.appendBatch(builder.finish(Frontier.at(1)));
        assertThatThrownBy(builder::abandon).isInstanceOf(IllegalStateException.class);
        assertThat(contents(there.reader(), 0)).isEqualTo(Map.of("a", 1L));
    }

    /** A short batch is one compare-and-set and no object, as long as there is room in the state. */
    @Test
    void shouldKeepShortBatchesInTheState() {
        ShardRig little = new ShardRig(ShardConfig.builder().inlineTotalBytes(400));
        ShardWriter<String, String> writer = little.shard().writer();
        long version = little.shard().state().version();
        for (int i = 0; i < 3; i++) {
            writer.compareAndAppend(updates("a", i, i + 1), i, i + 1);
        }
        assertThat(little.shard().state().version()).isEqualTo(version + 3);
        assertThat(little.objects()).isZero();
        for (int i = 3; i < 30; i++) {
            writer.compareAndAppend(updates("a", i, i + 1), i, i + 1);
        }
        assertThat(little.objects()).isGreaterThan(10);
        assertThat(little.shard().state().inlineBytes()).isLessThan(600);
    }

    @Test
    void shouldRefuseOtherCodecs() {
        assertThatThrownBy(() -> rig.client().shard(ShardRig.ID, Codec.utf8(), Codec.bytes()))
                .isInstanceOf(CodecMismatchException.class)
                .hasMessageContaining("utf8 and utf8")
                .hasMessageContaining("utf8 and bytes");
        assertThatThrownBy(() -> rig.client().shard("S 1", Codec.utf8(), Codec.bytes()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(rig.client().ids()).containsExactly(ShardRig.ID);
    }

    @Test
    void shouldTellAWriterThatItsLeaseIsOver() {
        ShardWriter<String, String> writer = shard.writer();
        ShardWriter<String, String> lives = rig.shard().writer();
        rig.clock.advanceMs(3_000);
        lives.compareAndAppend(List.of(), 0, 1);
        assertThat(shard.expire()).isZero();
        rig.clock.advanceMs(2_000);
        assertThat(rig.shard().expire()).isEqualTo(1);
        assertThatThrownBy(() -> writer.compareAndAppend(List.of(), 1, 2)).isInstanceOf(LeaseExpiredException.class);
        assertThat(lives.compareAndAppend(List.of(), 1, 2)).isEqualTo(appended(2));
    }

    /** Only a writer that is heard of keeps its objects: so a batch of one that is gone may be swept. */
    @Test
    void shouldNotAppendABatchOfAWriterThatIsGone() throws Exception {
        ShardRig noInline = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
        Shard<String, String> there = noInline.shard();
        ShardWriter<String, String> gone = there.writer();
        ShardWriter<String, String> lives = there.writer();
        Batch batch = gone.batch(Frontier.MINIMUM).add(update("a", 0, 1)).finish(Frontier.at(1));
        assertThat(there.maintain().swept()).isZero();
        gone.close();
        assertThatThrownBy(() -> lives.appendBatch(batch)).isInstanceOf(LeaseExpiredException.class);
        assertThat(there.maintain().swept()).isEqualTo(1);
        assertThat(noInline.objects()).isZero();
        assertThat(lives.compareAndAppend(updates("b", 0, 1), 0, 1)).isEqualTo(appended(1));
        assertThat(there.maintain().swept()).isZero();
        try (Snapshot<String, String> snapshot = there.reader().snapshot(0, NOW)) {
            assertThat(snapshot.toList()).hasSize(1);
        }
    }
}
