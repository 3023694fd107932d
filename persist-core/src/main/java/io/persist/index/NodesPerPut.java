package io.persist.index;

/** How many nodes changes may need: apart from {@link NodeNeeds}, which knows the {@link Tree} that asks here too. */
final class NodesPerPut {

    private NodesPerPut() {}

    /**
     * The nodes that so many puts or removes may need, if no snapshot is taken in between. One of them needs a copy, if
     * there are snapshots, and a split or a neighbour's copy on each level, and a new root. On levels that come to be
     * meanwhile nothing is copied, and not every put can split there; so the new root of each put pays for them, but
     * {@link Tree#put} wants to see that there is enough for one split more on each. A level needs more than twice the
     * splits of the one before to come to be.
     */
    static long most(int puts, int height, int snapshots) {
        int perLevel = snapshots == 0 ? 1 : 2;
        int newLevels = puts <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(puts);
        return (long) puts * (perLevel * height + 1) + (long) perLevel * newLevels;
    }
}
