package io.persist.kafka;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.transaction.Transaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * What a store does while it is open: keys and values of Kafka in one log, and the {@link StoreHeader} beside them. The
 * first write after a commit says in the header that there are uncommitted writes, in the same transaction; a commit
 * takes that back, in the same transaction with the offsets.
 *
 * <p><b>Threads:</b> one writes; any may read. All methods but those that read have one lock.
 *
 * <p><b>Errors:</b> as {@link StoreErrors} has them. After an error nothing of the call is in the store, but for the
 * first parts of a batch that one transaction has no room for.
 */
final class OpenStore {

    /** Single writes between two looks at the memory of the index: they take some 100 KiB of it. */
    private static final int WRITES_PER_LOOK = 4096;

    private final StoreLogger log;
    private final PersistSettings settings;
    private final StoreErrors errors;
    private final Set<ScanIterator> iterators = new HashSet<>();
    private final Path oldCheckpoint;
    private final IndexMemory memory;
    private StoreHeader header;

    /** Writes of single keys since the memory of the index was looked at. */
    private int writes;

    /** Whether records of the changelog were applied since it was opened. */
    private boolean isRestored;

    /** {@code oldCheckpoint} is where versions of Kafka before 4.3 keep the offsets of all stores of the task. */
    OpenStore(StoreLogger log, StoreHeader header, PersistSettings settings, StoreErrors errors, Path oldCheckpoint) {
        this(log, header, settings, errors, oldCheckpoint, IndexMemory.OF_PROCESS);
    }

    OpenStore(
            StoreLogger log,
            StoreHeader header,
            PersistSettings settings,
            StoreErrors errors,
            Path oldCheckpoint,
            IndexMemory memory) {
        this.oldCheckpoint = oldCheckpoint;
        this.log = log;
        this.header = header;
        this.settings = settings;
        this.errors = errors;
        this.memory = memory;
        look();
    }

    /** Looks at the memory of the index. */
    private void look() {
        writes = 0;
        memory.has(this, log.statistics().index());
    }

    /** The position of the last commit. */
    synchronized Position committedPosition() {
        return header.decodePosition();
    }

    byte @Nullable [] get(byte[] key) {
        try {
            return key.length > UserKeys.MAX_LENGTH ? null : log.getBytes(UserKeys.toStored(key));
        } catch (RuntimeException e) {
            throw errors.reading(e);
        }
    }

    /** The number of keys. */
    long size() {
        try {
            return log.size() - 1; // the header is one
        } catch (RuntimeException e) {
            throw errors.reading(e);
        }
    }

    /** The end of the log, for tests. */
    long logPosition() {
        return log.position();
    }

    /** The keys of {@code range} as they are now; closed with the store, if not before. */
    KeyValueIterator<Bytes, byte[]> scan(KeyRange range, Direction direction) {
        try {
            ScanIterator iterator = new ScanIterator(log.scan(range, direction), errors, this::forget);
            synchronized (iterators) {
                iterators.add(iterator);
            }
            return iterator;
        } catch (RuntimeException e) {
            throw errors.reading(e);
        }
    }

    private void forget(ScanIterator iterator) {
        synchronized (iterators) {
            iterators.remove(iterator);
        }
    }

    /** Puts, or removes if {@code value} is null. */
    synchronized void put(byte[] key, byte @Nullable [] value) {
        try {
            byte[] stored = UserKeys.toStored(key);
            if (!header.isUncommitted()) {
                putAll(List.of(stored), same -> value, same -> same);
            } else if (value == null) {
                log.remove(stored);
            } else {
                log.put(stored, value);
            }
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
        if (++writes >= WRITES_PER_LOOK) {
            look();
        }
    }

    /** Removes, and returns what was there. */
    synchronized byte @Nullable [] remove(byte[] key) {
        byte[] before = get(key);
        put(key, null); // also if there was none: Kafka counts it as a write
        return before;
    }

    /** Puts and removes in one transaction, or in several if one has no room for them. */
    synchronized <T> void write(Iterable<T> entries, Function<T, byte[]> key, Function<T, byte @Nullable []> value) {
        try {
            putAll(entries, value, entry -> UserKeys.toStored(key.apply(entry)));
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
        look();
    }

    private <T> void putAll(Iterable<T> entries, Function<T, byte @Nullable []> value, Function<T, byte[]> stored) {
        StoreHeader written = header.written();
        try (Transaction transaction = log.begin()) {
            if (!header.isUncommitted()) {
                transaction.put(StoreHeader.key(), written.encode());
            }
            fill(transaction, entries, value, stored);
        }
        header = written;
    }

    /** Applies records of the changelog: Kafka has committed all of them, so the header need not say anything. */
    synchronized <T> void restore(Iterable<T> records, Function<T, byte[]> key, Function<T, byte @Nullable []> value) {
        isRestored = true;
        try (Transaction transaction = log.begin()) {
            fill(transaction, records, value, row -> UserKeys.toStored(key.apply(row)));
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
        look();
    }

    private <T> void fill(
            Transaction transaction,
            Iterable<T> entries,
            Function<T, byte @Nullable []> value,
            Function<T, byte[]> stored) {
        for (T entry : entries) {
            byte[] key = stored.apply(entry);
            byte[] bytes = value.apply(entry);
            if (!transaction.fits(key.length, bytes == null ? 0 : bytes.length) && transaction.changes() > 0) {
                transaction.commit(Durability.BUFFERED);
                log.begin(); // the same object: each thread has one
            }
            if (bytes == null) {
                transaction.remove(key);
            } else {
                transaction.put(key, bytes);
            }
        }
        transaction.commit(Durability.BUFFERED);
    }

    /**
     * Commits for Kafka: everything that was written, the offsets and the position, in one log and in this order, with
     * the configured durability.
     */
    synchronized void commit(Map<TopicPartition, @Nullable Long> offsets, Position position) {
        checkOrigin(offsets);
        StoreHeader committed = header.committed(offsets, position);
        if (committed.equals(header)) {
            return; // nothing has happened since
        }
        try (Transaction transaction = log.begin()) {
            transaction.put(StoreHeader.key(), committed.encode());
            transaction.commit(settings.durability());
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
        header = committed;
        look();
    }

    /**
     * Kafka copies the offsets of an old checkpoint file into the stores of a task as soon as they are open. A store
     * that has never had a key cannot be what they stand for: it would seem to be restored, and have nothing.
     */
    private void checkOrigin(Map<TopicPartition, @Nullable Long> offsets) {
        boolean isNew = size() == 0
                && !isRestored
                && !header.isUncommitted()
                && header.offsets().isEmpty();
        if (isNew && !offsets.isEmpty() && Files.exists(oldCheckpoint)) {
            throw errors.foreign("it is empty, but " + oldCheckpoint + " has offsets of another engine for it; delete"
                    + " that file too");
        }
    }

    synchronized @Nullable Long committedOffset(TopicPartition partition) {
        return header.offsets().get(partition);
    }

    /**
     * Closes the iterators that are open, then the log. What was written since the last commit stays, and is
     * uncommitted.
     *
     * @return how many iterators were open
     */
    synchronized int close() {
        List<ScanIterator> open;
        synchronized (iterators) {
            open = List.copyOf(iterators);
        }
        open.forEach(ScanIterator::close);
        memory.forget(this);
        try {
            log.close();
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
        return open.size();
    }
}
