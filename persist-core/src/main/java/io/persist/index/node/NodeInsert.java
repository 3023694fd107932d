package io.persist.index.node;

/**
 * Puts an entry into a node, which is rewritten or split if there is no room. The node has to be one that may be
 * changed, and a free one has to be there.
 *
 * <p>If a node overflows at one of its ends, the node stays as it is, and the new entry begins a node of its own: keys
 * that come in order leave full nodes behind. The same is done with a key that does not share a full node's prefix,
 * because a shorter prefix would make all other entries longer. If keys come in order within a node, it is split behind
 * them, so that they are at an end next time. Else a node is split in the middle.
 */
public final class NodeInsert {

    /**
     * What a rewritten node has to have free; else every put would rewrite it. That goes for puts at its end as well:
     * in a queue a full leaf loses one entry, and gets one, again and again.
     */
    static final int SLACK = Node.LENGTH / 16;

    private final NewNodes nodes;
    private final NodeRewrite rewrite = new NodeRewrite();
    private final Node right = new Node();
    private final KeyBuffer leftKey = new KeyBuffer();
    private final KeyBuffer rightKey = new KeyBuffer();
    private final KeyBuffer[] separators = {new KeyBuffer(), new KeyBuffer()};
    private int current;

    /** Takes the new nodes that it needs from {@code nodes}. */
    public NodeInsert(NewNodes nodes) {
        this.nodes = nodes;
    }

    /** What lies between the two nodes of the last split: the least key of the right one may be it, or greater. */
    public KeyBuffer separator() {
        return separators[current];
    }

    /** Puts a key into the gap of a leaf, if it has room there. */
    public static boolean intoGap(Node leaf, int index, KeyBuffer key, long position, int length) {
        if (!NodeSearch.sharesPrefix(leaf, key) || !leaf.fits(key)) {
            return false;
        }
        leaf.insert(index, key);
        leaf.putPlace(index, position, length);
        return true;
    }

    /** For a key that has no room in the gap; returns the id of the new node on the right, or {@link Node#NONE}. */
    public int intoLeaf(Node leaf, int index, KeyBuffer key, long position, int length, long version) {
        if (rewrite(leaf, index, key, position, length)) {
            return Node.NONE;
        }
        KeyBuffer separator = nextSeparator();
        nodes.wrap(right, nodes.take(leaf.id())).init(Node.LEAF, version);
        int last = rewrite.count() - 1;
        if (index == last) {
            rewrite.readKey(last - 1, leftKey);
            separator.setRightAfter(leftKey, key);
            rewrite.write(right, last, last + 1);
        } else if (index == 0) {
            rewrite.readKey(1, rightKey);
            separator.setBetween(key, rightKey);
            right.copyFrom(leaf, version);
            rewrite.write(leaf, 0, 1);
        } else {
            int middle = index == leaf.afterLastPut() ? after(index) : rewrite.middle();
            rewrite.readKey(middle - 1, leftKey);
            rewrite.readKey(middle, rightKey);
            separator.setBetween(leftKey, rightKey);
            rewrite.write(leaf, 0, middle);
            leaf.afterLastPut(index < middle ? index + 1 : 0);
            rewrite.write(right, middle, rewrite.count());
            right.afterLastPut(index < middle ? 0 : index - middle + 1);
        }
        return right.id();
    }

    /** Where to divide a node after keys that come in order: after the new one, if it and those before it fit. */
    private int after(int index) {
        return rewrite.bytes(0, index + 1) <= Node.LENGTH ? index + 1 : rewrite.middle();
    }

    /**
     * Puts {@code child}, of the keys from {@code key} on, into an inner node. The key may be the last split's
     * separator.
     */
    public int intoInner(Node node, int index, KeyBuffer key, int child, long version) {
        if (NodeSearch.sharesPrefix(node, key) && node.fits(key)) {
            node.insert(index, key);
            node.putChild(index + 1, child);
            return Node.NONE;
        }
        if (rewrite(node, index, key, 0, child)) {
            return Node.NONE;
        }
        KeyBuffer separator = nextSeparator();
        nodes.wrap(right, nodes.take(node.id())).init(node.level(), version);
        int last = rewrite.count() - 1;
        if (index == last) {
            separator.copyFrom(key);
            right.putChild(0, child);
        } else if (index == 0) {
            separator.copyFrom(key);
            right.copyFrom(node, version);
            right.putChild(0, child);
            node.clear();
        } else {
            int middle = rewrite.middle();
            rewrite.readKey(middle, separator);
            right.putChild(0, rewrite.child(middle));
            rewrite.write(node, 0, middle);
            rewrite.write(right, middle + 1, rewrite.count());
        }
        return right.id();
    }

    private boolean rewrite(Node node, int index, KeyBuffer key, long position, int number) {
        rewrite.begin(node, index, key, position, number);
        if (rewrite.bytes(0, rewrite.count()) > Node.LENGTH - SLACK) {
            return false;
        }
        rewrite.write(node);
        return true;
    }

    /** The other one of the two, because the last one may be the key that is put. */
    private KeyBuffer nextSeparator() {
        current = 1 - current;
        return separators[current];
    }
}
