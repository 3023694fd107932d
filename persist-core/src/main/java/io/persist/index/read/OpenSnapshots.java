package io.persist.index.read;

import io.persist.index.memory.IndexMemory;
import io.persist.index.memory.NodeStates;
import io.persist.index.node.Node;
import io.persist.index.node.NodeList;
import org.jspecify.annotations.Nullable;

/**
 * The open snapshots, from the oldest to the newest, and the nodes that left the tree but that some of them still need.
 * Such a node is kept with the newest snapshot that needs it. When that snapshot is closed, its nodes are looked at, a
 * few at a time: each becomes free, or goes to the next older snapshot that needs it. ZFS does the same with its dead
 * lists; so a long snapshot does not hold what only shorter ones needed.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class OpenSnapshots {

    /** The {@link #newestVersion} if no snapshot is open. */
    private static final long NO_VERSION = 0;

    private final IndexMemory memory;
    private final Node window = new Node();

    /** Nodes whose snapshot was closed. */
    private final NodeList ofClosed = new NodeList();

    private @Nullable IndexSnapshot oldest;
    private @Nullable IndexSnapshot newest;

    /** The newest whose nodes are read where they lie. */
    private @Nullable IndexSnapshot newestInPlace;

    private int count;

    /** Whether the memory is needed for open snapshots only. */
    private boolean isLast;

    /** There is none yet. */
    public OpenSnapshots(IndexMemory memory) {
        this.memory = memory;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** The version of the oldest one; {@link Long#MAX_VALUE} if there is none. */
    public long oldestVersion() {
        return oldest == null ? Long.MAX_VALUE : oldest.version();
    }

    /** A node that is not newer must not be changed. */
    public long newestVersion() {
        return newest == null ? NO_VERSION : newest.version();
    }

    /** How many of the nodes that are kept must not be changed. It looks at each of them. */
    public long keptNodes() {
        long count = 0;
        NodeStates nodes = memory.nodes();
        for (int id = nodes.nextKept(0); id != Node.NONE; id = nodes.nextKept(id + 1)) {
            count += memory.wrap(window, id).version() > newestVersion() ? 0 : 1;
        }
        return count;
    }

    /** Nodes that left the tree and are not free. */
    public long replacedNodes() {
        long nodes = ofClosed.size();
        for (IndexSnapshot snapshot = newest; snapshot != null; snapshot = snapshot.older) {
            nodes += snapshot.nodes.size();
        }
        return nodes;
    }

    /** A node that is not newer may be read where it lies. */
    public long newestInPlaceVersion() {
        return newestInPlace == null ? NO_VERSION : newestInPlace.version();
    }

    /** Adds the newest one. */
    public void add(IndexSnapshot snapshot) {
        snapshot.older = newest;
        if (newest == null) {
            oldest = snapshot;
        } else {
            newest.newer = snapshot;
        }
        newest = snapshot;
        if (snapshot.nodeView().isInPlace()) {
            newestInPlace = snapshot;
        }
        count++;
    }

    /**
     * One was closed; gives back the nodes that no other one needs. If a late error cuts that short, it may be called
     * again: what is done is not done twice.
     */
    public void remove(IndexSnapshot snapshot) {
        memory.unstick();
        if (snapshot == newest || snapshot.newer != null) {
            unlist(snapshot, snapshot == newestInPlace ? inPlace(snapshot.older) : newestInPlace);
        }
        if (!snapshot.nodes.isEmpty()) {
            ofClosed.takeAll(snapshot.nodes, memory.wrap(window, snapshot.nodes.last()));
        }
        if (count == 0) {
            memory.giveBackAll(ofClosed);
            closeIfLast();
        }
    }

    /** There will be no other ones, and no change: when none is open any more, the memory goes. */
    public void end() {
        isLast = true;
        closeIfLast();
    }

    private void closeIfLast() {
        if (isLast && count == 0) {
            memory.close();
        }
    }

    /** It calls nothing, so no error comes in the middle. */
    private void unlist(IndexSnapshot snapshot, @Nullable IndexSnapshot inPlaceThen) {
        if (snapshot.older == null) {
            oldest = snapshot.newer;
        } else {
            snapshot.older.newer = snapshot.newer;
        }
        if (snapshot.newer == null) {
            newest = snapshot.older;
        } else {
            snapshot.newer.older = snapshot.older;
        }
        newestInPlace = inPlaceThen;
        snapshot.older = null;
        snapshot.newer = null;
        count--;
    }

    /** The newest of that one and those that are older whose nodes are read where they lie. */
    private static @Nullable IndexSnapshot inPlace(@Nullable IndexSnapshot from) {
        IndexSnapshot snapshot = from;
        while (snapshot != null && !snapshot.nodeView().isInPlace()) {
            snapshot = snapshot.older;
        }
        return snapshot;
    }

    /** Takes a node that left the tree in version {@code now}: frees it, or keeps it for the snapshots. */
    public void release(Node node, long now) {
        memory.nodes().remove(node.id());
        if (newest == null || node.version() > newest.version()) {
            memory.giveBack(node);
        } else {
            node.replaced(now);
            newest.nodes.addFirst(node);
        }
    }

    /** Frees up to {@code limit} nodes of closed snapshots, or leaves them to older ones; whether there was one. */
    public boolean freeSome(int limit) {
        int left = limit;
        for (; left > 0 && !ofClosed.isEmpty(); left--) {
            Node node = memory.wrap(window, ofClosed.first());
            ofClosed.removeFirst(node);
            IndexSnapshot snapshot = newest;
            while (snapshot != null && snapshot.version() >= node.replaced()) {
                snapshot = snapshot.older;
            }
            if (snapshot != null && snapshot.version() >= node.version()) {
                snapshot.nodes.addFirst(node);
            } else {
                memory.giveBack(node);
            }
        }
        return left < limit;
    }
}
