package io.persist.store;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Workspaces that nobody uses at the moment. There are as many as operations were under way at once, but no more than
 * {@value #SLOTS} are kept: so the memory does not depend on how many threads there are, or ever were.
 *
 * <p>A thread looks at its own slot first, so threads seldom meet. {@link #giveBack} releases what the next {@link
 * #take} of the same slot acquires.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none while no more than {@value #SLOTS} are used at once, and there were
 * as many before.
 */
final class WorkspacePool {

    /** A power of 2. */
    static final int SLOTS = 64;

    private final StoreCore core;
    private final AtomicReferenceArray<@Nullable Workspace> slots = new AtomicReferenceArray<>(SLOTS);

    WorkspacePool(StoreCore core) {
        this.core = core;
    }

    /** A workspace for the calling thread alone, until it gives it back. */
    Workspace take() {
        int first = firstSlot();
        for (int i = 0; i < SLOTS; i++) {
            int slot = first + i & SLOTS - 1;
            if (slots.getPlain(slot) != null) {
                Workspace workspace = slots.getAndSet(slot, null);
                if (workspace != null) {
                    return workspace;
                }
            }
        }
        return new Workspace(core);
    }

    void giveBack(Workspace workspace) {
        put(workspace);
        if (core.isShut()) {
            leaveSegments(); // the store did that without this one
        }
    }

    private void put(Workspace workspace) {
        workspace.rest();
        int first = firstSlot();
        for (int i = 0; i < SLOTS; i++) {
            int slot = first + i & SLOTS - 1;
            if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, workspace)) {
                return;
            }
        }
        workspace.leave(); // more were used at once than are kept
    }

    /** Numbers of threads that begin one after the other come to lie apart. */
    private static int firstSlot() {
        return (int) Thread.currentThread().getId() * 0x9E37_79B1 >>> Integer.SIZE - 6;
    }

    /** Has those that nobody uses let go of the segments in which they read last. */
    void leaveSegments() {
        for (int slot = 0; slot < SLOTS; slot++) {
            Workspace workspace = slots.getAndSet(slot, null);
            if (workspace != null) {
                workspace.leave();
                put(workspace);
            }
        }
    }
}
