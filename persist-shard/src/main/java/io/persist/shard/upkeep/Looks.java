package io.persist.shard.upkeep;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When upkeep asks for the newest state of a shard: who has no handle is told none by anything else. While there is
 * news that is each time, else more and more seldom. One thread.
 */
final class Looks {

    /** Less than upkeep pauses. */
    private static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(900);

    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private long version;
    private long sinceNs;
    private long pauseNs = SHORTEST_NS;

    /** The first one is due soon, if there is no news; {@code nanoTime} says when that is. */
    Looks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.sinceNs = nanoTime.getAsLong();
    }

    /** Whether it is time for one, if this is the newest version that is known by now. */
    boolean isDue(long known) {
        if (known != version) { // by what this process has done itself, or has waited for
            note(known);
        }
        return nanoTime.getAsLong() - sinceNs >= pauseNs;
    }

    /** One has found this version. */
    void note(long found) {
        pauseNs = found == version ? Math.min(LONGEST_NS, 2 * pauseNs) : SHORTEST_NS;
        version = found;
        sinceNs = nanoTime.getAsLong();
    }
}
