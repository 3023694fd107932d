package io.persist.shard;

import io.persist.shard.SinceHandle.Outcome;
import io.persist.shard.SinceHandle.Status;
import io.persist.shard.error.LocationException;
import io.persist.shard.model.Frontier;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A hold of since that all processes of the model test take over from each other. Each attempt has a token that no
 * other has, so that what has happened is the chain of tokens that leads from the last one back to none.
 */
final class HoldTruth {

    private static final String NAME = "hold";

    private enum Told {
        NOTHING,
        MOVED,
        FENCED
    }

    private record Attempt(long expected, long token, Frontier since, Told told) {}

    private final SplittableRandom random;
    private final Map<Long, Attempt> attempts = new HashMap<>();
    private int moved;

    HoldTruth(SplittableRandom random) {
        this.random = random;
    }

    int moved() {
        return moved;
    }

    /** Tries to take the hold over by the token that is there now, or by an older one, and to move it forward. */
    void move(Shard<String, String> shard) {
        SinceHandle handle = shard.since(NAME);
        long expected = random.nextInt(3) == 0 ? random.nextInt(attempts.size() + 1) : handle.token();
        Frontier upper = shard.upper();
        Frontier since = Frontier.at(Math.max(0, upper.time() - random.nextInt(10)));
        long token = attempts.size() + 1L;
        attempts.put(token, new Attempt(expected, token, since, Told.NOTHING));
        Outcome outcome;
        try {
            outcome = handle.compareAndDowngradeSince(expected, token, since);
        } catch (LocationException unknown) {
            return;
        }
        boolean isMoved = outcome.status() == Status.MOVED;
        attempts.put(token, new Attempt(expected, token, since, isMoved ? Told.MOVED : Told.FENCED));
        moved += isMoved ? 1 : 0;
        Frontier ofShard = shard.since();
        Frontier held = handle.since();
        if (held.isBelow(ofShard)) {
            throw new AssertionError("since=" + ofShard + " is behind the hold's " + held);
        }
    }

    /**
     * Whether one chain explains what all were told; then the hold is removed, so that others can end the shard. If
     * outcomes were unknown, a move that was tried again may have happened the first time and be called fenced, because
     * another one has come in between.
     */
    void check(Shard<String, String> shard, int unknown) {
        SinceHandle handle = shard.since(NAME);
        Map<Long, Attempt> others = new HashMap<>(attempts);
        Frontier least = Frontier.MINIMUM;
        long token = handle.token();
        while (token != 0) {
            Attempt attempt = others.remove(token);
            if (attempt == null || unknown == 0 && attempt.told() == Told.FENCED) {
                throw new AssertionError("token=" + token + " is there, and nobody has put it there: " + attempt);
            }
            least = Frontier.greatest(least, attempt.since());
            token = attempt.expected();
        }
        for (Attempt attempt : others.values()) {
            if (attempt.told() == Told.MOVED) {
                throw new AssertionError(attempt + " was acknowledged, and others have gone on without it");
            }
        }
        if (handle.since().isBelow(least)) {
            throw new AssertionError("since=" + handle.since() + " of the hold is below " + least);
        }
        if (!handle.remove() || handle.token() != 0) {
            throw new AssertionError("the hold cannot be removed");
        }
    }
}
