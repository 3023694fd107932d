package io.persist.store;

import io.persist.log.Durability;
import org.jspecify.annotations.Nullable;

/**
 * Operations on one key, or on one range of keys, each of which is a transaction of its own, whether or not the thread
 * has one open.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none but when more threads are at it than ever before.
 */
public final class SingleOperations {

    private final StoreCore core;
    private final WorkspacePool workspaces;

    SingleOperations(StoreCore core, WorkspacePool workspaces) {
        this.core = core;
        this.workspaces = workspaces;
    }

    /** The level that the configuration asks for. */
    public Durability durability() {
        return core.config().log().durability();
    }

    /** Whether there is the key. */
    public boolean contains(byte[] key) {
        Workspace workspace = workspaces.take();
        try {
            return workspace.contains(key);
        } finally {
            workspaces.giveBack(workspace);
        }
    }

    /** A neighbour of {@code key}, with its value of the same moment; null if there is none. */
    public @Nullable StoreEntry neighbour(byte[] key, Neighbour which) {
        Workspace workspace = workspaces.take();
        try {
            return workspace.neighbour(key, which);
        } finally {
            workspaces.giveBack(workspace);
        }
    }

    /** Puts; returns the position right after it. */
    public long put(byte[] key, byte[] value, Durability level) {
        Workspace workspace = workspaces.take();
        try {
            return workspace.put(key, value, level);
        } finally {
            workspaces.giveBack(workspace);
        }
    }

    /** Removes the key; returns whether it was there. */
    public boolean remove(byte[] key, Durability level) {
        Workspace workspace = workspaces.take();
        try {
            return workspace.remove(key, level);
        } finally {
            workspaces.giveBack(workspace);
        }
    }

    /** Removes all keys of {@code range}; returns whether there were any. */
    public boolean removeRange(KeyRange range, Durability level) {
        Workspace workspace = workspaces.take();
        try {
            return workspace.removeRange(range, level);
        } finally {
            workspaces.giveBack(workspace);
        }
    }

    /** Gives the key the value if it has the expected one; null stands for no value. */
    public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value, Durability level) {
        Workspace workspace = workspaces.take();
        try {
            return workspace.compareAndSet(key, expected, value, level);
        } finally {
            workspaces.giveBack(workspace);
        }
    }
}
