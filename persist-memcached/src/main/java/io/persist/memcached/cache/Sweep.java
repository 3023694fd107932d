package io.persist.memcached.cache;

import io.persist.memcached.item.Item;
import java.util.ArrayList;
import java.util.List;

/**
 * One walk past all items, which removes the dead ones: those with no other between them at once, so that what has
 * expired finds space for its removals also on a full disk. One thread uses it.
 */
final class Sweep {

    private final Cache cache;
    private final Items.Walk walk;
    private final List<byte[]> run = new ArrayList<>(); // dead ones, with no other between them
    private int seen; // in the last step
    private int dead;

    Sweep(Cache cache) {
        this.cache = cache;
        this.walk = cache.items().walk();
    }

    /** Some hundred items; returns false at the end. */
    boolean step() {
        seen = 0;
        dead = 0;
        boolean more = walk.step(this::visit);
        removeRun();
        return more;
    }

    /** Whether more than a quarter of the items of the last step were dead. */
    boolean foundMany() {
        return 4 * dead > seen;
    }

    private void visit(byte[] key, Item item) {
        seen++;
        if (cache.isDead(item)) {
            dead++;
            run.add(key);
            return;
        }
        removeRun();
        if (item.expiresAt() != Item.NEVER) {
            cache.sweepDemand().add();
        }
    }

    private void removeRun() {
        boolean isRemoved = run.size() > 1 && cache.removeDeadRun(run.get(0), run.get(run.size() - 1));
        if (!isRemoved) {
            run.forEach(cache::removeDead);
        }
        run.clear();
    }
}
