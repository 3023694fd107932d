package io.persist.index.node;

/** Nodes that are linked through their headers; so a list needs no memory, however long it gets. */
public final class NodeList {

    private int first = Node.NONE;
    private int last = Node.NONE;
    private int size;

    /** Whether there is no node in the list. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** How many nodes it has. */
    public int size() {
        return size;
    }

    /** The id of the first, of a list that is not empty. */
    public int first() {
        return first;
    }

    /** Adds {@code node} at the front; its bytes keep the link to the next one. */
    public void addFirst(Node node) {
        node.next(first);
        first = node.id();
        if (size++ == 0) {
            last = first;
        }
    }

    /** Takes the first away, which {@code node} is a window on. */
    public void removeFirst(Node node) {
        first = node.next();
        size--;
    }

    /** The id of the last, of a list that is not empty. */
    public int last() {
        return last;
    }

    /** Takes all nodes of another list that is not empty, in bounded time; {@code otherLast} is its last node. */
    public void takeAll(NodeList other, Node otherLast) {
        if (isEmpty()) {
            last = other.last;
        } else {
            otherLast.next(first);
        }
        first = other.first;
        size += other.size;
        other.size = 0;
        other.first = Node.NONE;
    }
}
