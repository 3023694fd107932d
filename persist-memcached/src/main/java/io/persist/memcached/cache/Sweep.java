package io.persist.memcached.cache;

import io.persist.memcached.item.Item;

/** One walk past all items, which removes the dead ones. One thread uses it. */
final class Sweep {

    private final Cache cache;
    private final Items.Walk walk;
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
        return walk.step(this::visit);
    }

    /** Whether more than a quarter of the items of the last step were dead. */
    boolean foundMany() {
        return 4 * dead > seen;
    }

    private void visit(byte[] key, Item item) {
        seen++;
        if (cache.isDead(item)) {
            dead++;
            cache.removeDead(key);
        } else if (item.expiresAt() != Item.NEVER) {
            cache.sweepDemand().add();
        }
    }
}
