package io.persist.shard.location.journal;

import io.persist.StoreLogger;
import io.persist.error.CommitTimeoutException;
import io.persist.error.CorruptLogException;
import io.persist.error.IndexFullException;
import io.persist.error.LogFullException;
import io.persist.error.PersistException;
import io.persist.format.TransactionLayout;
import io.persist.log.Durability;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.NewestVersion;
import io.persist.shard.location.Version;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Versions in a {@link StoreLogger}. The newest one of each key is in memory, too, and is shown when it is on the
 * device.
 */
public final class JournalConsensus implements Consensus {

    private final StoreLogger store;
    private final int mostBytes;
    private final Map<String, NewestVersion> newest = new ConcurrentHashMap<>();

    /** The first failure of a write; whether that one happened is not known before the store is opened again. */
    private final AtomicReference<@Nullable PersistException> failed = new AtomicReference<>();

    private JournalConsensus(StoreLogger store) {
        this.store = store;
        try (Transaction empty = store.begin()) {
            int longestChange = (empty.maxBytes() - TransactionLayout.HEADER_LENGTH) & -TransactionLayout.ALIGNMENT;
            this.mostBytes = longestChange - TransactionLayout.ENTRY_HEADER_LENGTH - VersionKeys.MAX_LENGTH;
        }
    }

    /**
     * A consensus in {@code store}, which it closes.
     *
     * @throws DamagedShardException if there is something else in the store, or the newest version of a key is damaged
     * @throws PersistException if it cannot be read
     */
    public static JournalConsensus over(StoreLogger store) {
        JournalConsensus consensus = new JournalConsensus(store);
        byte @Nullable [] last = null;
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                byte[] key = scan.keyBytes();
                if (!VersionKeys.isOne(key)) {
                    throw new DamagedShardException("the store has other keys than those of versions", null);
                }
                if (last != null && !VersionKeys.keyOf(last).equals(VersionKeys.keyOf(key))) {
                    consensus.load(last);
                }
                last = key;
            }
        }
        if (last != null) {
            consensus.load(last);
        }
        return consensus;
    }

    private void load(byte[] stored) {
        of(VersionKeys.keyOf(stored)).publish(read(stored));
    }

    private Version read(byte[] stored) {
        String key = VersionKeys.keyOf(stored);
        try {
            byte[] data = store.getBytes(stored);
            if (data == null) {
                throw new DamagedShardException("key=" + key + ": a version is gone", null);
            }
            return new Version(VersionKeys.numberOf(stored), data);
        } catch (CorruptLogException corrupt) {
            throw damaged(key, corrupt);
        }
    }

    /** It is so at each repetition. The store's own advice, to remove the key, would lose a version. */
    private static DamagedShardException damaged(String key, CorruptLogException corrupt) {
        return new DamagedShardException(
                "key=" + key + ": the journal is damaged, file=" + corrupt.file() + ", position=" + corrupt.position()
                        + "; restore the journal from a backup",
                corrupt);
    }

    private NewestVersion of(String key) {
        return newest.computeIfAbsent(Blob.checkName(key), missing -> new NewestVersion());
    }

    @Override
    public List<String> keys() {
        return newest.entrySet().stream()
                .filter(entry -> entry.getValue().get() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public @Nullable Version head(String key) {
        NewestVersion of = of(key);
        checkUsable();
        return of.get();
    }

    @Override
    public boolean compareAndSet(String key, long expected, Version next) {
        NewestVersion.checkNext(key, expected, next);
        NewestVersion of = of(key);
        of.turn().lock(); // not shared with other keys: these share the sync
        try {
            checkUsable();
            if (of.number() != expected) {
                return false;
            }
            put(key, next);
            of.publish(next);
            return true;
        } finally {
            of.turn().unlock();
        }
    }

    /** What fits a segment. */
    @Override
    public int mostBytes() {
        return mostBytes;
    }

    private void put(String key, Version next) {
        try {
            store.put(VersionKeys.of(key, next.number()), next.data(), Durability.SYNCED);
        } catch (LogFullException | IndexFullException full) {
            throw new DeterminateException("key=" + key + ": " + full.getMessage(), full);
        } catch (IllegalArgumentException tooLong) {
            throw new DeterminateException(
                    "key=" + key + ": a version of " + next.data().length + " bytes is longer than a segment", tooLong);
        } catch (CommitTimeoutException | IllegalStateException notSettled) {
            throw unknown(key, notSettled);
        } catch (PersistException refused) {
            if (isNotThere(key, next)) { // as when there are too many open files to make the next segment
                throw new DeterminateException("key=" + key + ": " + refused.getMessage(), refused);
            }
            failed.compareAndSet(null, refused);
            throw unknown(key, refused);
        }
    }

    /** Whether the refused version surely is not in the store, which goes on; false if that is not known. */
    private boolean isNotThere(String key, Version refused) {
        try {
            return !store.hasFailed() && !store.contains(VersionKeys.of(key, refused.number()));
        } catch (PersistException | IllegalStateException unknown) {
            return false;
        }
    }

    private static IndeterminateException unknown(String key, RuntimeException cause) {
        return new IndeterminateException(
                "key=" + key + ": " + cause.getMessage() + "; open it again to see whether it happened", cause);
    }

    /** After a failed write the newest version is not known: nothing is said before the store was opened again. */
    private void checkUsable() {
        PersistException first = failed.get();
        if (first != null) {
            throw new DeterminateException(
                    "the journal has failed, close and open it again: " + first.getMessage(), first);
        }
    }

    /** Whether it says nothing more, and has to be opened again. */
    public boolean hasFailed() {
        return failed.get() != null;
    }

    @Override
    public List<Version> scan(String key, long from, int limit) {
        long last = of(key).number(); // a version above it may not be on the device yet
        checkUsable();
        List<Version> found = new ArrayList<>();
        if (from > last) {
            return found;
        }
        KeyRange range = KeyRange.closed(VersionKeys.of(key, Math.max(0, from)), VersionKeys.of(key, last));
        try (StoreScan scan = store.scan(range, Direction.FORWARD)) {
            while (found.size() < limit && scan.next()) {
                found.add(new Version(VersionKeys.numberOf(scan.keyBytes()), scan.valueBytes()));
            }
        } catch (CorruptLogException corrupt) {
            throw damaged(key, corrupt);
        } catch (PersistException refused) {
            throw new DeterminateException("key=" + key + ": " + refused.getMessage(), refused);
        } catch (IllegalStateException closed) {
            checkUsable(); // another handle may have closed the one that has failed
            throw closed;
        }
        return found;
    }

    @Override
    public int truncate(String key, long number) {
        NewestVersion of = of(key);
        of.turn().lock();
        try {
            checkUsable();
            of.checkTruncate(key, number);
            KeyRange range = VersionKeys.range(key, 0, number);
            int count = 0;
            try (StoreScan scan = store.scan(range, Direction.FORWARD)) {
                while (scan.next()) {
                    count++;
                }
            }
            if (count > 0) {
                store.removeRange(range, Durability.BUFFERED); // what comes back after a crash does no harm
            }
            return count;
        } catch (PersistException refused) {
            throw new IndeterminateException("key=" + key + ": " + refused.getMessage(), refused);
        } finally {
            of.turn().unlock();
        }
    }

    @Override
    public void awaitChange(String key, long number, Duration timeout, Runnable check) throws InterruptedException {
        of(key).await(number, timeout, () -> {
            check.run();
            checkUsable();
        });
    }

    /** The store, for its numbers. */
    public StoreLogger store() {
        return store;
    }

    @Override
    public void close() {
        store.close();
    }
}
