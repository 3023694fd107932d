package io.persist.memcached.cache;

import io.persist.memcached.item.Item;

/** One walk past all items, which removes the dead ones. One thread uses it. */
final class Sweep {

    private final Cache cache;
    private final Items.Walk walk;

    Sweep(Cache cache) {
        this.cache = cache;
        this.walk = cache.items().walk();
    }

    /** Some hundred items; returns false at the end. */
    boolean step() {
        return walk.step(this::visit);
    }

    private void visit(byte[] key, Item item) {
        if (cache.isDead(item)) {
            cache.removeDead(key);
        } else if (item.expiresAt() != Item.NEVER) {
            cache.sweepAgain();
        }
    }
}
