package io.persist.index.memory;

import io.persist.index.node.Node;
import io.persist.index.node.NodeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a tree has, which of them no image has as they are, and which the source has not: it is that of an older
 * image until it is replaced.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class NodeStates {

    /** The nodes of the tree. */
    private final NodeSet live;

    /** The nodes of the tree that no image has as they are. */
    private NodeSet changed = new NodeSet();

    /** Those that the last image has taken, as long as it is not known to be durable; else null. */
    private @Nullable NodeSet unconfirmed;

    /** The nodes of the tree that the source has not as they are: those that have changed, and maybe more. */
    private NodeSet dirty = new NodeSet();

    /** Nodes that have to stay in memory for a while. */
    private final NodeSet pinned = new NodeSet();

    /** Those that have to stay for longer. */
    private final NodeSet kept = new NodeSet();

    private long read;
    private long evicted;

    NodeStates(NodeSet live) {
        this.live = live;
    }

    void add(int id, int origin) {
        live.add(id);
        change(id);
        handOn(origin, id);
    }

    void change(int id) {
        if (changed.add(id)) {
            dirty.add(id);
        }
    }

    /** The node is not the tree's any more; snapshots may still need it. */
    public void remove(int id) {
        live.remove(id);
        changed.remove(id);
        dirty.remove(id);
        kept.remove(id);
    }

    void pin(int id) {
        pinned.add(id);
    }

    /** Returns whether a node was pinned. */
    boolean unpin() {
        boolean wasPinned = pinned.size() > 0;
        if (wasPinned) {
            pinned.clear();
        }
        return wasPinned;
    }

    /** What is pinned stays until {@link #release}; it is not pinned any more. */
    public void keepPinned() {
        kept.addAll(pinned);
        pinned.clear();
    }

    /** All nodes of the tree stay until {@link #release}. */
    public void keepAll() {
        kept.addAll(live);
    }

    /** A node gets keys or children of another one: if that has to stay for longer, it has to do so, too. */
    public void handOn(int from, int to) {
        if (kept.contains(from)) {
            kept.add(to);
        }
    }

    /** How many nodes are kept. */
    public int kept() {
        return kept.size();
    }

    /** The first node from {@code id} on that is kept; {@link Node#NONE} if there is none. */
    public int nextKept(int id) {
        return kept.next(id);
    }

    /** No node is kept any more; returns whether one was. */
    public boolean release() {
        boolean wasKept = kept.size() > 0;
        if (wasKept) {
            kept.clear();
        }
        return wasKept;
    }

    /** Whether the node can be read again, and is not pinned or kept. */
    boolean mayGo(int id) {
        return live.contains(id) && !dirty.contains(id) && !pinned.contains(id) && !kept.contains(id);
    }

    void countRead() {
        read++;
    }

    void countEvicted() {
        evicted++;
    }

    /** How many nodes were read since the index was made, without those that snapshots have read. */
    public long read() {
        return read;
    }

    /** How many nodes have given up their frames since the index was made. */
    public long evicted() {
        return evicted;
    }

    /** The nodes of the tree, as they are now. */
    public NodeSet live() {
        return live.copy();
    }

    /** How many nodes the tree has. */
    public int size() {
        return live.size();
    }

    /** How many nodes no image has as they are. */
    public int changed() {
        return changed.size();
    }

    /** How many nodes the source has not as they are. */
    public int dirty() {
        return dirty.size();
    }

    /** How many nodes, in memory or not, can be read again and need not stay; or fewer. */
    int mayGoAtMost() {
        return live.size() - Math.max(dirty.size(), kept.size());
    }

    /**
     * The nodes that no image has as they are, for one that is about to be written. Until that is {@linkplain
     * #confirm confirmed}, the next one gets them too, also if nobody could give them back.
     */
    public NodeSet takeChanged() {
        if (unconfirmed != null) {
            giveBackChanged(unconfirmed);
        }
        NodeSet none = new NodeSet();
        NodeSet taken = changed;
        unconfirmed = taken;
        changed = none;
        return taken;
    }

    /** There is an image that has {@code taken}. */
    public void confirm(NodeSet taken) {
        if (unconfirmed == taken) {
            unconfirmed = null;
        }
    }

    /**
     * Those of {@code taken} that still are the tree's are in no image, whatever the source has become meanwhile. If
     * there is no memory for that, nothing has changed.
     */
    public void giveBackChanged(NodeSet taken) {
        NodeSet all = changedAnd(taken);
        NodeSet allDirty = dirty.copy();
        allDirty.addAll(all);
        changed = all;
        dirty = allDirty;
        confirm(taken); // they are among the changed ones again
    }

    private NodeSet changedAnd(NodeSet taken) {
        NodeSet all = changed.copy();
        all.addAll(taken);
        all.retainAll(live);
        return all;
    }

    /** The source has the last image that is confirmed: what that has as it is can be read again. */
    void cleanConfirmed() {
        dirty = unconfirmed == null ? changed.copy() : changedAnd(unconfirmed);
    }
}
