package io.persist.shard.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.model.Frontier;
import io.persist.support.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which objects are needless, and what it costs to ask. */
class CollectionTest {

    private static final int MANY = 20_000;

    private static BatchPart object(String name) {
        return new BatchPart(name, null, 100, 1, 50, 0);
    }

    private static BatchState batch(long time, List<BatchPart> run) {
        return new BatchState(Frontier.at(time), Frontier.at(time + 1), Frontier.MINIMUM, List.of(run));
    }

    private static ShardState state(List<BatchState> batches) {
        return ShardState.create("s1", "k", "v").withUpper(Frontier.at(batches.size()), batches);
    }

    /** A long run, a part in the state, and a batch of one object. */
    private static ShardState largeState() {
        List<BatchPart> run = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            run.add(object("s1/w1/p" + i));
        }
        BatchPart inline = new BatchPart(null, new byte[7], 7, 1, 7, 0);
        return state(List.of(batch(0, run), batch(1, List.of(inline)), batch(2, List.of(object("s1/w1/newest")))));
    }

    @Test
    void shouldFindWhatNobodyNamesOrOwns() {
        ShardState state = state(List.of(batch(0, List.of(object("a"), object("b"))), batch(1, List.of(object("c")))))
                .withGarbage(garbage -> garbage.put("d", 1L));
        List<String> listed = List.of("f", "a", "b", "owned", "c", "d", "e");
        assertThat(Collection.orphans(state, listed, "owned"::equals)).containsExactly("f", "e");
        assertThat(Collection.orphans(state, List.of("c", "a"), any -> false)).isEmpty();
        assertThat(Collection.named(state)).containsExactlyInAnyOrder("a", "b", "c");
    }

    /** Each append asks whether what it has made is needless, and how much room there is in the state. */
    @Test
    void shouldNotCostAnAppendMoreInALargeShard() {
        ShardState state = largeState();
        List<String> mine = List.of("s1/w1/newest");
        assertThat(Collection.orphans(state, mine, any -> false)).isEmpty();
        assertThat(state.inlineBytes()).isEqualTo(7);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < Allocation.TRIES; i++) {
            long bytes = Allocation.in(10, () -> {
                Collection.orphans(state, mine, any -> false);
                state.inlineBytes();
            });
            least = Math.min(least, bytes);
        }
        assertThat(least).as("bytes allocated in 10 calls, of %d objects", MANY).isLessThan(MANY);
    }

    @Test
    void shouldFindAnObjectOfALongRun() {
        ShardState state = largeState();
        assertThat(Collection.orphans(state, List.of("s1/w1/p17", "s1/w1/other"), any -> false))
                .containsExactly("s1/w1/other");
        assertThat(state.batches().get(0).updates()).isEqualTo(MANY);
    }
}
