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

    /** Of keys that have a version, and of those whose first one is being made. */
    private final Map<String, NewestVersion> newest = new ConcurrentHashMap<>();

    /** The first failure of a version; whether that one happened is not known before the store is opened again. */
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
        first(VersionKeys.keyOf(stored)).publish(read(stored));
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

    /** That of the key, which is made if it has none yet. */
    private NewestVersion first(String key) {
        return newest.computeIfAbsent(key, missing -> new NewestVersion());
    }

    /** Null if the key has no version: nothing is kept of keys that somebody has only asked for. */
    private @Nullable NewestVersion of(String key) {
        NewestVersion of = newest.get(Blob.checkName(key));
        return of == null || of.get() == null ? null : of;
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
        return of == null ? null : of.get();
    }

    @Override
    public boolean compareAndSet(String key, long expected, Version next) {
        NewestVersion.checkNext(key, expected, next);
        while (true) {
            NewestVersion of = expected == NONE ? first(key) : of(key);
            if (of == null) {
                checkUsable();
                return false;
            }
            of.turn().lock(); // not shared with other keys: these share the sync
            try {
                if (newest.get(key) == of) { // or its first version was refused meanwhile
                    checkUsable();
                    return compareAndSet(of, key, expected, next);
                }
            } finally {
                if (of.get() == null) {
                    newest.remove(key, of);
                }
                of.turn().unlock();
            }
        }
    }

    private boolean compareAndSet(NewestVersion of, String key, long expected, Version next) {
        if (of.number() != expected) {
            return false;
        }
        put(key, next);
        of.publish(next);
        return true;
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
        if (hasFailed()) {
            PersistException first = failed.get();
            String why = first == null ? "" : ": " + first.getMessage();
            throw new DeterminateException("the journal has failed, close and open it again" + why, first);
        }
    }

    /** Whether it says nothing more, and has to be opened again. A store may also fail at what is no version. */
    public boolean hasFailed() {
        return failed.get() != null || store.hasFailed();
    }

    @Override
    public List<Version> scan(String key, long from, int limit) {
        NewestVersion of = of(key);
        checkUsable();
        if (of == null) {
            return List.of();
        }
        long last = of.number(); // a version above it may not be on the device yet
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
        if (of == null) {
            checkUsable();
            throw NewestVersion.noneToTruncate(key);
        }
        of.turn().lock();
        try {
            checkUsable();
            of.checkTruncate(key, number);
            KeyRange range = VersionKeys.range(key, 0, Math.max(0, number));
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
        NewestVersion of = of(key);
        if (of == null) {
            Consensus.super.awaitChange(key, number, timeout, check); // which looks now and then
            return;
        }
        of.await(number, timeout, () -> {
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
