package io.persist.kafka;

import io.persist.StoreLogger;
import io.persist.error.IndexFullException;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.transaction.Transaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
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
 * first write says in the header that there are uncommitted writes, in the same transaction. A commit has the offsets,
 * but does not take that back by itself: Kafka also commits to a store of a task that it gives up, whose writes it
 * aborts. All that comes then is that it closes and deletes the store. So what takes it back is what Kafka does to the
 * store after a commit with no write between: it restores, commits once more, or closes.
 *
 * <p><b>Threads:</b> one writes; any may read. All methods but those that read have one lock.
 *
 * <p><b>Errors:</b> as {@link StoreErrors} has them. A batch with a key or a value that is too long is refused as a
 * whole. After another error nothing of the call is in the store, but for the first parts of a batch that is written
 * in parts.
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

    /** Whether Kafka has committed since the last write. */
    private boolean isCommitted;

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
            return UserKeys.isKey(key) ? log.getBytes(UserKeys.toStored(key)) : null;
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
        isCommitted = false;
        if (Entries.removesNothing(key, value)) {
            return;
        }
        try {
            if (!header.isUncommitted()) {
                apply(new Entries<>(List.of(key), same -> same, same -> value), header.written());
            } else if (value == null) {
                log.remove(UserKeys.toStored(key));
            } else {
                log.put(UserKeys.toStored(key), value);
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

    /** Puts and removes in one transaction, or in several if there is no room or memory for one. */
    synchronized <T> void write(Collection<T> entries, Function<T, byte[]> key, Function<T, byte @Nullable []> value) {
        isCommitted = false;
        try {
            apply(new Entries<>(List.copyOf(entries), key, value), header.written());
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
        look();
    }

    /** Applies records of the changelog: Kafka has committed all of them, and goes on with what is in the store. */
    synchronized <T> void restore(
            Collection<T> records, Function<T, byte[]> key, Function<T, byte @Nullable []> value) {
        isRestored = true;
        try {
            apply(new Entries<>(List.copyOf(records), key, value), confirmed());
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
        look();
    }

    /** The header now that Kafka does more to the store than the last commit. */
    private StoreHeader confirmed() {
        return isCommitted ? header.clean() : header;
    }

    /**
     * In one transaction, or in several, in order, if one has no room for all, or the index has no memory for so many
     * changes at once. Each that is committed makes the header {@code next}.
     */
    private void apply(Entries<?> entries, StoreHeader next) {
        Entries<?> left = entries;
        int most = left.size();
        boolean isChecked = false;
        do {
            Entries<?> some = left.first(most);
            try (Transaction part = log.begin()) {
                if (!isChecked) {
                    entries.checkLengths(part);
                    isChecked = true;
                }
                left = left.from(commitFirst(some, part, next));
            } catch (IndexFullException full) {
                if (some.size() <= 1) {
                    throw full;
                }
                most = some.size() / 2;
            }
        } while (left.size() > 0);
    }

    /** Commits {@code part} with the first of {@code entries}, as many as it has room for; says how many. */
    private int commitFirst(Entries<?> entries, Transaction part, StoreHeader next) {
        if (!next.equals(header)) {
            part.put(StoreHeader.key(), next.encode());
        }
        int count = entries.putFirst(part);
        part.commit(Durability.BUFFERED);
        header = next;
        return count;
    }

    /**
     * Commits for Kafka: everything that was written, the offsets and the position, in one log and in this order, with
     * the configured durability.
     */
    synchronized void commit(Map<TopicPartition, @Nullable Long> offsets, Position position) {
        checkOrigin(offsets);
        replaceHeader(confirmed().committed(offsets, position));
        isCommitted = true;
        look();
    }

    private void replaceHeader(StoreHeader next) {
        if (next.equals(header)) {
            return; // nothing has happened since
        }
        try (Transaction transaction = log.begin()) {
            transaction.put(StoreHeader.key(), next.encode());
            transaction.commit(settings.durability());
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
        header = next;
    }

    /**
     * Kafka copies the offsets of an old checkpoint file into the stores of a task as soon as they are open. A store
     * that has never had a key cannot be what they stand for: it would seem to be restored, and have nothing.
     */
    private void checkOrigin(Map<TopicPartition, @Nullable Long> offsets) {
        boolean isNew =
                !isRestored && !header.isUncommitted() && header.offsets().isEmpty();
        if (isNew && !offsets.isEmpty() && Files.exists(oldCheckpoint) && size() == 0) {
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
        try {
            open.forEach(ScanIterator::close);
            replaceHeader(confirmed());
        } finally { // Kafka does not come again
            memory.forget(this);
            closeLog();
        }
        return open.size();
    }

    private void closeLog() {
        try {
            log.close();
        } catch (RuntimeException e) {
            throw errors.writing(e);
        }
    }
}
