package io.persist.index.node;

import java.nio.ByteBuffer;

/**
 * A window on the first {@value #LENGTH} bytes of a {@link Node}. All integers are little-endian, and
 * so is the order of each buffer that a window is moved to. They are read by the buffer's own methods: until C2 has
 * compiled the callers, a {@code VarHandle} takes twice their time, which the first seconds of a JVM show.
 *
 * <pre>
 *   0   u16  count      of the entries
 *   2   u8   level      0 is a leaf
 *   4   i32  child      an inner node's first child
 *   8   i64  version    in which the node was made
 *   16  i64  replaced   in which it left the tree, while snapshots may still need it
 *   24  i32  next       the next of a list of nodes
 *   28  u16  prefix     the length of what all keys of the node begin with
 *   30  u16  heap       where the heap starts
 *   32  u16  freed      bytes of the heap that are not in use
 *   34  u16  put        the index right after the last entry that was put; 0 if that is not known
 *   36  u32  reserved
 * </pre>
 *
 * <p>Part of the file format, since a checkpoint has nodes as they are. Never change; add.
 */
class NodeHeader {

    static final int LENGTH = 40;

    public static final int NONE = -1;

    /** The level of leaves. */
    public static final int LEAF = 0;

    private static final int COUNT_OFFSET = 0;
    private static final int LEVEL_OFFSET = 2;
    static final int FIRST_CHILD_OFFSET = 4;
    private static final int VERSION_OFFSET = 8;
    static final int REPLACED_OFFSET = 16;
    static final int NEXT_OFFSET = 24;
    private static final int PREFIX_OFFSET = 28;
    private static final int HEAP_OFFSET = 30;
    private static final int FREED_OFFSET = 32;
    private static final int PUT_OFFSET = 34;

    private static final ByteBuffer NOWHERE = ByteBuffer.allocate(0);

    private ByteBuffer buffer = NOWHERE;
    private int base;
    private int id = NONE;

    final void moveTo(ByteBuffer newBuffer, int newBase, int newId) {
        buffer = newBuffer;
        base = newBase;
        id = newId;
    }

    /** Where the node lies. */
    public final ByteBuffer buffer() {
        return buffer;
    }

    /** The index of the node's first byte in the buffer. */
    public final int base() {
        return base;
    }

    public final int id() {
        return id;
    }

    private int unsignedShort(int offset) {
        return buffer.getShort(base + offset) & 0xFFFF;
    }

    private void putShort(int offset, int value) {
        buffer.putShort(base + offset, (short) value);
    }

    public final int count() {
        return unsignedShort(COUNT_OFFSET);
    }

    final void count(int count) {
        putShort(COUNT_OFFSET, count);
    }

    final boolean isLeaf() {
        return level() == LEAF;
    }

    /** How far it is above the leaves: 0 for a leaf. */
    public final int level() {
        return buffer.get(base + LEVEL_OFFSET) & 0xFF;
    }

    final void level(int level) {
        buffer.put(base + LEVEL_OFFSET, (byte) level);
    }

    public final long version() {
        return buffer.getLong(base + VERSION_OFFSET);
    }

    final void version(long version) {
        buffer.putLong(base + VERSION_OFFSET, version);
    }

    public final long replaced() {
        return buffer.getLong(base + REPLACED_OFFSET);
    }

    public final void replaced(long version) {
        buffer.putLong(base + REPLACED_OFFSET, version);
    }

    final int next() {
        return buffer.getInt(base + NEXT_OFFSET);
    }

    final void next(int nextId) {
        buffer.putInt(base + NEXT_OFFSET, nextId);
    }

    final int prefixLength() {
        return unsignedShort(PREFIX_OFFSET);
    }

    final void prefixLength(int length) {
        putShort(PREFIX_OFFSET, length);
    }

    final int heapStart() {
        return unsignedShort(HEAP_OFFSET);
    }

    final void heapStart(int offset) {
        putShort(HEAP_OFFSET, offset);
    }

    final int freedBytes() {
        return unsignedShort(FREED_OFFSET);
    }

    final void freedBytes(int bytes) {
        putShort(FREED_OFFSET, bytes);
    }

    final int afterLastPut() {
        return unsignedShort(PUT_OFFSET);
    }

    final void afterLastPut(int index) {
        putShort(PUT_OFFSET, index);
    }
}
