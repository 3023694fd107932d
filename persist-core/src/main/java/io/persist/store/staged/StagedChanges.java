package io.persist.store.staged;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.error.Limits;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.memory.MappedCrc;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.layer.RemovedRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The changes of a transaction that is open, in the form in which they will be on the log, with a hash table over their
 * keys so that the transaction sees its own writes.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once it has the size of the largest transaction.
 */
public final class StagedChanges {

    private static final int INITIAL_LENGTH = 1024;

    private final int maxLength;
    private final OldValues oldValues;
    private final MappedCrc crc = MappedCrc.ofCopies();
    private ByteBuffer buffer = newBuffer(INITIAL_LENGTH);
    private int length;
    private int count;
    private StagedKeys keys = new StagedKeys();

    /** The changes before this offset are in {@link #keys}. */
    private int entered;

    private StagedRanges ranges = new StagedRanges();

    /** Whether a commit has told of changes what they replace. */
    private boolean hasPrevious;

    /** {@code maxLength} is that of a record's payload. */
    public StagedChanges(int maxLength, OldValues oldValues) {
        this.maxLength = maxLength;
        this.oldValues = oldValues;
    }

    /** Forgets all changes. */
    public void clear() {
        length = TransactionLayout.HEADER_LENGTH;
        count = 0;
        entered = length;
        keys.clear();
        ranges.clear();
        hasPrevious = false;
    }

    /** A commit is about to tell of each change what it replaces in the store; what one before it has told goes. */
    public void beginPrevious() {
        if (hasPrevious) {
            entered = TransactionLayout.HEADER_LENGTH;
            keys.clear();
            enterNew();
        }
        hasPrevious = true;
    }

    /** Gives memory back, with the changes, if it is for more than {@code keptLength} bytes. */
    public void shrink(int keptLength) {
        if (buffer.capacity() > keptLength) {
            buffer = newBuffer(INITIAL_LENGTH);
            keys.shrink();
            clear();
        }
    }

    /** The number of changes. */
    public int count() {
        return count;
    }

    /** The payload's length, bytes. */
    public int length() {
        return length;
    }

    /** The most that the payload may have. */
    public int maxLength() {
        return maxLength;
    }

    /** The array that begins with the payload; another one after a change that makes it grow. */
    public byte[] array() {
        return buffer.array();
    }

    /** The buffer with the payload; valid until the next change is added. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Adds a put of {@code valueLength} bytes of {@code value} from {@code offset} on. */
    public void put(byte[] key, byte[] value, int offset, int valueLength) {
        int entry = begin(key.length, valueLength, TransactionLayout.ENTRY_PUT);
        buffer.put(keyIndex(entry), key);
        buffer.put(keyIndex(entry) + key.length, value, offset, valueLength);
        end(entry, key.length, valueLength);
    }

    /** Adds a put of what remains of {@code value}, whose position stays as it is. */
    public void put(byte[] key, ByteBuffer value) {
        int valueLength = value.remaining();
        int entry = begin(key.length, valueLength, TransactionLayout.ENTRY_PUT);
        buffer.put(keyIndex(entry), key);
        buffer.put(keyIndex(entry) + key.length, value, value.position(), valueLength);
        end(entry, key.length, valueLength);
    }

    /** Adds a put of a part of {@code key} and a part of {@code value}. */
    public void put(DirectBuffer key, int keyOffset, int keyLength, DirectBuffer value, int offset, int valueLength) {
        int entry = begin(keyLength, valueLength, TransactionLayout.ENTRY_PUT);
        key.getBytes(keyOffset, buffer.array(), keyIndex(entry), keyLength);
        value.getBytes(offset, buffer.array(), keyIndex(entry) + keyLength, valueLength);
        end(entry, keyLength, valueLength);
    }

