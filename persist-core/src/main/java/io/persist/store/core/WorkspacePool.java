package io.persist.store.core;

import io.persist.codec.Pool;

/**
 * Workspaces that are not in use at the moment. There are as many as operations were under way at once, but at most
 * {@value #SLOTS} are kept: so the memory does not depend on the number of threads.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none while no more than {@value #SLOTS} are used at once, and there were
 * as many before.
 */
public final class WorkspacePool {

    static final int SLOTS = 64;

    private final StoreCore core;
    private final Pool<Workspace> pool;

    /** Starts empty; workspaces are made as they are needed. */
    public WorkspacePool(StoreCore core, Lookups lookups) {
        this.core = core;
        this.pool = new Pool<>(() -> new Workspace(core, lookups, this), SLOTS);
    }

    /** A workspace for the calling thread alone, until it closes it. */
    public Workspace take() {
        return pool.take();
    }

    /** Keeps {@code workspace} for the next operation, if there is room. */
    void giveBack(Workspace workspace) {
        workspace.endUse();
        if (!pool.giveBack(workspace)) {
            workspace.leave(); // more were used at once than are kept
        }
        if (core.isClosed()) {
            leaveSegments(); // the store did that without this one
        }
    }

    /** Has unused workspaces let go of the segments in which they read last. */
    public void leaveSegments() {
        pool.forEachKept(Workspace::leave);
    }
}
