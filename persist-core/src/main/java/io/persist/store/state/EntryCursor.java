package io.persist.store.state;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.memory.MappedCrc;
import io.persist.store.layer.RemovedRange;
import io.persist.store.layer.ReplayedChanges;
import java.nio.ByteBuffer;

/**
 * Walks over the entries of one transaction. Every length is checked before it is used: the record's checksum proves
 * that these bytes were written, but not that a store wrote them.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class EntryCursor {

    private ByteBuffer payload = ByteBuffer.allocate(0);
    private long framePosition;
    private int start;
    private int end;
    private int count;
    private int done;
    private int entry;
    private int next;

    /**
     * Goes before the first entry of the transaction that is {@code record}, from its position to its limit and
     * little-endian, whose frame is at {@code position}.
     *
     * @throws CorruptLogException if it is no transaction
     * @throws UnsupportedFormatException if it is of a type that this version does not know
     */
    public EntryCursor wrap(ByteBuffer record, long position) {
        payload = record;
        framePosition = position;
        start = record.position();
        end = record.limit();
        if (end - start < TransactionLayout.HEADER_LENGTH) {
            throw malformed("no transaction");
        }
        byte type = TransactionLayout.type(payload, start);
        count = TransactionLayout.count(payload, start);
        if (Byte.toUnsignedInt(type) > TransactionLayout.TYPE_MOVES) {
            throw newer("transaction", type); // whose count may mean something else
        }
        // The index reserves memory for all of them before the first is looked at.
        int most = (end - start - TransactionLayout.HEADER_LENGTH) / TransactionLayout.ENTRY_HEADER_LENGTH;
        if (type == 0 || count < 0 || count > most) {
            throw malformed("no transaction: type=" + type + ", count=" + count);
        }
        done = 0;
        next = start + TransactionLayout.HEADER_LENGTH;
        return this;
    }

    /**
     * Moves to the next entry; false after the last.
     *
     * @throws CorruptLogException if what comes there is no entry
     * @throws UnsupportedFormatException if it is of a type that this version does not know
     */
    public boolean next() {
        if (done == count) {
            return false;
        }
        if (end - next < TransactionLayout.ENTRY_HEADER_LENGTH) {
            throw malformed("entry " + done + " of " + count + " is missing");
        }
        int keyLength = TransactionLayout.keyLength(payload, next);
        int valueLength = TransactionLayout.valueLength(payload, next);
        byte type = TransactionLayout.entryType(payload, next);
        int space = end - next - TransactionLayout.ENTRY_HEADER_LENGTH - keyLength;
        boolean isKey = keyLength >= 1 && keyLength <= KeyBuffer.MAX_LENGTH;
        boolean isEntry = isKey && valueLength >= 0 && valueLength <= space && type != 0;
        if (isEntry && Byte.toUnsignedInt(type) > TransactionLayout.ENTRY_REMOVE_RANGE) {
            throw newer("entry " + done, type);
        }
        if (!isEntry || type == TransactionLayout.ENTRY_REMOVE_RANGE && valueLength > KeyBuffer.MAX_LENGTH) {
            throw malformed("entry " + done + " has type=" + type + ", keyLength=" + keyLength + ", valueLength="
                    + valueLength);
        }
        entry = next;
        next += TransactionLayout.entryLength(keyLength, valueLength);
        done++;
        return true;
    }

    private CorruptLogException malformed(String what) {
        return new CorruptLogException(
                "the segment of this position", framePosition, "the record is not a transaction of a store: " + what);
    }

    private UnsupportedFormatException newer(String what, byte type) {
        return UnsupportedFormatException.newer(
                "",
                "unsupported " + what + " in the log of a store: type=" + Byte.toUnsignedInt(type) + ", position="
                        + framePosition + "; open it with the version of Persist that wrote it");
    }

    /** Whether compaction moved the entries: each is what it was, at another place. */
    public boolean isMove() {
        return TransactionLayout.type(payload, start) == TransactionLayout.TYPE_MOVES;
    }

    /** Whether the current entry gives its key a value; else it takes the key away. */
    public boolean isPut() {
        return TransactionLayout.isPut(payload, entry);
    }

    /** Whether the current entry takes all keys of a range away: its key is the first, its value where it ends. */
    public boolean removesRange() {
        return TransactionLayout.entryType(payload, entry) == TransactionLayout.ENTRY_REMOVE_RANGE;
    }

    /** The range of an entry that removes one. */
    RemovedRange removedRange() {
        return new RemovedRange(payload, entry, position());
    }

    /** Whether the current entry is the transaction's last one. */
    public boolean isLast() {
        return done == count;
    }

    /** The number of entries in the record. */
    int count() {
        return count;
    }

    /** Where the current entry begins in the log. */
    public long position() {
        return framePosition + Frame.HEADER_LENGTH + (entry - start);
    }

    /**
     * Copies the first {@code length} bytes of the current entry, which end with its value, to {@code target} from
     * {@code to} on; returns the checksum that the copy should have.
     */
    public int copyTo(byte[] target, int to, int length, MappedCrc crc) {
        return TransactionLayout.checksumOfCopy(payload, entry, target, to, length, crc);
    }

    /** The length of the current entry's key in bytes. */
    public int keyLength() {
        return TransactionLayout.keyLength(payload, entry);
    }

    /** The length of the current entry's value in bytes. */
    public int valueLength() {
        return TransactionLayout.valueLength(payload, entry);
    }

    /** Copies the key of the entry into {@code target}. */
    public void key(KeyBuffer target) {
        target.set(payload, keyIndex(), keyLength());
    }

    /** Adds the current entry, which changes one key, to {@code changes}. */
    void addTo(ReplayedChanges changes) {
        changes.add(payload, entry, position());
    }

    /** The index of the key in the payload's buffer. */
    public int keyIndex() {
        return TransactionLayout.keyIndex(entry);
    }

    /** The index of the value in the payload's buffer. */
    public int valueIndex() {
        return TransactionLayout.keyEnd(payload, entry);
    }

    /** The position of the entry that this one replaced, 0 if there was none or it was not recorded. */
    public long previous() {
        long previous = TransactionLayout.previous(payload, entry);
        boolean here = (TransactionLayout.entryFlags(payload, entry) & TransactionLayout.FLAG_PREVIOUS_HERE) != 0;
        return here ? framePosition + Frame.HEADER_LENGTH + previous : previous;
    }
}