    /** Adds {@code keyLength} and {@code valueLength} bytes of {@code source}, moved from {@code from}, or 0 if put. */
    public void move(ByteBuffer source, int index, int keyLength, int valueLength, long from) {
        int entry = begin(keyLength, valueLength, TransactionLayout.ENTRY_PUT);
        buffer.put(keyIndex(entry), source, index, keyLength + valueLength);
        TransactionLayout.putPrevious(buffer, entry, from, (byte) 0);
        end(entry, keyLength, valueLength);
    }

    /** Adds a remove of {@code key}. */
    public void remove(byte[] key) {
        remove(key, key.length);
    }

    /** Adds a remove of the first {@code keyLength} bytes of {@code key}. */
    public void remove(byte[] key, int keyLength) {
        int entry = begin(keyLength, 0, TransactionLayout.ENTRY_REMOVE);
        buffer.put(keyIndex(entry), key, 0, keyLength);
        end(entry, keyLength, 0);
    }

    /** Adds a remove of a part of {@code key}. */
    public void remove(DirectBuffer key, int offset, int keyLength) {
        int entry = begin(keyLength, 0, TransactionLayout.ENTRY_REMOVE);
        key.getBytes(offset, buffer.array(), keyIndex(entry), keyLength);
        end(entry, keyLength, 0);
    }

    /** Adds a removal of {@code range}; false, without one, if no key can be in it. */
    public boolean removeRange(KeyRange range) {
        byte[] first = range.firstKey();
        byte[] below = range.limit();
        boolean isAny = below == null || Arrays.compareUnsigned(first, below) < 0;
        if (isAny) {
            removeRange(first, below == null ? new byte[0] : below);
        }
        return isAny;
    }

    /** Removes all keys from {@code first} on and below {@code limit}, or all behind if that is empty. */
    public void removeRange(byte[] first, byte[] limit) {
        int entry = begin(first.length, limit.length, TransactionLayout.ENTRY_REMOVE_RANGE);
        buffer.put(keyIndex(entry), first);
        buffer.put(keyIndex(entry) + first.length, limit);
        ranges.ensureCapacity();
        end(entry, first.length, limit.length);
        ranges.add(entry);
    }

    /** Whether there is room for one more change of these lengths. */
    public boolean fits(int keyLength, int valueLength) {
        return length + TransactionLayout.longEntryLength(keyLength, valueLength) <= maxLength;
    }

    /** Space for a change; nothing is changed if it is refused, nor before {@link #end}. */
    private int begin(int keyLength, int valueLength, byte type) {
        Limits.check("key.length", keyLength, 1, KeyBuffer.MAX_LENGTH);
        if (!fits(keyLength, valueLength)) {
            throw new IllegalArgumentException("transaction is too long: value.length=" + valueLength
                    + ", transaction=" + length + " bytes before it, max=" + maxLength
                    + "; commit more often, or use larger segments");
        }
        int end = length + TransactionLayout.entryLength(keyLength, valueLength);
        if (end > buffer.capacity()) {
            ByteBuffer larger = newBuffer(Math.max(end, 2 * buffer.capacity()));
            larger.put(0, buffer, 0, length);
            buffer = larger;
        }
        buffer.putLong(end - Long.BYTES, 0); // the padding
        TransactionLayout.putEntryHeader(buffer, length, keyLength, valueLength, type);
        return length;
    }

    private void end(int entry, int keyLength, int valueLength) {
        if (entry != length) {
            count = Integer.MIN_VALUE; // no store takes it any more
            throw new IllegalStateException("two threads have used this batch at once: clear it");
        }
        int end = entry + TransactionLayout.entryLength(keyLength, valueLength);
        if (oldValues == OldValues.RECORD) {
            enterNew(end); // may throw for want of memory or stack: then the change is none
        }
        length = end;
        count++;
    }

    /** Brings the table up to date: a short transaction that reads nothing need not have it. */
    public void enterNew() {
        enterNew(length);
    }

