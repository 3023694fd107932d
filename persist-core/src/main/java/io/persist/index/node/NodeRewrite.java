package io.persist.index.node;

/**
 * The entries of a node, and a new one among them: computes how long they would be in one or two nodes, and writes them
 * into nodes. The node itself may be one of these, because its entries are copied first.
 */
final class NodeRewrite {

    private final Node old = Node.scratch();
    private final KeyBuffer first = new KeyBuffer();
    private final KeyBuffer last = new KeyBuffer();
    private final KeyBuffer current = new KeyBuffer();

    private KeyBuffer newKey = current;
    private int newIndex;
    private long newPosition;
    private int newNumber;
    private int valueLength;
    private int count;

    /** {@code number} is the length of the value in a leaf, the child in an inner node. */
    void begin(Node node, int index, KeyBuffer key, long position, int number) {
        old.copyFrom(node, 0);
        newKey = key;
        newIndex = index;
        newPosition = position;
        newNumber = number;
        valueLength = node.valueLength();
        count = node.count() + 1;
    }

    int count() {
        return count;
    }

    private int oldIndex(int index) {
        return index < newIndex ? index : index - 1;
    }

    void readKey(int index, KeyBuffer key) {
        if (index == newIndex) {
            key.copyFrom(newKey);
        } else {
            old.readKey(oldIndex(index), key);
        }
    }

    private int keyLength(int index) {
        return index == newIndex ? newKey.length() : old.keyLength(oldIndex(index));
    }

    /** The child of an inner node's entry. */
    int child(int index) {
        return index == newIndex ? newNumber : old.child(oldIndex(index) + 1);
    }

    /**
     * The prefix that makes a node of the entries in {@code [from, to)} shortest: what their keys share, but not so
     * much that the longest of them would end within its head.
     */
    private int bestPrefix(int from, int to) {
        int longest = 0;
        for (int i = from; i < to; i++) {
            longest = Math.max(longest, keyLength(i));
        }
        return Math.min(commonPrefix(from, to), Math.max(0, longest - Node.HEAD_LENGTH));
    }

    private int commonPrefix(int from, int to) {
        readKey(from, first);
        readKey(to - 1, last);
        return first.commonLength(last);
    }

    /** The length of a node that holds the entries in {@code [from, to)}. */
    int bytes(int from, int to) {
        int prefix = bestPrefix(from, to);
        return NodeHeader.LENGTH + prefix + entryBytes(from, to, prefix);
    }

    private int entryBytes(int from, int to, int prefix) {
        int bytes = 0;
        for (int i = from; i < to; i++) {
            bytes += Node.entryBytes(valueLength, keyLength(i), prefix);
        }
        return bytes;
    }

    /** The index in {@code [1, count - 1)} that divides the entries into halves of about as many bytes. */
    int middle() {
        int prefix = bestPrefix(0, count);
        int half = entryBytes(0, count, prefix) / 2;
        int bytes = 0;
        int index = 0;
        while (index < count - 2 && (bytes < half || index == 0)) {
            bytes += Node.entryBytes(valueLength, keyLength(index), prefix);
            index++;
        }
        return index;
    }

    /** Makes {@code node} hold all entries. */
    void write(Node node) {
        write(node, 0, count);
        node.afterLastPut(newIndex + 1);
    }

    /** Makes {@code node} hold the entries in {@code [from, to)}; what it held is gone. */
    void write(Node node, int from, int to) {
        if (from == to) {
            node.clear();
            return;
        }
        int prefix = bestPrefix(from, to);
        readKey(from, first);
        node.clear(first, prefix);
        old.readPrefix(current);
        for (int i = from; i < to; i++) {
            int index = i - from;
            if (i == newIndex) {
                node.insert(index, newKey);
                putNewValue(node, index);
            } else {
                old.readSuffix(oldIndex(i), current);
                node.insert(index, current);
                node.copyValue(index, old, oldIndex(i));
            }
        }
    }

    private void putNewValue(Node node, int index) {
        if (node.isLeaf()) {
            node.putPlace(index, newPosition, newNumber);
        } else {
            node.putChild(index + 1, newNumber);
        }
    }
}
