package io.persist.store.core;

import io.persist.log.Durability;
import io.persist.log.engine.LogWriter;
import io.persist.store.state.StoreState;

/** Decides at the last moment whether changes become part of the store, and how their commit ends. */
public interface Committer {

    /** Whether they may be committed as the store is now. Under the store's lock. */
    boolean mayCommit(StoreState state);

    /** They are part of the store, whatever happens from now on. Under the store's lock. */
    default void accepted() {}

    /** Ends the commit of what was accepted, for whose {@code level} a thread will wait. Under the store's lock. */
    default void endCommit(LogWriter writer, Durability level) {
        writer.commitToAwait(level);
    }
}
