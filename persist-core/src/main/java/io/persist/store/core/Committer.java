package io.persist.store.core;

import io.persist.store.state.StoreState;

/** Decides at the last moment whether changes become part of the store. */
public interface Committer {

    /** Whether they may be committed as the store is now. Under the store's lock. */
    boolean mayCommit(StoreState state);

    /** They are part of the store, whatever happens from now on. Under the store's lock. */
    default void accepted() {}
}
