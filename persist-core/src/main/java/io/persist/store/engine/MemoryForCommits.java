package io.persist.store.engine;

import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.CommitListener;
import io.persist.store.core.StoreCore;
import io.persist.store.upkeep.Upkeep;

/**
 * Has a commit that finds no memory for its changes write a checkpoint: nodes that had changed can give their memory up
 * then.
 *
 * <p><b>Threads:</b> any.
 */
final class MemoryForCommits implements CommitListener {

    private final StoreCore core;
    private final Checkpointer checkpointer;
    private final Upkeep upkeep;

    /** Has {@code upkeep} write the checkpoints, and told of commits. */
    MemoryForCommits(StoreCore core, Checkpointer checkpointer, Upkeep upkeep) {
        this.core = core;
        this.checkpointer = checkpointer;
        this.upkeep = upkeep;
    }

    @Override
    public void committed(long end) {
        upkeep.committed(end);
    }

    @Override
    public boolean freeMemory() {
        core.state().index().addSpare();
        try {
            boolean freesMemory = core.ask(checkpointer::freesMemory);
            upkeep.checkpoint(); // behind one that is being written, and what the index has yet to get
            return freesMemory;
        } catch (RuntimeException e) {
            return false; // the statistics have it, if it was begun
        }
    }
}
