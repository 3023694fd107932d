package io.persist.index.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Finds a key's place in a node. Pure functions, which compare 8 bytes at a time. Of a node that is nonsense, because
 * another thread is changing it, they say something wrong, but neither throw nor leave the node's memory.
 */
public final class NodeSearch {

    private static final VarHandle BIG_ENDIAN_LONG = MethodHandles.byteBufferViewVarHandle(
                    long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private NodeSearch() {}

    /** The index of the key's entry; if there is none, {@code ~} the index where it would be. */
    public static int search(Node node, KeyBuffer key) {
        int prefix = Math.min(node.prefixLength(), KeyBuffer.MAX_LENGTH);
        int high = Math.min(node.count(), Node.MOST_ENTRIES);
        if (prefix > 0) {
            int order = compareToPrefix(node, key, prefix);
            if (order != 0) {
                return order < 0 ? ~0 : ~high;
            }
        }
        int valueLength = node.valueLength();
        long head = key.head(prefix);
        int low = 0;
        while (low < high) {
            int middle = (low + high) >>> 1;
            long slot = node.slot(middle);
            long otherHead = Node.headOf(slot);
            int order = head < otherHead
                    ? -1
                    : head > otherHead ? 1 : compareAfterHead(node, slot, key, prefix, valueLength);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return ~low;
    }

    /** Compares the key with that of the entry at {@code index}. */
    public static int compare(KeyBuffer key, Node node, int index) {
        int prefix = node.prefixLength();
        int order = prefix > 0 ? compareToPrefix(node, key, prefix) : 0;
        if (order != 0) {
            return order;
        }
        long slot = node.slot(index);
        long head = key.head(prefix);
        long otherHead = Node.headOf(slot);
        return head == otherHead
                ? compareAfterHead(node, slot, key, prefix, node.valueLength())
                : Long.compare(head, otherHead);
    }

    /** Which child of an inner node the key belongs to. */
    public static int childIndex(Node node, KeyBuffer key) {
        int found = search(node, key);
        return found >= 0 ? found + 1 : ~found;
    }

    static boolean sharesPrefix(Node node, KeyBuffer key) {
        return compareToPrefix(node, key, node.prefixLength()) == 0;
    }

    /** 0 if the key begins with the prefix, else whether it comes before or after all keys that do. */
    private static int compareToPrefix(Node node, KeyBuffer key, int prefix) {
        int shorter = Math.min(prefix, key.length());
        int order = compare(key, 0, node.buffer(), node.base() + Node.LENGTH - prefix, shorter);
        return order != 0 ? order : key.length() < prefix ? -1 : 0;
    }

    /**
     * Compares suffixes whose heads are alike. A head that ends early is filled with zeros, so if one of them is not
     * longer than a head, it is what the other one begins with, and the longer one is greater.
     */
    private static int compareAfterHead(Node node, long slot, KeyBuffer key, int prefix, int valueLength) {
        int suffix = key.length() - prefix;
        int otherSuffix = Node.suffixLengthOf(slot);
        int shorter = Math.min(suffix, otherSuffix) - Node.HEAD_LENGTH;
        if (shorter > 0) {
            int at = node.base() + Math.min(Node.offsetOf(slot) + valueLength, Node.LENGTH - shorter);
            int order = compare(key, prefix + Node.HEAD_LENGTH, node.buffer(), at, shorter);
            if (order != 0) {
                return order;
            }
        }
        return suffix - otherSuffix;
    }

    /** Compares {@code length} bytes of the key with those at {@code at}; reads 7 bytes more at most. */
    static int compare(KeyBuffer key, int from, ByteBuffer buffer, int at, int length) {
        for (int i = 0; i < length; i += Long.BYTES) {
            long word = key.word(from + i);
            long otherWord = (long) BIG_ENDIAN_LONG.get(buffer, at + i);
            if (word != otherWord) {
                int beyond = Math.max(0, i + Long.BYTES - length) * Byte.SIZE; // bits that are not compared
                int order = Long.compareUnsigned(word >>> beyond, otherWord >>> beyond);
                if (order != 0) {
                    return order;
                }
            }
        }
        return 0;
    }
}
