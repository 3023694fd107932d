package io.persist.index;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.index.read.OptimisticLookup;

/** A lookup without the lock by a thread that is held up right before it looks: something else comes first. */
public final class LateLookup extends OptimisticLookup {

    private Runnable first = () -> {};

    public LateLookup(KeyIndex index) {
        super(index.memory().liveView());
    }

    /** Does {@code something} before the next look. */
    public void before(Runnable something) {
        first = something;
    }

    @Override
    public Answer look(KeyBuffer key, Location found) {
        Runnable now = first;
        first = () -> {};
        now.run();
        return super.look(key, found);
    }
}
