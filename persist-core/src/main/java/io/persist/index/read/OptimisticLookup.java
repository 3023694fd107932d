package io.persist.index.read;

import io.persist.index.KeyIndex;
import io.persist.index.memory.LiveView;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.node.NodeSearch;

/**
 * Looks keys up in an index without its lock, while the thread that has the lock changes the index. What {@link #look}
 * finds is a guess; {@link #isTrue} says whether it is what a lookup under the lock would have found. If it is not, the
 * caller looks again or takes the lock.
 *
 * <pre>{@code
 * Answer answer = lookup.look(key, found);
 * if (answer.isKnown() && lookup.isTrue()) {
 *     // the key was there or not, and its value lay at found, at a moment after look was called
 * }
 * }</pre>
 *
 * <p>All that was changed before a call of {@link KeyIndex#showChanges} that the thread knows of is seen, and nothing
 * that no such call has shown yet. It reads nodes in memory only.
 *
 * <p><b>Threads:</b> one at a time, without the index's lock, also when the index is closed. <b>Allocation:</b> none.
 */
public class OptimisticLookup {

    /** What a look has found. */
    public enum Answer {
        /** The key and its place. */
        PRESENT,
        /** That there is no such key. */
        ABSENT,
        /** A node that is being changed. */
        CHANGING,
        /** That only the lock helps: a node is not in memory. */
        OUT_OF_REACH;

        /** Whether it says something of the key. */
        public boolean isKnown() {
            return this == PRESENT || this == ABSENT;
        }
    }

    private final LiveView view;
    private final Node node = new Node();

    /** Looks into the memory that {@code view} shows. */
    public OptimisticLookup(LiveView view) {
        this.view = view;
    }

    /** Looks for the key; sets {@code found} if it says that it is there. */
    public Answer look(KeyBuffer key, Location found) {
        if (!view.begin()) {
            return Answer.OUT_OF_REACH;
        }
        int id = view.root();
        for (int level = view.height() - 1; level > 0; level--) {
            if (!view.wrap(node, id, level)) {
                return unknown();
            }
            id = node.child(NodeSearch.childIndex(node, key));
        }
        if (!view.wrap(node, id, Node.LEAF)) {
            return unknown();
        }
        int index = NodeSearch.search(node, key);
        if (index < 0) {
            return Answer.ABSENT;
        }
        found.set(node.position(index), node.length(index));
        return Answer.PRESENT;
    }

    private Answer unknown() {
        return view.isMissing() ? Answer.OUT_OF_REACH : Answer.CHANGING;
    }

    /** Whether what the last {@link #look} has found is still so now; may be asked again. */
    public boolean isTrue() {
        return view.isUnchanged();
    }
}
