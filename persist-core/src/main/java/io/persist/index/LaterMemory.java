package io.persist.index;

import io.persist.index.memory.IndexMemory;

/**
 * What is promised of the memory to changes that the log has, and the index gets later: others may use it, as long as
 * it can be had back. First {@link #reserve} has to find it, then {@link #promise} keeps it. A promise of nothing ends
 * that.
 *
 * <pre>
 *   nodes  a leaf for each change, and the inner nodes, but not more than are unchanged;
 *          those of one put; and for new leaves one for 16 changes, but the leaves that all keys fill at least
 * </pre>
 *
 * <p><b>Threads:</b> those of the index.
 */
public final class LaterMemory {

    private final NodeNeeds needs;
    private final IndexMemory memory;
    private int changes;
    private long keyBytes;

    LaterMemory(NodeNeeds needs, IndexMemory memory) {
        this.needs = needs;
        this.memory = memory;
    }

    /** Whether there is memory for changes of so many keys; others get none of it until {@link #promise} ends. */
    public boolean reserve(int itsChanges, long itsKeyBytes) {
        return take(nodes(itsChanges, itsKeyBytes) + needs.keptBack());
    }

    /** From now on a commit leaves to changes of so many keys what can be had, not what is free. 0 ends it. */
    public void promise(int itsChanges, long itsKeyBytes) {
        if (changes > 0 && itsChanges == 0) {
            memory.frames().release();
        }
        changes = itsChanges;
        keyBytes = itsKeyBytes;
    }

    boolean isPromised() {
        return changes > 0;
    }

    /** Makes sure of {@code others} nodes beside what is promised; throws if there are not so many. */
    void reserveBeside(long others) {
        long all = others + nodes(changes, keyBytes);
        if (!take(all)) {
            throw needs.full(Math.max(1, all - needs.attainable()));
        }
    }

    /** Of this index alone: others get none of it before the changes that come later have come. */
    private boolean take(long nodes) {
        return memory.frames().reserve(nodes - memory.freeNodes() - memory.mayGoAtMost());
    }

    private long nodes(int itsChanges, long itsKeyBytes) {
        long size = memory.nodes().size();
        long unchanged = size - memory.nodes().dirty();
        return Math.min(itsChanges + needs.inner(), unchanged)
                + needs.of(1)
                + Math.max(itsChanges / NodeNeeds.FURTHER_PUTS_PER_NODE, NodeNeeds.leavesOf(itsChanges, itsKeyBytes));
    }
}
