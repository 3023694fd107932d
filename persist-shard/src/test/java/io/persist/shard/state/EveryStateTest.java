package io.persist.shard.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.model.Frontier;
import io.persist.support.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Every state that two writers, two readers, a critical hold, merges and collection reach with three times, in a few
 * steps: what has to be true of each state and of each step is.
 */
class EveryStateTest {

    private static final int DEPTH = Seeds.isNightly() ? 7 : 5;
    private static final int MOST = Seeds.isNightly() ? 2_000_000 : 60_000;
    private static final List<Frontier> FRONTIERS =
            List.of(Frontier.MINIMUM, Frontier.at(1), Frontier.at(2), Frontier.EMPTY);
    private static final long LEASE_MS = 100;

    private record Move(String what, Function<ShardState, Step<?>> step) {}

    private record Reached(ShardState state, int depth, String how) {}

    private static BatchState batch(Frontier lower, Frontier upper, String object) {
        return new BatchState(lower, upper, Frontier.MINIMUM, List.of(List.of(part(object))));
    }

    private static BatchPart part(String object) {
        UUID id = UUID.nameUUIDFromBytes(object.getBytes(StandardCharsets.UTF_8));
        return new BatchPart("s/w/p" + id, null, 9, 3, 4, 7);
    }

    private static List<Move> moves() {
        List<Move> moves = new ArrayList<>();
        for (String writer : List.of("w1", "w2")) {
            long nowMs = writer.equals("w1") ? 0 : 50;
            moves.add(new Move("add " + writer, state -> Holders.addWriter(state, writer, LEASE_MS, nowMs)));
            moves.add(new Move("remove " + writer, state -> Holders.removeWriter(state, writer)));
            moves.add(new Move("leave " + writer, state -> Holders.leaveWriter(state, writer)));
            for (Frontier lower : FRONTIERS) {
                for (Frontier upper : FRONTIERS) {
                    BatchState batch = batch(lower, upper, writer + lower + upper);
                    Appends.Wish wish = new Appends.Wish(writer, "w1", "t" + lower + upper, batch, nowMs);
                    moves.add(new Move("append " + wish, state -> Appends.append(state, wish)));
                }
            }
        }
        for (String reader : List.of("r1", "r2")) {
            long nowMs = reader.equals("r1") ? 0 : 50;
            moves.add(new Move(
                    "add " + reader, state -> Holders.addReader(state, reader, Frontier.MINIMUM, LEASE_MS, nowMs)));
            moves.add(new Move("remove " + reader, state -> Holders.removeReader(state, reader)));
            for (Frontier since : FRONTIERS) {
                moves.add(new Move(
                        "move " + reader + since,
                        state -> Holders.moveReader(state, reader, since, state.version(), nowMs)));
            }
        }
        moves.add(new Move("add c", state -> Holders.addCritical(state, "c")));
        for (String owner : List.of("o1", "o2")) {
            moves.add(new Move(
                    "take c " + owner, state -> Holders.moveCritical(state, "c", owner, 0, 1, Frontier.at(1))));
            moves.add(new Move(
                    "stay c " + owner, state -> Holders.moveCritical(state, "c", owner, 1, 1, Frontier.at(2))));
        }
        moves.add(new Move("remove c o1", state -> Holders.removeCritical(state, "c", "o1")));
        moves.add(new Move("fenced c", state -> Holders.moveCritical(state, "c", "o1", 2, 3, Frontier.EMPTY)));
        moves.add(new Move("expire", state -> Holders.expire(state, 120)));
        moves.add(new Move("merge", EveryStateTest::merge));
        moves.add(new Move("forget", state -> Merges.forget(state, Collection.deletable(state))));
        return moves;
    }

    private static Step<Boolean> merge(ShardState state) {
        if (state.batches().size() < 2 || state.since().isEmpty()) {
            return new Step<>(state, false);
        }
        List<BatchState> inputs = List.copyOf(state.batches().subList(0, 2));
        BatchState merged = new BatchState(
                inputs.get(0).lower(),
                inputs.get(1).upper(),
                state.since(),
                List.of(List.of(part("m" + inputs.get(1).upper()))));
        return Merges.replace(state, inputs, merged, "w1");
    }

