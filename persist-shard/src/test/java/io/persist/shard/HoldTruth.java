package io.persist.shard;

import io.persist.shard.SinceHandle.Outcome;
import io.persist.shard.SinceHandle.Status;
import io.persist.shard.error.LocationException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.CriticalState;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.StateBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A hold of since that all processes of the model test take over from each other, by tokens of which there are a few
 * only: so they often give the same one. Handles of processes that have stopped go on. What the hold was after each
 * version is written down, and has to be what the owners did and were told.
 */
final class HoldTruth {

    private static final String NAME = "hold";
    private static final int TOKENS = 4;

    private record Attempt(String owner, long expected, long token, Frontier since, Status told) {

        private boolean explains(CriticalState before, CriticalState after) {
            boolean mayTake = before.owner().equals(owner) || token != expected;
            Frontier greatest = Frontier.greatest(before.since(), since);
            return before.token() == expected && mayTake && after.equals(new CriticalState(greatest, token, owner));
        }

        private boolean isRefusedBy(CriticalState hold) {
            return hold.token() != expected
                    || token == expected && !hold.owner().equals(owner);
        }

        private boolean isFulfilledBy(CriticalState hold) {
            return hold.owner().equals(owner)
                    && hold.token() == token
                    && !hold.since().isBelow(since);
        }
    }

    private final SplittableRandom random;
    private final List<SinceHandle> handles = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();

    /** The hold after each version that has changed it; empty where it is not there. */
    private final List<Optional<CriticalState>> history = new ArrayList<>(List.of(Optional.empty()));

    private @Nullable ShardState newest;
    private int moved;

    HoldTruth(SplittableRandom random) {
        this.random = random;
    }

    int moved() {
        return moved;
    }

    /** {@code consensus}, whose versions are looked at when they are there. */
    Consensus watched(Consensus consensus) {
        return new ForwardingConsensus(consensus) {
            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                boolean isSet = super.compareAndSet(key, expected, next);
                if (isSet) {
                    newest = StateBytes.read(key, newest, next.data());
                    Optional<CriticalState> hold =
                            Optional.ofNullable(newest.criticals().get(NAME));
                    if (!hold.equals(last())) {
                        history.add(hold);
                    }
                }
                return isSet;
            }

            @Override
            public void close() {
                consensus.close();
            }
        };
    }

    private Optional<CriticalState> last() {
        return history.get(history.size() - 1);
    }

    /** Tries to take or to keep the hold, mostly by the token that is there now, and to move it forward. */
    void move(Shard<String, String> shard) {
        if (handles.isEmpty() || random.nextInt(4) == 0) {
            handles.add(shard.since(NAME));
        }
        SinceHandle handle = handles.get(random.nextInt(handles.size()));
        if (random.nextInt(10) == 0) {
            removeByNoOwner(handle);
            return;
        }
        long expected = random.nextInt(3) == 0 ? random.nextInt(TOKENS) : handle.token();
        long token = random.nextInt(3) == 0 ? expected : random.nextInt(TOKENS);
        Frontier since = Frontier.at(Math.max(0, shard.upper().time() - random.nextInt(10)));
        int known = history.size() - 1;
        Attempt open = new Attempt(handle.owner(), expected, token, since, Status.MOVED);
        attempts.add(open); // before the call: others may have their turn in it
        Outcome outcome;
        try {
            outcome = handle.compareAndDowngradeSince(expected, token, since);
        } catch (LocationException unknown) {
            return;
        }
        Attempt told = new Attempt(handle.owner(), expected, token, since, outcome.status());
        attempts.set(attempts.indexOf(open), told);
        checkMeanwhile(known, told.told() == Status.MOVED ? told::isFulfilledBy : told::isRefusedBy, told);
        moved += told.told() == Status.MOVED ? 1 : 0;
        Frontier ofShard = shard.since();
        Frontier held = handle.since();
        if (held.isBelow(ofShard)) {
            throw new AssertionError("since=" + ofShard + " is behind the hold's " + held);
        }
    }

    /** What a process does that ends and does not know that others have gone on. */
    private void removeByNoOwner(SinceHandle handle) {
        if (last().filter(hold -> hold.owner().equals(handle.owner())).isPresent()) {
            return;
        }
        int known = history.size() - 1;
        handles.remove(handle); // others that have their turn in the call would become the owner by it
        if (handle.remove().status() != Status.FENCED) {
            throw new AssertionError("not the owner, and not fenced: " + history.subList(known, history.size()));
        }
        handles.add(handle);
    }

    /** One of the holds that were there during a call was so. */
    private void checkMeanwhile(int known, Predicate<CriticalState> isSo, Attempt told) {
        List<Optional<CriticalState>> meanwhile = history.subList(known, history.size());
        if (meanwhile.stream().flatMap(Optional::stream).noneMatch(isSo)) {
            throw new AssertionError(told + ", and the hold was " + meanwhile);
        }
    }

    /**
     * Whether the attempts explain what the hold was; then it is removed, so that others can end the shard. If outcomes
     * were unknown, a move that was tried again may have happened the first time and be called fenced, because another
     * one has come in between.
     */
    void check(Shard<String, String> shard, int unknown) {
        SinceHandle handle = shard.since(NAME);
        for (int i = 2; i < history.size(); i++) { // behind that there is one, and that it is there
            checkExplained(history.get(i - 1).orElseThrow(), history.get(i).orElseThrow(), unknown);
        }
        if (handle.remove().status() != Status.FENCED) {
            throw new AssertionError("removed by who is not the owner");
        }
        long token = handle.token();
        Outcome taken = handle.compareAndDowngradeSince(token, token + 1, Frontier.MINIMUM);
        if (taken.status() != Status.MOVED || handle.remove().status() != Status.GONE || handle.token() != 0) {
            throw new AssertionError("the hold cannot be removed");
        }
    }

    private void checkExplained(CriticalState before, CriticalState after, int unknown) {
        for (Attempt attempt : attempts) {
            boolean mayHappen = attempt.told() == Status.MOVED || unknown > 0;
            if (mayHappen && attempt.explains(before, after)) {
                return;
            }
        }
        throw new AssertionError("nobody has made " + after + " of " + before);
    }
}
