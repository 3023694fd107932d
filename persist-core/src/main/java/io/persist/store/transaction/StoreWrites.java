package io.persist.store.transaction;

import io.persist.codec.Encoder;
import io.persist.codec.MessageOutput;
import io.persist.error.Limits;
import io.persist.index.node.KeyBuffer;
import io.persist.memory.ReusedBuffer;
import io.persist.store.KeyRange;
import io.persist.store.staged.StagedChanges;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Changes that are gathered, and become part of a store all at once: in a {@link Transaction}, an {@link
 * OptimisticTransaction} or a {@link WriteBatch}. Each of these says which threads may call it. Keys and values are
 * copied at once.
 *
 * <p><b>Errors:</b> an {@link IllegalArgumentException} if a key is not of 1 to 1024 bytes, or all changes together
 * would be longer than a record of the log can be; nothing was changed.
 */
public abstract sealed class StoreWrites permits TransactionReads, OptimisticTransaction, WriteBatch {

    private @Nullable MessageOutput output; // encoders write to it; null until there is one, and while it is in use

    StoreWrites() {}

    /** The changes so far. */
    abstract StagedChanges open();

    /** The same, for what adds one. */
    abstract StagedChanges usable();

    /** Gives {@code key} the value {@code value}. An empty value is a value. */
    public void put(byte[] key, byte[] value) {
        put(key, value, 0, value.length);
    }

    /** Puts {@code length} bytes of {@code value} from {@code offset} on, as {@link #put(byte[], byte[])} does. */
    public void put(byte[] key, byte[] value, int offset, int length) {
        StagedChanges staged = usable();
        Objects.checkFromIndexSize(offset, length, value.length);
        staged.put(key, value, offset, length);
    }

    /** Puts what remains of {@code value}, whose position stays as it is, as {@link #put(byte[], byte[])} does. */
    public void put(byte[] key, ByteBuffer value) {
        usable().put(key, value);
    }

    /** Puts ranges of buffers, as {@link #put(byte[], byte[])} does. */
    public void put(
            DirectBuffer key, int keyOffset, int keyLength, DirectBuffer value, int valueOffset, int valueLength) {
        StagedChanges staged = usable();
        key.boundsCheck(keyOffset, keyLength);
        value.boundsCheck(valueOffset, valueLength);
        staged.put(key, keyOffset, keyLength, value, valueOffset, valueLength);
    }

    /**
     * Puts {@code value} as {@code encoder} writes it, as {@link #put(byte[], byte[])} does.
     *
     * @throws java.io.UncheckedIOException if the encoder cannot write it; nothing was changed
     */
    public <T> void put(byte[] key, T value, Encoder<? super T> encoder) {
        usable();
        MessageOutput encoded = output == null ? new MessageOutput() : output;
        output = null; // an encoder that puts something else gets another one
        try {
            int length = encoded.encode(value, encoder);
            usable().put(key, encoded.array(), 0, length); // it may have ended the transaction
        } finally {
            output = encoded.array().length <= ReusedBuffer.MAX_KEPT ? encoded : null;
        }
    }

    /** Removes {@code key}; it need not be there. */
    public void remove(byte[] key) {
        usable().remove(key);
    }

    /** Removes the key that is {@code length} bytes of {@code key} from {@code offset} on. */
    public void remove(DirectBuffer key, int offset, int length) {
        StagedChanges staged = usable();
        key.boundsCheck(offset, length);
        staged.remove(key, offset, length);
    }

    /**
     * Removes all keys of {@code range}: those that are there at the moment of the commit, and those that were put here
     * before; what is put here afterwards stays. It is one change, however many keys there are, and there need not be
     * any. A reader of changes sees the range, and not each key.
     *
     * <p>The commit takes the keys out of the index before it returns, as {@link io.persist.StoreLogger
     * StoreLogger.removeRange} does: in small steps between which other threads go on.
     */
    public void removeRange(KeyRange range) {
        usable().removeRange(range);
    }

    /** How many changes there are: each put and each remove, also if a later one replaces it. */
    public int changes() {
        return open().count();
    }

    /** How many bytes they have by now: 8, and for each 24 and its key and value, rounded up to a multiple of 8. */
    public int bytes() {
        return open().length();
    }

    /** How many bytes they may have: they have to fit a record of the log, so that depends on its segments. */
    public int maxBytes() {
        return open().maxLength();
    }

    /**
     * Whether a put of a key and a value of these lengths fits, or has to wait for the next commit; of a remove the
     * value has 0 bytes.
     *
     * @param keyLength 1 to 1024
     * @param valueLength 0 or more
     */
    public boolean fits(int keyLength, int valueLength) {
        Limits.check("key.length", keyLength, 1, KeyBuffer.MAX_LENGTH);
        Limits.check("value.length", valueLength, 0, Integer.MAX_VALUE);
        return open().fits(keyLength, valueLength);
    }
}
