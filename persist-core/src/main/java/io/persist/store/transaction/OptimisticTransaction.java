package io.persist.store.transaction;

import io.persist.codec.Encoder;
import io.persist.error.Limits;
import io.persist.index.node.KeyBuffer;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreEntry;
import io.persist.store.core.StoreCommits;
import io.persist.store.layer.Neighbours;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.store.staged.StagedChanges;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is committed only if nothing that it has read was changed since. No lock is held meanwhile; of two
 * transactions that conflict, the one that commits second has to begin anew.
 *
 * <pre>{@code
 * boolean committed = false;
 * while (!committed) {
 *     try (OptimisticTransaction transaction = store.beginOptimistic()) {
 *         byte[] value = transaction.getBytes(key);
 *         transaction.put(key, next(value));
 *         committed = transaction.tryCommit();
 *     }
 * }
 * }</pre>
 *
 * <p>The transaction has read each key that a get or {@link #contains} was called for, also one without a value; and
 * what its {@linkplain #scan scans} have gone past: the keys that they have shown, and that there are no others between
 * these. When {@link #tryCommit} returns true, all of that was still so: as if the transactions had run one after the
 * other. So there is no lost update, no write skew, and no phantom. Before that, two reads may be of different moments;
 * do nothing that cannot be undone until {@code tryCommit} has returned true. A transaction that only reads can be
 * committed too, and writes nothing: then {@code tryCommit} says whether all reads were of one moment.
 *
 * <p>A key that is put anew has changed, also if its value has the same bytes. A key that was not there when it was
 * read, and that was put and removed since, is as it was: that is no change. Reads by the store itself, and by its
 * scans, are not covered.
 *
 * <p>Compaction that moves a value which was read is no change. Rarely it is taken for one: if it has moved very much
 * since, or the value together with one that was put since.
 *
 * <p><b>Threads:</b> the thread that began it, whose open transaction it is. <b>Allocation:</b> some for each get and
 * each scan, and the results. Until the end it keeps each key of a get; of a scan some hundred bytes, however many keys
 * it shows, and what it needs to know of the changes that the transaction had made before in its range.
 *
 * <p><b>Errors:</b> as {@link Transaction}; after the end every method but {@link #isOpen} and {@link #close} throws an
 * {@link IllegalStateException}.
 */
public final class OptimisticTransaction extends StoreWrites implements StoreReads, AutoCloseable {

    private final Transaction transaction;
    private final long number; // a later transaction of the thread is the same object

    OptimisticTransaction(Transaction transaction) {
        this.transaction = transaction;
        this.number = transaction.number();
    }

    private Transaction transaction() {
        if (transaction.number() != number) {
            throw new IllegalStateException("this transaction has ended: begin a new one");
        }
        return transaction;
    }

    @Override
    StagedChanges open() {
        return transaction().open();
    }

    @Override
    StagedChanges usable() {
        return transaction().usable();
    }

    /**
     * The value of {@code key} as this transaction sees it: the transaction's own, or else the committed one; null if
     * there is none. If it is the committed one, the commit depends on it. The buffer is read-only and little-endian,
     * and never changes.
     *
     * @param key 1 to 1024 bytes
     * @throws io.persist.error.CorruptLogException if the value is damaged
     */
    @Override
    public @Nullable ByteBuffer get(byte[] key) {
        return transaction().get(key);
    }

    @Override
    public @Nullable ByteBuffer get(DirectBuffer key, int offset, int length) {
        return transaction().get(key, offset, length);
    }

    /** The value in an array of its own, as {@link #get(byte[])} has it; null if there is none. */
    @Override
    public byte @Nullable [] getBytes(byte[] key) {
        return transaction().getBytes(key);
    }

    /**
     * The value as {@link #get(byte[])} has it, in the buffer that {@link Transaction#getUntilNext} lends; null if
     * there is none.
     */
    @Override
    public @Nullable ByteBuffer getUntilNext(byte[] key) {
        return transaction().getUntilNext(key);
    }

    @Override
    public @Nullable ByteBuffer getUntilNext(DirectBuffer key, int offset, int length) {
        return transaction().getUntilNext(key, offset, length);
    }

    /**
     * Whether there is {@code key}, as this transaction sees it; the commit depends on it as after {@link
     * #get(byte[])}.
     */
    @Override
    public boolean contains(byte[] key) {
        return transaction().contains(key);
    }

    /**
     * Opens a scan of {@code range} that shows what is committed, and the transaction's own writes, as both are now.
     * The commit depends on what it has gone past by then: from where it began to the key that {@link StoreScan#next}
     * came to last; on all of the range once {@code next} has returned false. What others change behind that does not
     * matter. Nor do keys that this transaction had changed, or removed with a range, when the scan was opened: it does
     * not show what others have there.
     *
     * <p>It belongs to this thread, and throws {@link IllegalStateException} once the transaction has ended; the caller
     * has to close it, before or after that. There may be several.
     *
     * @throws io.persist.error.CorruptLogException if a node of the index is damaged; nothing is open then
     */
    @Override
    public StoreScan scan(KeyRange range, Direction direction) {
        return transaction().scan(range, direction);
    }

    /**
     * {@inheritDoc}
     *
     * <p>This is a {@link #scan} that ends at its first key, and costs what a scan costs to open. The commit depends on
     * that key, and on that there is none between it and {@code key}; or none at all if it returns null.
     */
    @Override
    public @Nullable StoreEntry neighbour(byte[] key, Neighbour which) {
        Limits.check("key.length", key.length, 1, KeyBuffer.MAX_LENGTH);
        KeyRange beside = switch (which) {
            case LOWER -> KeyRange.below(key);
            case FLOOR -> KeyRange.through(key);
            case CEILING -> KeyRange.from(key);
            case HIGHER -> KeyRange.after(key);
        };
        try (StoreScan scan = scan(beside, Neighbours.direction(which))) {
            return scan.next() ? new StoreEntry(scan.keyBytes(), scan.valueBytes()) : null;
        }
    }

    @Override
    public <T> void put(byte[] key, T value, Encoder<? super T> encoder) {
        transaction().put(key, value, encoder); // which keeps the memory for the next one
    }

    /** {@inheritDoc} The commit does not depend on what is in the range. */
    @Override
    public void removeRange(KeyRange range) {
        super.removeRange(range);
    }

    /** Puts, and returns the value before, as {@link #get(byte[])} has it; the transaction depends on it. */
    public @Nullable ByteBuffer getAndPut(byte[] key, byte[] value) {
        ByteBuffer before = get(key);
        put(key, value);
        return before;
    }

    /** Removes, and returns the value before, as {@link #get(byte[])} has it; the transaction depends on it. */
    public @Nullable ByteBuffer getAndRemove(byte[] key) {
        ByteBuffer before = get(key);
        remove(key);
        return before;
    }

    /** Tries to commit with the configured durability, as {@link #tryCommit(Durability)} does. */
    public boolean tryCommit() {
        return tryCommit(transaction.configuredDurability());
    }

    /**
     * Makes the changes part of the store and waits for {@code level}, unless something that was read has changed. It
     * throws as {@link Transaction#commit(Durability)} does; {@link #isOpen} then says whether it can be tried again.
     *
     * <p>What was read is looked at while other commits wait, in some 10 microseconds: each key of a get is looked up,
     * and what scans have shown is counted. More than 64 gets are looked up before that, in steps between which others
     * commit. Scans that have shown more than 4,096 keys are looked at before it, too, while others go on; so are scans
     * if the index has yet to get a large transaction, or a part of it is not in memory. That takes a snapshot, as to
     * open a scan does. A key that another thread puts and removes in that time counts as changed. After a large
     * transaction of another thread in that time such scans do, too, and the gets are looked up while others wait; so
     * they are if it has removed a range.
     *
     * @return false if something has changed; then nothing was written, and the transaction has ended as after {@link
     *     #rollback}
     */
    public boolean tryCommit(Durability level) {
        boolean committed = transaction().commit(level) != StoreCommits.REFUSED;
        close();
        return committed;
    }

    /**
     * Tries to commit, and waits at most {@code timeout} for {@code level}, as {@link Transaction#commit(Durability,
     * Duration)} does.
     *
     * @return false if something has changed, as {@link #tryCommit(Durability)} does
     * @throws io.persist.error.CommitTimeoutException if the time ran out first; the changes are part of the store
     */
    public boolean tryCommit(Durability level, Duration timeout) {
        boolean committed = transaction().commit(level, timeout) != StoreCommits.REFUSED;
        close();
        return committed;
    }

    /**
     * Tries to commit, to be SYNCED at most {@code maxDelay} from then, and does not wait for the sync, as {@link
     * Transaction#commitWithin} does. The store's {@code position}, asked afterwards, is one up to which the
     * transaction is covered.
     *
     * @return false if something has changed, as {@link #tryCommit(Durability)} does
     * @throws IllegalArgumentException if {@code maxDelay} is negative; the transaction is still open
     */
    public boolean tryCommitWithin(Duration maxDelay) {
        boolean committed = transaction().commitWithin(maxDelay) != StoreCommits.REFUSED;
        close();
        return committed;
    }

    /** Whether the transaction was neither committed, nor refused, nor rolled back. */
    public boolean isOpen() {
        return transaction.number() == number && transaction.isOpen();
    }

    /** Forgets the changes and ends the transaction. */
    public void rollback() {
        transaction();
        close();
    }

    /** Forgets the changes if the transaction is still open. */
    @Override
    public void close() {
        if (transaction.number() == number) {
            transaction.close(); // refuses another thread
        }
    }
}