    private void enterNew(int end) {
        for (int entry = entered; entry < end; entry = next(entry)) {
            int earlier = removesRange(entry) ? StagedKeys.NONE : keys.put(buffer, entry);
            if (earlier >= 0 && oldValues == OldValues.RECORD) {
                TransactionLayout.putPrevious(buffer, entry, earlier, TransactionLayout.FLAG_PREVIOUS_HERE);
            }
        }
        entered = end;
    }

    /** The offset of the last change of {@code key}, which may be a removal of a range; or a negative number. */
    public int find(KeyBuffer key) {
        enterNew();
        int changed = keys.find(buffer, key.bytes(), 0, key.length());
        return Math.max(changed, ranges.lastBefore(length, buffer, key.bytes(), 0, key.length()));
    }

    /** The offset of the last change of {@code key} alone, or a negative number; the table has to be up to date. */
    public int findEntered(KeyBuffer key) {
        return keys.find(buffer, key.bytes(), 0, key.length());
    }

    /** Takes the changes of {@code other}, which has none then; it gets the memory in exchange. */
    public void takeFrom(StagedChanges other) {
        clear(); // before any change has moved: what follows cannot fail
        ByteBuffer emptyBuffer = buffer;
        StagedKeys emptyKeys = keys;
        StagedRanges emptyRanges = ranges;
        buffer = other.buffer;
        keys = other.keys;
        ranges = other.ranges;
        length = other.length;
        count = other.count;
        entered = other.entered;
        hasPrevious = other.hasPrevious;
        other.buffer = emptyBuffer;
        other.keys = emptyKeys;
        other.ranges = emptyRanges;
        other.length = TransactionLayout.HEADER_LENGTH;
        other.count = 0;
        other.entered = TransactionLayout.HEADER_LENGTH;
        other.hasPrevious = false;
    }

    /** The ranges that are removed. */
    public StagedRanges ranges() {
        return ranges;
    }

    /** The offset of the change after the one at {@code entry}. */
    public int next(int entry) {
        return TransactionLayout.next(buffer, entry);
    }

    /** Whether the change at the index {@code entry} of the payload is a put. */
    public boolean isPut(int entry) {
        return TransactionLayout.isPut(buffer, entry);
    }

    /** Whether the change at the index {@code entry} of the payload removes a range. */
    public boolean removesRange(int entry) {
        return TransactionLayout.entryType(buffer, entry) == TransactionLayout.ENTRY_REMOVE_RANGE;
    }

    /** The range of a change that removes one, at its offset until {@link RemovedRange#appendedAt}. */
    public RemovedRange removedRange(int entry) {
        return new RemovedRange(buffer, entry, entry);
    }

    /** Whether the change replaces an earlier one of this transaction, whose offset it has as its previous one. */
    public boolean replacesEarlier(int entry) {
        return (TransactionLayout.entryFlags(buffer, entry) & TransactionLayout.FLAG_PREVIOUS_HERE) != 0;
    }

    /** Sets {@code target} to the key of the change at the index {@code entry}. */
    public void key(int entry, KeyBuffer target) {
        target.set(buffer.array(), keyIndex(entry), TransactionLayout.keyLength(buffer, entry));
    }

    /**
     * Makes the payload whole: its header, and the checksum of each change. Meanwhile another thread may look for a key
     * in it, whose bytes are others.
     */
    public void seal(byte type) {
        TransactionLayout.putHeader(buffer, 0, type, count);
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < length; entry = next(entry)) {
            int end = keyEnd(buffer, entry) + TransactionLayout.valueLength(buffer, entry);
            TransactionLayout.putChecksum(buffer, entry, TransactionLayout.checksumOf(buffer, entry, end, crc));
        }
    }

    /** The bytes that the transaction will take in the log, the frame included. */
    public int frameLength() {
        return Frame.aligned(Frame.HEADER_LENGTH + length);
    }

    private static ByteBuffer newBuffer(int capacity) {
        return ByteBuffer.allocate((capacity + 7) & -8).order(ByteOrder.LITTLE_ENDIAN);
    }
}
