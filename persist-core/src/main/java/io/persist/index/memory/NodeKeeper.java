package io.persist.index.memory;

/** Knows which nodes have to stay in memory although they could be read again. */
public interface NodeKeeper {

    /** Keeps none. */
    NodeKeeper NONE = new NodeKeeper() {
        @Override
        public boolean isInUse(int id) {
            return false;
        }

        @Override
        public long keptVersion() {
            return 0;
        }
    };

    /** Whether the change that is under way has come by the node. */
    boolean isInUse(int id);

    /** Nodes of this version, and older ones, may be read where they lie by a thread without the lock; 0 if none is. */
    long keptVersion();
}
