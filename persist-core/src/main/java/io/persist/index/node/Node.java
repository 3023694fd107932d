package io.persist.index.node;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A window on one node of the tree, a slotted page of {@value #LENGTH} bytes. All integers are little-endian.
 *
 * <pre>
 *   +--------+------+------+-- … --+-----+-- … --+-------+-------+--------+
 *   | header | slot | slot |       | gap |       | entry | entry | prefix |
 *   +--------+------+------+-- … --+-----+-- … --+-------+-------+--------+
 * </pre>
 *
 * <ul>
 *   <li>the header: see {@link NodeHeader}.
 *   <li>a slot: {@code u16 offset, u16 length, u32 head}. The length is the length of the suffix, which is the key
 *     without the prefix; the head is the first {@value #HEAD_LENGTH} bytes of the suffix as a number, filled up with
 *     zeros, so that most comparisons need nothing but the slots. They are in the order of the keys.
 *   <li>the heap, of entries in any order: the value, and what of the suffix is not in the head. A leaf's value is
 *       {@code i64 position, i32 length}, an inner node's is {@code i32 child}: the node of the keys from this one on.
 *       Those before all are in the first child.
 *   <li>the prefix: what all keys of the node begin with, stored once.
 * </ul>
 *
 * Slots with heads and prefixes cut off are as in Graefe, "Modern B-Tree Techniques" (2011), and in LeanStore (Leis et
 * al., 2018), which keeps the head's bytes in the heap, too; here those would be 4 of about 25 bytes.
 *
 * <p>Part of the file format, since a checkpoint has nodes as they are. Never change; add.
 *
 * <p>Reads of 8 bytes may go up to 8 bytes over the node's end; the memory has room for that, see {@code NodeChunks}.
 * To search a node, and to read what was found, goes nowhere else whatever the bytes are: another thread may be
 * changing them.
 */
public final class Node extends NodeHeader {

    public static final int LENGTH = 4096;
    static final int SLOT_LENGTH = 8;
    static final int HEAD_LENGTH = 4;

    private static final int PLACE_LENGTH = Long.BYTES + Integer.BYTES;
    private static final int CHILD_LENGTH = Integer.BYTES;

    /** More slots do not fit. */
    static final int MOST_ENTRIES = (LENGTH - NodeHeader.LENGTH) / SLOT_LENGTH;

    private @Nullable ByteBuffer own;

    /** Which node is in there. */
    private int ownId = NONE;

    /** A node that belongs to no tree. */
    static Node scratch() {
        return new Node().wrap(newBuffer(), 0, NONE);
    }

    /** Memory for one node. */
    public static ByteBuffer newBuffer() {
        return ByteBuffer.allocateDirect(LENGTH + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Makes it a window on a copy of its own of node {@code newId}, which never changes; it may have that already. */
    public Node own(NodeSource source, int newId) {
        ByteBuffer copy = own();
        if (ownId != newId) {
            ownId = NONE; // until it has been copied
            source.read(newId, copy, 0);
            ownId = newId;
        }
        return wrap(copy, 0, newId);
    }

    /** Makes it a window on a copy of its own of node {@code newId}, which is read. */
    public Node read(NodeSource source, int newId) {
        ByteBuffer copy = own();
        source.read(newId, copy, 0);
        return wrap(copy, 0, newId);
    }

    private ByteBuffer own() {
        if (own == null) {
            own = newBuffer();
        }
        return own;
    }

    /** Moves it to the node {@code newId}, which lies at the index {@code newBase} of {@code newBuffer}. */
    public Node wrap(ByteBuffer newBuffer, int newBase, int newId) {
        moveTo(newBuffer, newBase, newId);
        return this;
    }

    /** Throws if the node is at another level: then a file was made in which it is the child of a wrong one. */
    public Node checkLevel(int level, NodeSource source) {
        if (level() != level) {
            throw source.damaged(id(), "a node of level " + level() + " in place of one of " + level);
        }
        return this;
    }

    /** Makes it an empty node. */
    public void init(int level, long version) {
        level(level);
        version(version);
        clear();
    }

    /** Takes all entries away, and the prefix. */
    public void clear() {
        count(0);
        prefixLength(0);
        heapStart(LENGTH);
        freedBytes(0);
        afterLastPut(0);
    }

    /** Takes all entries away, and sets the prefix: the first bytes of {@code key}. */
    void clear(KeyBuffer key, int prefixLength) {
        clear();
        prefixLength(prefixLength);
        heapStart(LENGTH - prefixLength);
        buffer().put(base() + LENGTH - prefixLength, key.bytes(), 0, prefixLength);
    }

    /** Makes it a copy of another node in all but the version. */
    public void copyFrom(Node other, long version) {
        buffer().put(base(), other.buffer(), other.base(), LENGTH);
        version(version);
    }

    /** Clears in a copy what is not of the node itself: why it is still there, and a list that it is in. */
    public static void clearLinks(ByteBuffer copy, int at) {
        copy.putLong(at + REPLACED_OFFSET, 0).putInt(at + NEXT_OFFSET, 0);
    }

    int gap() {
        return heapStart() - NodeHeader.LENGTH - count() * SLOT_LENGTH;
    }

    /** All bytes that hold something, the header among them. */
    public int usedBytes() {
        return LENGTH - gap() - freedBytes();
    }

    long slot(int index) {
        return buffer().getLong(slotAt(index));
    }

    private int slotAt(int index) {
        return base() + NodeHeader.LENGTH + index * SLOT_LENGTH;
    }

    static long headOf(long slot) {
        return slot >>> 32;
    }

    static int suffixLengthOf(long slot) {
        return (int) (slot >>> 16) & 0xFFFF;
    }

    /** Where the entry is; within the node, also if the slot is nonsense. */
    static int offsetOf(long slot) {
        return Math.min((int) slot & 0xFFFF, LENGTH - CHILD_LENGTH);
    }

    /** The length of the key at {@code index} in bytes. */
    public int keyLength(int index) {
        return prefixLength() + suffixLengthOf(slot(index));
    }

    /** What an entry takes, slot and heap, in a node of that type and prefix. */
    static int entryBytes(int valueLength, int keyLength, int prefixLength) {
        return SLOT_LENGTH + valueLength + Math.max(0, keyLength - prefixLength - HEAD_LENGTH);
    }

    int valueLength() {
        return isLeaf() ? PLACE_LENGTH : CHILD_LENGTH;
    }

    /** Whether there is room in the gap. */
    boolean fits(KeyBuffer key) {
        return entryBytes(valueLength(), key.length(), prefixLength()) <= gap();
    }

    /** Makes an entry at {@code index} for a key that shares the prefix and fits; its value is to be put then. */
    void insert(int index, KeyBuffer key) {
        int count = count();
        int prefix = prefixLength();
        int suffix = key.length() - prefix;
        int rest = Math.max(0, suffix - HEAD_LENGTH);
        int valueLength = valueLength();
        int offset = heapStart() - valueLength - rest;
        if (rest > 0) {
            buffer().put(base() + offset + valueLength, key.bytes(), prefix + HEAD_LENGTH, rest);
        }
        int slotAt = slotAt(index);
        if (index < count) {
            buffer().put(slotAt + SLOT_LENGTH, buffer(), slotAt, (count - index) * SLOT_LENGTH);
        }
        buffer().putLong(slotAt, key.head(prefix) << 32 | (long) suffix << 16 | offset);
        heapStart(offset);
        count(count + 1);
        afterLastPut(index + 1);
    }

    /** Removes the entry at {@code index}. */
    public void remove(int index) {
        int count = count() - 1;
        long slot = slot(index);
        int bytes = valueLength() + Math.max(0, suffixLengthOf(slot) - HEAD_LENGTH);
        if (offsetOf(slot) == heapStart()) {
            heapStart(offsetOf(slot) + bytes);
        } else {
            freedBytes(freedBytes() + bytes);
        }
        int slotAt = slotAt(index);
        if (index < count) {
            buffer().put(slotAt, buffer(), slotAt + SLOT_LENGTH, (count - index) * SLOT_LENGTH);
        }
        count(count);
        afterLastPut(0);
        if (count == 0) {
            clear();
        }
    }

    /** Sets {@code key} to the prefix that all keys of the node share. */
    public void readPrefix(KeyBuffer key) {
        int prefix = prefixLength();
        buffer().get(base() + LENGTH - prefix, key.bytes(), 0, prefix);
        key.length(prefix);
    }

    /** Makes {@code key}, in which the prefix is already, the key of an entry. */
    public void readSuffix(int index, KeyBuffer key) {
        long slot = slot(index);
        int prefix = prefixLength();
        int suffix = suffixLengthOf(slot);
        key.putHead(prefix, (int) headOf(slot));
        if (suffix > HEAD_LENGTH) {
            int at = base() + offsetOf(slot) + valueLength();
            buffer().get(at, key.bytes(), prefix + HEAD_LENGTH, suffix - HEAD_LENGTH);
        }
        key.length(prefix + suffix);
    }

    void readKey(int index, KeyBuffer key) {
        readPrefix(key);
        readSuffix(index, key);
    }

    private int valueAt(int index) {
        return base() + offsetOf(slot(index));
    }

    /** The position of the value at {@code index}, in a leaf. */
    public long position(int index) {
        return buffer().getLong(valueAt(index));
    }

    /** The length of the value at {@code index} in bytes, in a leaf. */
    public int length(int index) {
        return buffer().getInt(valueAt(index) + Long.BYTES);
    }

    /** Stores the position and the length of the value of the entry at {@code index}. */
    public void putPlace(int index, long position, int length) {
        int at = valueAt(index);
        buffer().putLong(at, position);
        buffer().putInt(at + Long.BYTES, length);
    }

    /** Copies what the entry at {@code from} of a node of the same type has besides its key. */
    void copyValue(int index, Node source, int from) {
        if (isLeaf()) {
            putPlace(index, source.position(from), source.length(from));
        } else {
            putChild(index + 1, source.child(from + 1));
        }
    }

    /** Adds the first {@code added} entries of a node of the same type, whose keys come after all here and fit. */
    void append(Node source, int added, KeyBuffer key) {
        source.readPrefix(key);
        for (int i = 0; i < added; i++) {
            source.readSuffix(i, key);
            int index = count();
            insert(index, key);
            copyValue(index, source, i);
        }
    }

    /** Takes a child away from an inner node; its keys belong to the child at {@code beside}, next to it, then. */
    public void removeChild(int index, int beside) {
        if (beside > index) {
            putChild(index, child(beside));
        }
        remove(Math.min(index, beside));
    }

    /** An inner node's: 0 to {@link #count}, one more than there are keys. */
    public int child(int index) {
        return buffer().getInt(childAt(index));
    }

    /** Stores the child of the entry at {@code index}. */
    public void putChild(int index, int child) {
        buffer().putInt(childAt(index), child);
    }

    private int childAt(int index) {
        return index == 0 ? base() + FIRST_CHILD_OFFSET : valueAt(index - 1);
    }
}
