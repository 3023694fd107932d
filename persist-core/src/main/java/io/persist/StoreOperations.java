package io.persist;

import io.persist.codec.Encoder;
import io.persist.log.Durability;
import io.persist.store.KeyRange;
import io.persist.store.engine.StoreEngine;
import io.persist.store.transaction.SingleOperations;
import io.persist.store.transaction.Transaction;
import io.persist.store.transaction.WriteBatch;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a {@link StoreLogger} changes: a key, a range of keys, or a batch. Each call is a transaction of its
 * own, whether or not the thread has one open.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none, but for a value that is returned.
 *
 * <p><b>Errors:</b> as {@link Transaction#commit(Durability)}; an {@link IllegalArgumentException} if a key is not of 1
 * to 1024 bytes, or key and value are longer than a record of the log can be.
 */
public abstract sealed class StoreOperations extends StoreJournal permits StoreLogger {

    final SingleOperations single;

    StoreOperations(StoreEngine engine) {
        super(engine);
        this.single = engine.single();
    }

    /** Puts with the configured durability, as {@link #put(byte[], byte[], Durability)} does. */
    public long put(byte[] key, byte[] value) {
        return put(key, value, single.durability());
    }

    /**
     * Gives {@code key} the value {@code value}, in a transaction of its own; an open transaction of the thread is not
     * touched. It waits for {@code level} and throws as {@link Transaction#commit(Durability)} does.
     *
     * @return the position right after the transaction in the log
     * @throws IllegalArgumentException if the key is not of 1 to 1024 bytes, or key and value are longer than a record
     *     of the log can be
     */
    public long put(byte[] key, byte[] value, Durability level) {
        return single.put(key, value, level);
    }

    /** Puts a part of {@code value} with the configured durability. */
    public long put(byte[] key, byte[] value, int offset, int length) {
        return put(key, value, offset, length, single.durability());
    }

    /** Puts {@code length} bytes of {@code value} from {@code offset} on. */
    public long put(byte[] key, byte[] value, int offset, int length, Durability level) {
        return single.put(key, value, offset, length, level);
    }

    /** Puts what remains of {@code value} with the configured durability. */
    public long put(byte[] key, ByteBuffer value) {
        return put(key, value, single.durability());
    }

    /** Puts what remains of {@code value}, whose position stays as it is. */
    public long put(byte[] key, ByteBuffer value, Durability level) {
        return single.put(key, value, level);
    }

    /** Puts ranges of buffers with the configured durability. */
    public long put(
            DirectBuffer key, int keyOffset, int keyLength, DirectBuffer value, int valueOffset, int valueLength) {
        return put(key, keyOffset, keyLength, value, valueOffset, valueLength, single.durability());
    }

    /** Puts ranges of buffers. */
    public long put(
            DirectBuffer key,
            int keyOffset,
            int keyLength,
            DirectBuffer value,
            int valueOffset,
            int valueLength,
            Durability level) {
        return single.put(key, keyOffset, keyLength, value, valueOffset, valueLength, level);
    }

    /** Puts {@code value} as {@code encoder} writes it, with the configured durability. */
    public <T> long put(byte[] key, T value, Encoder<? super T> encoder) {
        return put(key, value, encoder, single.durability());
    }

    /**
     * Puts {@code value} as {@code encoder} writes it. The encoder may use the store.
     *
     * @throws java.io.UncheckedIOException if the encoder cannot write it; nothing was changed
     */
    public <T> long put(byte[] key, T value, Encoder<? super T> encoder, Durability level) {
        return single.put(key, value, encoder, level);
    }

    /** Removes with the configured durability, as {@link #remove(byte[], Durability)} does. */
    public boolean remove(byte[] key) {
        return remove(key, single.durability());
    }

    /**
     * Removes {@code key}, in a transaction of its own, as {@link #put(byte[], byte[], Durability)} puts.
     *
     * @return whether the key was there; if not, nothing is written, and the call does not wait
     */
    public boolean remove(byte[] key, Durability level) {
        return single.remove(key, level);
    }

    /** Removes the key that is a part of {@code key}, with the configured durability. */
    public boolean remove(DirectBuffer key, int offset, int length) {
        return remove(key, offset, length, single.durability());
    }

    /** Removes the key that is {@code length} bytes of {@code key} from {@code offset} on. */
    public boolean remove(DirectBuffer key, int offset, int length, Durability level) {
        return single.remove(key, offset, length, level);
    }

    /** Writes with the configured durability, as {@link #write(WriteBatch, Durability)} does. */
    public long write(WriteBatch batch) {
        return write(batch, single.durability());
    }

    /**
     * Makes all changes of {@code batch} part of the store, at one moment and as one record of the log: after any crash
     * all of them are there, or none. The batch stays as it is, and may be changed as soon as this returns. It waits
     * for {@code level} and throws as {@link Transaction#commit(Durability)} does; without changes it writes nothing,
     * and waits for what was committed before.
     *
     * @return the position right after the transaction in the log; without changes, the end of the log
     * @throws IllegalArgumentException if the batch has more than {@link #maxBytes}; nothing was changed
     * @throws IllegalStateException also if two threads have used the batch at once; nothing was changed
     */
    public long write(WriteBatch batch, Durability level) {
        return single.write(batch, level);
    }

    /** How many bytes a transaction or a batch may have: it has to fit a record, so that depends on the segments. */
    public int maxBytes() {
        return single.maxBytes();
    }

    /** Gets and puts with the configured durability, as {@link #getAndPut(byte[], byte[], Durability)} does. */
    public @Nullable ByteBuffer getAndPut(byte[] key, byte[] value) {
        return getAndPut(key, value, single.durability());
    }

    /**
     * Puts, as {@link #put(byte[], byte[], Durability)} does, and returns the value that this one replaces: no change
     * of another thread comes in between. It costs a get and a commit; after a change by another thread, or a move by
     * compaction, between the two it begins anew.
     *
     * @return the value before as {@link StoreLogger#get(byte[])} has it; null if there was none
     * @throws io.persist.error.CorruptLogException if the value before is damaged; nothing was changed
     */
    public @Nullable ByteBuffer getAndPut(byte[] key, byte[] value, Durability level) {
        return single.getAndPut(key, value, level);
    }

    /** Gets and removes with the configured durability, as {@link #getAndRemove(byte[], Durability)} does. */
    public @Nullable ByteBuffer getAndRemove(byte[] key) {
        return getAndRemove(key, single.durability());
    }

    /**
     * Removes, as {@link #remove(byte[], Durability)} does, and returns the value that is gone: of several threads that
     * remove a key one gets its value. It costs what {@link #getAndPut(byte[], byte[], Durability)} does.
     *
     * @return the value as {@link StoreLogger#get(byte[])} has it; null if there was none: then nothing is written, and
     *     nothing waited for
     * @throws io.persist.error.CorruptLogException if the value is damaged; nothing was changed
     */
    public @Nullable ByteBuffer getAndRemove(byte[] key, Durability level) {
        return single.getAndRemove(key, level);
    }

    /** Removes with the configured durability, as {@link #removeRange(KeyRange, Durability)} does. */
    public boolean removeRange(KeyRange range) {
        return removeRange(range, single.durability());
    }

    /**
     * Removes all keys of {@code range} at one moment; after any crash all of them are removed, or none. That is one
     * short record, however many keys there are. This method takes the keys out of the index before it returns, in
     * small steps between which other threads go on; none of them sees these keys any more. Readers of changes see the
     * range, and not each key. It throws as {@link Transaction#commit(Durability)} does.
     *
     * @return whether there was any key; if not, nothing is written, and the call does not wait
     */
    public boolean removeRange(KeyRange range, Durability level) {
        return single.removeRange(range, level);
    }

    /** As {@link #compareAndSet(byte[], byte[], byte[], Durability)}, with the configured durability. */
    public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
        return compareAndSet(key, expected, value, single.durability());
    }

    /**
     * Gives {@code key} the value {@code value} if it has the value {@code expected}, at one moment: of several threads
     * that expect the same value one succeeds. It costs a get, and a commit if it succeeds. The values are compared
     * byte by byte, outside of the store's lock; if another thread changes the key meanwhile, the method compares
     * again. It throws as {@link Transaction#commit(Durability)} does.
     *
     * @param expected null if the key must not be there
     * @param value null if the key is to be removed
     * @return whether the key had the expected value; if not, nothing is written, and the call does not wait
     * @throws io.persist.error.CorruptLogException if the present value is damaged
     */
    public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value, Durability level) {
        return single.compareAndSet(key, expected, value, level);
    }
}
