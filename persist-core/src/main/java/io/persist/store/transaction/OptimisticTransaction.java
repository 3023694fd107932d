package io.persist.store.transaction;

import io.persist.log.Durability;
import io.persist.store.core.StoreCore;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is committed only if nothing that it has read was changed since: no lock is held meanwhile, and
 * who comes second begins anew.
 *
 * <pre>{@code
 * boolean committed = false;
 * while (!committed) {
 *     try (OptimisticTransaction transaction = store.beginOptimistic()) {
 *         byte[] value = transaction.get(key);
 *         transaction.put(key, next(value));
 *         committed = transaction.tryCommit();
 *     }
 * }
 * }</pre>
 *
 * <p>What it has read is what {@link #get} was asked for, also where there was no value. When {@link #tryCommit}
 * returns true, all of that was so at the moment of the commit: as if the transactions had run one after the other.
 * So there is no lost update, and no write skew. Before that, two reads may be of different moments; what is concluded
 * from them must do no harm until {@code tryCommit} has returned true. A transaction that only reads can be committed
 * too, at the cost of an empty record: then it says whether its reads belong together.
 *
 * <p>Not covered is what was read in another way, by the store's {@code get}, by a scan, or by {@code floorEntry}: a
 * new key in a range is not noticed. For that, have all who change the range put one key that all of them read.
 *
 * <p>Compaction that moves a value which was read counts as a change; that is rare.
 *
 * <p><b>Threads:</b> the one that began it; it is that thread's open transaction. <b>Allocation:</b> some for each key
 * that is read, and its value.
 */
public final class OptimisticTransaction implements AutoCloseable {

    private final Transaction transaction;
    private boolean open = true;

    OptimisticTransaction(Transaction transaction) {
        this.transaction = transaction;
    }

    private Transaction open() {
        if (!open) {
            throw new IllegalStateException("this transaction has ended: begin a new one");
        }
        return transaction;
    }

    /**
     * The value of {@code key} as this transaction sees it, a copy: its own, or else the committed one, which it then
     * depends on. Null if there is none.
     *
     * @throws io.persist.error.CorruptLogException if the value is damaged
     */
    public byte @Nullable [] get(byte[] key) {
        return open().getBytes(key);
    }

    /** Puts, as {@link Transaction#put(byte[], byte[])} does. */
    public void put(byte[] key, byte[] value) {
        open().put(key, value);
    }

    /** Puts what remains of {@code value}, as {@link Transaction#put(byte[], ByteBuffer)} does. */
    public void put(byte[] key, ByteBuffer value) {
        open().put(key, value);
    }

    /** Removes, as {@link Transaction#remove(byte[])} does. */
    public void remove(byte[] key) {
        open().remove(key);
    }

    /** Tries to commit with the configured durability, as {@link #tryCommit(Durability)} does. */
    public boolean tryCommit() {
        return tryCommit(transaction.configuredDurability());
    }

    /**
     * Makes the changes part of the store and waits for {@code level}, unless something that was read has changed. It
     * fails as {@link Transaction#commit(Durability)} does; {@link #isOpen} then says whether it can be tried again.
     *
     * @return false if something has changed; then nothing was written, and the transaction has ended as by {@link
     *     #rollback}
     */
    public boolean tryCommit(Durability level) {
        boolean committed = open().commit(level) != StoreCore.REFUSED;
        close();
        return committed;
    }

    /**
     * Tries to commit, and waits for {@code level} at most so long, as {@link Transaction#commit(Durability, Duration)}
     * does.
     *
     * @return false if something has changed, as {@link #tryCommit(Durability)} does
     * @throws io.persist.error.CommitTimeoutException if the time ran out first; the changes are part of the store
     */
    public boolean tryCommit(Durability level, Duration timeout) {
        boolean committed = open().commit(level, timeout) != StoreCore.REFUSED;
        close();
        return committed;
    }

    /** Whether it was neither committed, nor refused, nor rolled back. */
    public boolean isOpen() {
        return open && transaction.isOpen();
    }

    /** Forgets the changes. */
    public void rollback() {
        open();
        close();
    }

    /** Forgets the changes if the transaction is still open. */
    @Override
    public void close() {
        if (open) {
            open = false;
            transaction.close();
        }
    }
}
