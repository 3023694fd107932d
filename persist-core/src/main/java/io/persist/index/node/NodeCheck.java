package io.persist.index.node;

import java.nio.ByteBuffer;

/**
 * Whether a node that was read can be used without reading outside of it, or following a child that is not there. Its
 * checksum was right; so this is about a file that somebody has made, and not about damage.
 */
public final class NodeCheck {

    private static final int MAX_LEVEL = 32;

    private NodeCheck() {}

    /**
     * Says what is wrong with the node at index {@code at} of {@code buffer}; empty if nothing is.
     *
     * @param live the nodes that there are
     * @param version of the tree
     */
    public static String findFault(ByteBuffer buffer, int at, NodeSet live, long version) {
        return findFault(new Node().wrap(buffer, at, Node.NONE), live, version);
    }

    private static String findFault(Node node, NodeSet live, long version) {
        int prefix = node.prefixLength();
        int slotsEnd = NodeHeader.LENGTH + node.count() * Node.SLOT_LENGTH;
        int heapEnd = Node.LENGTH - prefix;
        if (node.level() > MAX_LEVEL || prefix > KeyBuffer.MAX_LENGTH || node.heapStart() > heapEnd) {
            return "impossible header of a node";
        }
        if (slotsEnd > node.heapStart()) {
            return "the entries of a node overlap";
        }
        if (node.version() < 0 || node.version() > version) {
            return "a node is newer than its tree";
        }
        int used = 0;
        long[] usedBytes = new long[Node.LENGTH / Long.SIZE];
        for (int i = 0; i < node.count(); i++) {
            long slot = node.slot(i);
            int suffix = Node.suffixLengthOf(slot);
            int bytes = node.valueLength() + Math.max(0, suffix - Node.HEAD_LENGTH);
            int offset = Node.offsetOf(slot);
            if (prefix + suffix == 0
                    || prefix + suffix > KeyBuffer.MAX_LENGTH
                    || offset < node.heapStart()
                    || offset + bytes > heapEnd) {
                return "impossible entry of a node";
            }
            if (!addRange(usedBytes, offset, offset + bytes)) {
                return "the entries of a node overlap";
            }
            used += bytes;
            if (node.isLeaf() && (node.position(i) < 0 || node.length(i) < 0)) {
                return "impossible place of a value";
            }
        }
        if (used + node.freedBytes() != heapEnd - node.heapStart()) {
            return "a node has other bytes in use than it says";
        }
        for (int i = 0; !node.isLeaf() && i <= node.count(); i++) {
            if (node.child(i) < 0 || !live.contains(node.child(i))) {
                return "a node has a child that is not there";
            }
        }
        return "";
    }

    /** Sets the bits from {@code from} to {@code end}; false if one of them was set. */
    private static boolean addRange(long[] bits, int from, int end) {
        int at = from;
        while (at < end) {
            int word = at >>> 6;
            int next = Math.min(end, word + 1 << 6);
            long mask = -1L >>> Long.SIZE - (next - at) << at;
            if ((bits[word] & mask) != 0) {
                return false;
            }
            bits[word] |= mask;
            at = next;
        }
        return true;
    }
}
