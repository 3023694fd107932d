package io.persist;

import io.persist.error.LogIOException;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.engine.ReadStore;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.state.LiveBytes;
import io.persist.store.state.StoreState;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A store as it was when the view was opened, or last {@link #catchUp caught up}, for a process that does not write it.
 * It needs no lock and no right to write, and changes nothing. It makes an index of its own from a checkpoint and the
 * log, which takes as long as opening the store.
 *
 * <p>{@link io.persist.store.read.ChangeReader#open(java.nio.file.Path, long)} shows each change that comes after this
 * state, and needs no index.
 *
 * <p>What another process sees is what is committed at any level: a power cut can take back what was not synced.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class StoreView implements AutoCloseable {

    private final Supplier<ReadStore> opener;
    private ReadStore store;
    private StoreSnapshot snapshot;
    private Numbers numbers;
    private boolean closed;

    /** As they are told; the store's own may be of another moment after it could not catch up. */
    private record Numbers(long liveBytes, long spaceBytes, int segments, int vacatedSegments, long indexUsedBytes) {

        static Numbers of(StoreState state) {
            LiveBytes live = state.live();
            return new Numbers(
                    live.total(),
                    live.space(),
                    live.segments(),
                    live.placeholders(),
                    state.index().treeBytes());
        }
    }

    /** A view of what {@code opener} reads, now and whenever that has to be done again. */
    StoreView(Supplier<ReadStore> opener) {
        this.opener = opener;
        try (Opening opening = new Opening()) {
            this.store = opening.add(opener.get(), ReadStore::close);
            this.snapshot = opening.add(store.snapshot(), StoreSnapshot::close);
            this.numbers = opening.done(Numbers.of(store.state()));
        }
    }

    /**
     * Opens a view of the store in the configured directories, with the configured memory for its index.
     *
     * @throws LogIOException if there is no store, or it cannot be read
     * @throws io.persist.error.CorruptLogException if committed changes are damaged
     * @throws io.persist.error.RetiredException if the writer keeps taking away what is being read; try again
     * @throws io.persist.error.IndexFullException if {@code indexMemoryBytes} does not hold the part of the index that
     *     changed since the checkpoint, or all of it if there is none: a view cannot write a checkpoint
     */
    public static StoreView open(StoreConfig config) {
        try {
            Storage storage = DirectoryStorage.open(config.log().directory());
            boolean isSame = config.checkpointDirectory().equals(config.log().directory());
            Storage checkpoints = isSame ? storage : DirectoryStorage.open(config.checkpointDirectory());
            return new StoreView(() -> ReadStore.open(storage, checkpoints, config.indexMemoryBytes()));
        } catch (IOException e) {
            throw new LogIOException("cannot read the store: " + e.getMessage(), e);
        }
    }

    /** The same on storages of the caller's, with the default bound of memory. */
    public static StoreView open(Storage storage, Storage checkpointStorage) {
        return new StoreView(() -> ReadStore.open(storage, checkpointStorage));
    }

    /**
     * The state, until this view catches up with something newer, or is closed: the snapshot is closed then. Leave that
     * to the view: if you close it, there is no other one before something is new.
     */
    public StoreSnapshot snapshot() {
        return snapshot;
    }

    /**
     * Brings the view up to what is committed by now. As a rule this costs as much as reading the new part of the log.
     * But if compaction has taken some of that part away, or the memory for the index does not hold what has changed
     * since the checkpoint that the view began with, the view is opened again, and has two indexes for that time.
     *
     * <p>The position of the new snapshot is beyond that of the one before, unless the log was cut by a repair, or
     * replaced by a backup of it.
     *
     * @return whether {@link #snapshot} is another one now; then the one before is closed, with all of its scans
     * @throws LogIOException if there is no store any more, or another one, or it cannot be read; as after all of these
     *     errors, the view shows what it showed before, and a later call tries again
     * @throws io.persist.error.CorruptLogException as {@link #open(StoreConfig)} does
     * @throws io.persist.error.RetiredException as it does, too
     * @throws io.persist.error.IndexFullException as it does, too, or if there is no memory for two indexes; if that
     *     stays so, close this view and open another one
     * @throws IllegalStateException if the view is closed
     */
    public boolean catchUp() {
        if (closed) {
            throw new IllegalStateException("view is closed");
        }
        StoreSnapshot older = snapshot;
        if (!store.catchUp()) {
            openAnew();
            return true;
        }
        boolean isNew = store.end() != older.position();
        if (isNew) {
            snapshot = store.snapshot();
            older.close();
        }
        store.dropEmptied(); // also if nothing is new: the writer takes segments away some time after its last commit
        numbers = Numbers.of(store.state());
        return isNew;
    }

    private void openAnew() {
        try (Opening opening = new Opening()) {
            ReadStore newer = opening.add(opener.get(), ReadStore::close);
            if (newer.logId() != store.logId()) {
                throw new LogIOException(
                        "there is another store now, with the id " + newer.logId() + " in place of " + store.logId()
                                + "; open a new view of it",
                        null);
            }
            StoreSnapshot newest = opening.add(newer.snapshot(), StoreSnapshot::close);
            closeStore();
            store = opening.done(newer);
            snapshot = newest;
            numbers = Numbers.of(newer.state());
        }
    }

    /** The id of the store's log, to be kept with the snapshot's position: see {@link Tailer#logId}. */
    public long logId() {
        return store.logId();
    }

    /** From what the view was made, or made anew. */
    public StoreRecovery recovery() {
        return store.recovery();
    }

    /** Bytes of the log that hold the keys and their values. */
    public long liveBytes() {
        return numbers.liveBytes();
    }

    /** Bytes of the log's segments. */
    public long spaceBytes() {
        return numbers.spaceBytes();
    }

    /** How many segments hold them. */
    public int segments() {
        return numbers.segments();
    }

    /** How many segments are there without their records, which compaction has taken away. */
    public int vacatedSegments() {
        return numbers.vacatedSegments();
    }

    /** Bytes of the nodes of the index, whether they were read or not. */
    public long indexUsedBytes() {
        return numbers.indexUsedBytes();
    }

    @Override
    public void close() {
        closed = true;
        closeStore();
    }

    private void closeStore() {
        snapshot.close();
        store.close();
    }
}
