package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.NOW;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.Holders;
import io.persist.shard.upkeep.ShardUpkeep;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The consensus goes back to an older copy while clients run, and others write in the place of what is lost. */
class ShardGoneBackTest {

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
    private final Shard<String, String> shard = rig.shard();

    ShardGoneBackTest() {
        shard.writer().compareAndAppend(updates("a", 0, 3), 0, 3);
    }

    /** A consensus in whose place another one comes. */
    private static final class GoingBack extends ForwardingConsensus {

        private Consensus now;
        private int attempts;

        private GoingBack(Consensus now) {
            super(now);
            this.now = now;
        }

        @Override
        public boolean compareAndSet(String key, long expected, Version next) {
            if (++attempts > 100) {
                throw new AssertionError("it tries for ever");
            }
            return now.compareAndSet(key, expected, next);
        }

        @Override
        public Version head(String key) {
            return now.head(key);
        }

        @Override
        public List<Version> scan(String key, long from, int limit) {
            return now.scan(key, from, limit);
        }

        @Override
        public int truncate(String key, long number) {
            return now.truncate(key, number);
        }

        @Override
        public void close() {}
    }

    /** A copy from before the last {@code count} versions. */
    private MemConsensus olderBy(int count) {
        return copy(rig.consensus, rig.consensus.head(ID).number() - count);
    }

    /** A copy of the versions up to the number {@code last}. */
    private static MemConsensus copy(Consensus consensus, long last) {
        MemConsensus copy = new MemConsensus();
        long before = Consensus.NONE;
        for (Version version : consensus.scan(ID, 0, 100)) {
            if (version.number() <= last) {
                copy.compareAndSet(ID, before, version);
                before = version.number();
            }
        }
        return copy;
    }

