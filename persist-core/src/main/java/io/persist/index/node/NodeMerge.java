package io.persist.index.node;

/** Makes one node of two neighbours, if their entries fit well. */
public final class NodeMerge {

    /** A node that holds less is merged with a neighbour. */
    public static final int UNDERFLOW = Node.LENGTH / 3;

    /** Not more, so that the next put does not split it again. */
    private static final int MAX_MERGED = Node.LENGTH * 3 / 4;

    private final Node old = Node.scratch();
    private final KeyBuffer separator = new KeyBuffer();
    private final KeyBuffer first = new KeyBuffer();
    private final KeyBuffer last = new KeyBuffer();
    private final KeyBuffer current = new KeyBuffer();
    private int prefix;

    /** Whether they fit; {@code parent} has the key between the two at {@code index}. */
    public boolean fits(Node left, Node right, Node parent, int index) {
        if (left.usedBytes() + right.usedBytes() > MAX_MERGED) {
            return false;
        }
        parent.readKey(index, separator);
        boolean leaf = left.isLeaf();
        readKey(left, 0, first);
        readKey(right, right.count() - 1, last);
        prefix = first.commonLength(last);
        // An entry does not shrink by a prefix that is longer than the one it had.
        prefix = left.count() == 0 ? prefix : Math.min(prefix, left.prefixLength());
        prefix = right.count() == 0 ? prefix : Math.min(prefix, right.prefixLength());
        int longer = longerBy(left) + longerBy(right);
        int between = leaf ? 0 : Node.entryBytes(left.valueLength(), separator.length(), prefix);
        return left.usedBytes() + right.usedBytes() + longer + between <= MAX_MERGED;
    }

    /** The key of an entry; if there is none, which only an inner node can be, the separator stands for it. */
    private void readKey(Node node, int index, KeyBuffer key) {
        if (node.count() == 0) {
            key.copyFrom(separator);
        } else {
            node.readKey(index, key);
        }
    }

    private int longerBy(Node node) {
        return node.count() * Math.max(0, node.prefixLength() - prefix);
    }

    /** Puts all that {@code right} holds into {@code left}, after {@link #fits} said so of the two. */
    public void merge(Node left, Node right) {
        old.copyFrom(left, left.version());
        left.clear(first, prefix);
        left.append(old, old.count(), current);
        if (!left.isLeaf()) {
            left.insert(left.count(), separator);
            left.putChild(left.count(), right.child(0));
        }
        left.append(right, right.count(), current);
    }
}
