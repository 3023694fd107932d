package io.persist.index;

import io.persist.index.memory.NodeKeeper;
import io.persist.index.read.OpenSnapshots;
import io.persist.index.read.TreePath;

/** Keeps the nodes on the path of a change, and those that snapshots read where they lie. */
record KeptNodes(TreePath path, OpenSnapshots snapshots) implements NodeKeeper {

    @Override
    public boolean isInUse(int id) {
        return path.has(id);
    }

    @Override
    public long keptVersion() {
        return snapshots.newestInPlaceVersion();
    }
}