    /**
     * Others come in the place of two lost versions, and one behind: that one belongs to a state that a client from
     * before does not know. To it an object of the others would be left over.
     */
    @ParameterizedTest
    @ValueSource(ints = {128, 1}) // with changes, and whole
    void shouldNoticeThatOthersHaveWrittenSinceTheConsensusHasGoneBack(int rollupEvery) throws Exception {
        GoingBack goesBack = new GoingBack(rig.consensus);
        Shard<String, String> known =
                ShardClient.open(rig.blob, goesBack, rig.config).shard(ID, Codec.utf8(), Codec.utf8());
        ShardListener<String, String> listener = known.reader().listen(2);
        ShardWriter<String, String> writer = known.writer();
        writer.compareAndAppend(updates("a", 3, 4), 3, 4);
        writer.compareAndAppend(updates("a", 4, 5), 4, 5);
        ShardRig.events(listener, Frontier.at(5));
        long last = known.state().version();

        MemConsensus older = olderBy(2);
        goesBack.now = older;
        ShardConfig config = ShardConfig.builder()
                .inlineBatchBytes(0)
                .rollupEvery(rollupEvery)
                .clock(rig.clock)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .build();
        Shard<String, String> anew = ShardClient.open(rig.blob, older, config).shard(ID, Codec.utf8(), Codec.utf8());
        ShardWriter<String, String> other = anew.writer();
        while (anew.state().version() <= last) {
            Frontier upper = anew.upper();
            other.compareAndAppend(updates("b", upper.time(), upper.time() + 1), upper.time(), upper.time() + 1);
        }
        assertThat(anew.state().version()).isEqualTo(last + 1);

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> listener.poll(NOW),
                known::maintain,
                () -> writer.append(updates("a", 5, 6), 5, 6),
                () -> known.reader().snapshot(4, NOW))) {
            assertThatThrownBy(call)
                    .isInstanceOf(DamagedShardException.class)
                    .hasMessageContaining("the consensus has lost version " + last);
        }
        for (String object : objectsOf(anew)) {
            assertThat(rig.blob.get(object)).as(object).isNotNull();
        }
    }

    /**
     * As many versions of others as were lost: only their bytes tell. A client from before can write one more; that
     * one follows a version that is not there.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDeleteNothingOfOthersWhoHaveWrittenAsMuchAsWasLost(boolean writes) throws Exception {
        GoingBack goesBack = new GoingBack(rig.consensus);
        Shard<String, String> known =
                ShardClient.open(rig.blob, goesBack, rig.config).shard(ID, Codec.utf8(), Codec.utf8());
        ShardWriter<String, String> writer = known.writer();
        writer.compareAndAppend(updates("a", 3, 4), 3, 4);
        writer.compareAndAppend(updates("a", 4, 5), 4, 5);
        long last = known.state().version();

        MemConsensus older = olderBy(2);
        goesBack.now = older;
        Shard<String, String> other =
                ShardClient.open(rig.blob, older, rig.config).shard(ID, Codec.utf8(), Codec.utf8());
        other.writer().compareAndAppend(updates("b", 3, 4), 3, 4);
        assertThat(older.head(ID).number())
                .as("the writer, and what it appended")
                .isEqualTo(last);
        List<String> theirs = objectsOf(other);

        String why = "the consensus has lost version " + last;
        if (writes) {
            writer.compareAndAppend(updates("a", 5, 6), 5, 6);
            why = "version " + (last + 1) + " does not follow version " + last + " that is there";
            for (ThrowingCallable anew : List.<ThrowingCallable>of(
                    () -> ShardClient.open(rig.blob, older, rig.config).shard(ID, Codec.utf8(), Codec.utf8()),
                    other::upper)) {
                assertThatThrownBy(anew)
                        .isInstanceOf(DamagedShardException.class)
                        .hasMessageContaining(why)
                        .hasMessageContaining("take version " + (last + 1) + " and those above it out");
            }
        }
        long head = older.head(ID).number();
        for (int i = 0; i < 2; i++) {
            rig.clock.advanceMs(2_000); // a renewal is due
            assertThatThrownBy(known::maintain)
                    .isInstanceOf(DamagedShardException.class)
                    .hasMessageContaining(why);
        }
        assertThat(theirs)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(rig.blob.get(name)).isNotNull());
        if (writes) { // what docs/shards.md says is a way on
            Shard<String, String> cut =
                    ShardClient.open(rig.blob, copy(older, last), rig.config).shard(ID, Codec.utf8(), Codec.utf8());
            assertThat(ShardRig.contents(cut.reader(), 3)).containsEntry("b", 1L);
        } else {
            assertThat(older.head(ID).number())
                    .as("nothing follows what is lost")
                    .isEqualTo(head);
            assertThat(other.upper()).isEqualTo(Frontier.at(4));
        }
    }

    /** Their last whole version is another one: what lies below the one that is known here is all that they have. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void shouldTruncateNothingOfOthers(int theirAppends) {
        GoingBack goesBack = new GoingBack(rig.consensus);
        ShardMachine machine = machine(goesBack, 4);
        for (int i = 0; i < 8; i++) {
            machine.apply(state -> Holders.addWriter(state, OpenShard.newId('w'), 1_000_000, rig.clock.millis()));
        }
        MemConsensus older = olderBy(6);
        assertThat(machine.whole()).isGreaterThan(older.head(ID).number());
        goesBack.now = older; // before upkeep has truncated
        Shard<String, String> other =
                ShardClient.open(rig.blob, older, rig.config).shard(ID, Codec.utf8(), Codec.utf8());
        ShardWriter<String, String> writer = other.writer();
        for (int time = 3; time < 3 + theirAppends; time++) {
            writer.compareAndAppend(updates("b", time, time + 1), time, time + 1);
        }
        int versions = older.scan(ID, 0, 100).size();

        ShardUpkeep upkeep = new ShardUpkeep(machine, new PartStore(rig.blob, ID, Duration.ZERO), rig.config);
        assertThatThrownBy(upkeep::routine)
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining(
                        "the consensus has lost version " + machine.known().version());
        assertThat(older.scan(ID, 0, 100)).hasSize(versions);
        assertThat(machine(older, 128).known().upper()).isEqualTo(Frontier.at(3 + theirAppends));
    }

    private ShardMachine machine(Consensus consensus, int rollupEvery) {
        PartStore store = new PartStore(rig.blob, ID, Duration.ZERO);
        return ShardMachine.open(consensus, store, "utf8", "utf8", rollupEvery, Duration.ZERO);
    }

    private static List<String> objectsOf(Shard<String, String> shard) {
        return shard.state().batches().stream()
                .flatMap(batch -> batch.objects().stream())
                .toList();
    }

    /** It loses to a version that it never sees. */
    @Test
    void shouldNotTryForEverIfTheConsensusHasGoneBack() {
        GoingBack goesBack = new GoingBack(rig.consensus);
        ShardWriter<String, String> writer = ShardClient.open(rig.blob, goesBack, rig.config)
                .shard(ID, Codec.utf8(), Codec.utf8())
                .writer();
        writer.compareAndAppend(updates("a", 3, 4), 3, 4);
        long last = shard.state().version();
        goesBack.now = olderBy(1);
        assertThatThrownBy(() -> writer.compareAndAppend(updates("a", 4, 5), 4, 5))
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("the consensus has lost version " + last);
    }
}
