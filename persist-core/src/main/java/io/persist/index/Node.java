package io.persist.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A window on one node of the tree, a slotted page. All integers are little-endian.
 *
 * <pre>
 *   0    header                                                             40
 *   +-------+------+-------------+---------+----------+------+--------+------+-------+-- … --+------ … -+--------+
 *   | count | type | first child | version | replaced | next | prefix | heap | freed | slots | gap heap | prefix |
 *   +-------+------+-------------+---------+----------+------+--------+------+-------+-- … --+------ … -+--------+
 *     u16     u8     i32 at 4      i64 8     i64 16     i32 24 u16 28   u16 30 u16 32  8 each            4096 is the end
 * </pre>
 *
 * <ul>
 *   <li>{@code version}: in which the node was made. {@code replaced}: in which it left the tree, while snapshots may
 *       still need it. {@code next}: the next of a {@link NodeList}.
 *   <li>{@code prefix}: what all keys of the node begin with, stored once.
 *   <li>a slot: {@code u16 offset, u16 length, u32 head}. The length is that of the key without the prefix, its suffix;
 *       the head is the first {@value #HEAD_LENGTH} bytes of the suffix as a number, filled up with zeros, so that most
 *       comparisons need nothing but the slots. They are in the order of the keys.
 *   <li>{@code heap}: where the heap starts; {@code freed}: what is unused of it. An entry there is the value and what
 *       of the suffix is not in the head. A leaf's value is {@code i64 position, i32 length}, an inner node's is {@code
 *       i32 child}: the node of the keys from this one on. Those before all are in the first child.
 * </ul>
 *
 * Slots with heads and prefixes cut off are as in Graefe, "Modern B-Tree Techniques" (2011), sections 2.3 and 3.5, and
 * in LeanStore's nodes (Leis et al., 2018), which also keep the head's bytes in the heap; here that would be 4 of about
 * 25 bytes.
 *
 * <p>Reads of 8 bytes may go up to 7 bytes over the node's end; the memory has room for that, see {@link IndexMemory}.
 */
final class Node {

    static final int LENGTH = 4096;
    static final int HEADER_LENGTH = 40;
    static final int SLOT_LENGTH = 8;
    static final int HEAD_LENGTH = 4;
    static final int NONE = -1;

    static final byte LEAF = 1;
    static final byte INNER = 2;

    private static final int COUNT_OFFSET = 0;
    private static final int TYPE_OFFSET = 2;
    private static final int FIRST_CHILD_OFFSET = 4;
    private static final int VERSION_OFFSET = 8;
    private static final int REPLACED_OFFSET = 16;
    private static final int NEXT_OFFSET = 24;
    private static final int PREFIX_OFFSET = 28;
    private static final int HEAP_OFFSET = 30;
    private static final int FREED_OFFSET = 32;

    private static final int PLACE_LENGTH = Long.BYTES + Integer.BYTES;
    private static final int CHILD_LENGTH = Integer.BYTES;

    private static final VarHandle SHORT = handle(short[].class);
    private static final VarHandle INT = handle(int[].class);
    private static final VarHandle LONG = handle(long[].class);
    private static final ByteBuffer NOWHERE = ByteBuffer.allocateDirect(0);

    private ByteBuffer buffer = NOWHERE;
    private int base;
    private int id = NONE;

    private static VarHandle handle(Class<?> type) {
        return MethodHandles.byteBufferViewVarHandle(type, ByteOrder.LITTLE_ENDIAN)
                .withInvokeExactBehavior();
    }

    /** A node that belongs to no tree. */
    static Node scratch() {
        return new Node().wrap(ByteBuffer.allocateDirect(LENGTH + Long.BYTES), 0, NONE);
    }

    Node wrap(ByteBuffer newBuffer, int newBase, int newId) {
        buffer = newBuffer;
        base = newBase;
        id = newId;
        return this;
    }

    /** Makes it an empty node. */
    void init(byte type, long version) {
        buffer.put(base + TYPE_OFFSET, type);
        LONG.set(buffer, base + VERSION_OFFSET, version);
        clear();
    }

    /** Takes all entries away, and the prefix. */
    void clear() {
        putShort(COUNT_OFFSET, 0);
        putShort(PREFIX_OFFSET, 0);
        putShort(HEAP_OFFSET, LENGTH);
        putShort(FREED_OFFSET, 0);
    }

    /** Takes all entries away, and sets the prefix: the first bytes of {@code key}. */
    void clear(KeyBuffer key, int prefixLength) {
        clear();
        putShort(PREFIX_OFFSET, prefixLength);
        putShort(HEAP_OFFSET, LENGTH - prefixLength);
        buffer.put(base + LENGTH - prefixLength, key.bytes(), 0, prefixLength);
    }

    /** Makes it a copy of another node in all but the version. */
    void copyFrom(Node other, long version) {
        buffer.put(base, other.buffer, other.base, LENGTH);
        LONG.set(buffer, base + VERSION_OFFSET, version);
    }

    private int unsignedShort(int offset) {
        return (short) SHORT.get(buffer, base + offset) & 0xFFFF;
    }

    private void putShort(int offset, int value) {
        SHORT.set(buffer, base + offset, (short) value);
    }

    ByteBuffer buffer() {
        return buffer;
    }

    int base() {
        return base;
    }

    int id() {
        return id;
    }

    int count() {
        return unsignedShort(COUNT_OFFSET);
    }

    byte type() {
        return buffer.get(base + TYPE_OFFSET);
    }

    boolean isLeaf() {
        return type() == LEAF;
    }

    long version() {
        return (long) LONG.get(buffer, base + VERSION_OFFSET);
    }

    long replaced() {
        return (long) LONG.get(buffer, base + REPLACED_OFFSET);
    }

    void replaced(long version) {
        LONG.set(buffer, base + REPLACED_OFFSET, version);
    }

    int next() {
        return (int) INT.get(buffer, base + NEXT_OFFSET);
    }

    void next(int nextId) {
        INT.set(buffer, base + NEXT_OFFSET, nextId);
    }

    int prefixLength() {
        return unsignedShort(PREFIX_OFFSET);
    }

    int heapStart() {
        return unsignedShort(HEAP_OFFSET);
    }

    int freedBytes() {
        return unsignedShort(FREED_OFFSET);
    }

    int gap() {
        return heapStart() - HEADER_LENGTH - count() * SLOT_LENGTH;
    }

    /** All bytes that hold something, the header among them. */
    int usedBytes() {
        return LENGTH - gap() - freedBytes();
    }

    long slot(int index) {
        return (long) LONG.get(buffer, slotAt(index));
    }

    private int slotAt(int index) {
        return base + HEADER_LENGTH + index * SLOT_LENGTH;
    }

    static long headOf(long slot) {
        return slot >>> 32;
    }

    static int suffixLengthOf(long slot) {
        return (int) (slot >>> 16) & 0xFFFF;
    }

    static int offsetOf(long slot) {
        return (int) slot & 0xFFFF;
    }

    int keyLength(int index) {
        return prefixLength() + suffixLengthOf(slot(index));
    }

    /** What an entry takes, slot and heap, in a node of that type and prefix. */
    static int entryBytes(int valueLength, int keyLength, int prefixLength) {
        return SLOT_LENGTH + valueLength + Math.max(0, keyLength - prefixLength - HEAD_LENGTH);
    }

    int valueLength() {
        return type() == LEAF ? PLACE_LENGTH : CHILD_LENGTH;
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
            buffer.put(base + offset + valueLength, key.bytes(), prefix + HEAD_LENGTH, rest);
        }
        int slotAt = slotAt(index);
        if (index < count) {
            buffer.put(slotAt + SLOT_LENGTH, buffer, slotAt, (count - index) * SLOT_LENGTH);
        }
        LONG.set(buffer, slotAt, key.head(prefix) << 32 | (long) suffix << 16 | offset);
        putShort(HEAP_OFFSET, offset);
        putShort(COUNT_OFFSET, count + 1);
    }

    void remove(int index) {
        int count = count() - 1;
        long slot = slot(index);
        int bytes = valueLength() + Math.max(0, suffixLengthOf(slot) - HEAD_LENGTH);
        if (offsetOf(slot) == heapStart()) {
            putShort(HEAP_OFFSET, offsetOf(slot) + bytes);
        } else {
            putShort(FREED_OFFSET, freedBytes() + bytes);
        }
        int slotAt = slotAt(index);
        if (index < count) {
            buffer.put(slotAt, buffer, slotAt + SLOT_LENGTH, (count - index) * SLOT_LENGTH);
        }
        putShort(COUNT_OFFSET, count);
        if (count == 0) {
            clear();
        }
    }

    void readPrefix(KeyBuffer key) {
        int prefix = prefixLength();
        buffer.get(base + LENGTH - prefix, key.bytes(), 0, prefix);
        key.length(prefix);
    }

    /** Makes {@code key}, in which the prefix is already, the key of an entry. */
    void readSuffix(int index, KeyBuffer key) {
        long slot = slot(index);
        int prefix = prefixLength();
        int suffix = suffixLengthOf(slot);
        key.putHead(prefix, (int) headOf(slot));
        if (suffix > HEAD_LENGTH) {
            int at = base + offsetOf(slot) + valueLength();
            buffer.get(at, key.bytes(), prefix + HEAD_LENGTH, suffix - HEAD_LENGTH);
        }
        key.length(prefix + suffix);
    }

    void readKey(int index, KeyBuffer key) {
        readPrefix(key);
        readSuffix(index, key);
    }

    private int valueAt(int index) {
        return base + offsetOf(slot(index));
    }

    /** A leaf's. */
    long position(int index) {
        return (long) LONG.get(buffer, valueAt(index));
    }

    /** A leaf's. */
    int length(int index) {
        return (int) INT.get(buffer, valueAt(index) + Long.BYTES);
    }

    void putPlace(int index, long position, int length) {
        int at = valueAt(index);
        LONG.set(buffer, at, position);
        INT.set(buffer, at + Long.BYTES, length);
    }

    /** Copies what the entry at {@code from} of a node of the same type has besides its key. */
    void copyValue(int index, Node source, int from) {
        if (isLeaf()) {
            putPlace(index, source.position(from), source.length(from));
        } else {
            putChild(index + 1, source.child(from + 1));
        }
    }

    /** An inner node's: 0 to {@link #count}, one more than there are keys. */
    int child(int index) {
        return (int) INT.get(buffer, childAt(index));
    }

    void putChild(int index, int child) {
        INT.set(buffer, childAt(index), child);
    }

    private int childAt(int index) {
        return index == 0 ? base + FIRST_CHILD_OFFSET : valueAt(index - 1);
    }
}