    @Test
    void shouldBeSoundInEveryState() {
        Map<ShardState, Reached> seen = new HashMap<>();
        Deque<Reached> open = new ArrayDeque<>();
        List<Move> moves = moves();
        ShardState first = ShardState.create("s", "k", "v");
        open.add(new Reached(first, 0, ""));
        open.add(new Reached(busy(first, moves), 1, " all are there"));
        Set<String> effective = new TreeSet<>();
        int steps = 0;
        while (!open.isEmpty() && seen.size() < MOST) {
            Reached reached = open.poll();
            for (Move move : moves) {
                Step<?> step = move.step().apply(reached.state());
                steps++;
                if (!step.isChangeOf(reached.state())) {
                    continue;
                }
                effective.add(move.what());
                ShardState next = step.next().numbered(reached.state().version() + 1);
                String how = reached.how() + "; " + move.what();
                try {
                    checkStep(reached.state(), next, move.what());
                    checkState(next);
                    checkBytes(reached.state(), next);
                } catch (AssertionError failed) {
                    throw new AssertionError("after" + how + ": " + failed.getMessage(), failed);
                }
                Reached found = new Reached(next, reached.depth() + 1, how);
                if (found.depth() < DEPTH && seen.putIfAbsent(next, found) == null) {
                    open.add(found);
                }
            }
        }
        System.out.println("EveryStateTest: " + seen.size() + " states, " + steps + " steps");
        assertThat(seen.size()).isGreaterThan(2_000);
        assertThat(effective)
                .contains("merge", "forget", "expire", "take c o1", "take c o2", "stay c o1", "remove c o1", "leave w1")
                .doesNotContain("fenced c");
    }

    private static ShardState busy(ShardState first, List<Move> moves) {
        ShardState state = first;
        for (String what : List.of("add w1", "add w2", "add r1", "add c")) {
            for (Move move : moves) {
                if (move.what().equals(what)) {
                    state = move.step().apply(state).next().numbered(state.version() + 1);
                }
            }
        }
        return state;
    }

    private static void check(boolean isSo, String what) {
        if (!isSo) {
            throw new AssertionError(what);
        }
    }

    private static void checkStep(ShardState before, ShardState after, String what) {
        check(!after.since().isBelow(before.since()), "since goes back");
        check(!after.upper().isBelow(before.upper()), "upper goes back");
        check(!after.numbered(before.version()).equals(before), "a version with nothing new");
        Set<String> lost = new HashSet<>(objects(before));
        lost.addAll(before.garbage().keySet());
        lost.removeAll(objects(after));
        lost.removeAll(after.garbage().keySet());
        if (what.equals("forget")) {
            lost.removeIf(object -> before.garbage().get(object) <= before.leastHold());
        }
        check(lost.isEmpty(), "objects that nobody will delete, or that were deleted too early: " + lost);
        before.readers().forEach((id, reader) -> {
            ReaderState later = after.readers().get(id);
            check(later == null || later.hold() >= reader.hold(), "a hold goes back");
        });
        before.criticals().forEach((name, critical) -> {
            CriticalState later = after.criticals().get(name);
            boolean isFair = later == null && critical.owner().equals("o1")
                    || later != null
                            && (later.owner().equals(critical.owner())
                                    || later.owner().equals(critical.owner())
                                    || later.token() != critical.token() && what.endsWith(later.owner()));
            check(isFair, "a hold is gone without its owner, or is another's, and its token is the same");
        });
    }

    private static List<String> objects(ShardState state) {
        return state.batches().stream()
                .flatMap(batch -> batch.objects().stream())
                .toList();
    }

    private static void checkState(ShardState state) {
        Frontier end = Frontier.MINIMUM;
        for (BatchState batch : state.batches()) {
            check(batch.lower().equals(end) && end.isBelow(batch.upper()), "batches are not contiguous");
            check(!state.since().isBelow(batch.since()), "a batch is compacted beyond since");
            end = batch.upper();
        }
        if (state.since().isEmpty()) {
            check(objects(state).isEmpty(), "objects that nobody can read");
        } else {
            check(end.equals(state.upper()), "batches do not reach upper");
        }
        check(Collections.disjoint(objects(state), state.garbage().keySet()), "garbage that is in use");
        state.readers().values().forEach(reader -> {
            check(!reader.since().isBelow(state.since()), "since is beyond a reader's");
            check(reader.hold() <= state.version(), "a hold of the future");
        });
        state.criticals()
                .values()
                .forEach(critical -> check(!critical.since().isBelow(state.since()), "since is beyond a critical one"));
        check(state.isTombstone() == (state.since().isEmpty() && state.upper().isEmpty()), "a tombstone");
    }

    private static void checkBytes(ShardState before, ShardState after) {
        byte[] changes = StateBytes.changes(before, after, 1, 7);
        check(StateBytes.read("s", before, changes).equals(after), "the changes give another state");
        check(StateBytes.read("s", null, StateBytes.whole(after, 7)).equals(after), "a whole one gives another state");
    }
}
