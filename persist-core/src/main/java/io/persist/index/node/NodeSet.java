package io.persist.index.node;

import java.util.Arrays;

/**
 * A set of node ids, one bit for each.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class NodeSet {

    private static final int FIRST_WORDS = 4;

    private long[] words;
    private int size;

    /** Has no id. */
    public NodeSet() {
        this(new long[FIRST_WORDS]);
    }

    /** The set whose ids are the numbers of the bits that are set in {@code words}, which it takes. */
    public NodeSet(long[] words) {
        this.words = words;
        for (long word : words) {
            size += Long.bitCount(word);
        }
    }

    /** How many ids there are. */
    public int size() {
        return size;
    }

    /** Whether the id is in the set. */
    public boolean contains(int id) {
        int word = id >>> 6;
        return word < words.length && (words[word] & 1L << id) != 0;
    }

    /** Adds the id; returns whether it was not there. */
    public boolean add(int id) {
        int word = id >>> 6;
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, 2 * words.length));
        }
        long with = words[word] | 1L << id;
        boolean isNew = with != words[word];
        size += isNew ? 1 : 0;
        words[word] = with;
        return isNew;
    }

    /** From now on the id is not in the set. */
    public void remove(int id) {
        int word = id >>> 6;
        if (word < words.length) {
            long without = words[word] & ~(1L << id);
            size -= without == words[word] ? 0 : 1;
            words[word] = without;
        }
    }

    /** The first id from {@code from} on that is in the set; {@link Node#NONE} if there is none. */
    public int next(int from) {
        int word = from >>> 6;
        if (word >= words.length) {
            return Node.NONE;
        }
        long bits = words[word] & -1L << from;
        while (bits == 0) {
            if (++word == words.length) {
                return Node.NONE;
            }
            bits = words[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /** The ids that are in the other set too. */
    public void retainAll(NodeSet other) {
        size = 0;
        for (int i = 0; i < words.length; i++) {
            words[i] &= i < other.words.length ? other.words[i] : 0;
            size += Long.bitCount(words[i]);
        }
    }

    /** Adds the ids of the other set. */
    public void addAll(NodeSet other) {
        if (words.length < other.words.length) {
            words = Arrays.copyOf(words, other.words.length);
        }
        for (int i = 0; i < other.words.length; i++) {
            long added = other.words[i] & ~words[i];
            size += Long.bitCount(added);
            words[i] |= added;
        }
    }

    /** Takes all ids out. */
    public void clear() {
        Arrays.fill(words, 0);
        size = 0;
    }

    /** A set of the same ids, which changes apart from this one. */
    public NodeSet copy() {
        return new NodeSet(words.clone());
    }

    /** The bits of the ids below {@code limit}, 64 in each. */
    public long[] words(int limit) {
        return Arrays.copyOf(words, (limit + Long.SIZE - 1) / Long.SIZE);
    }
}
