package io.persist;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.engine.ReadStore;
import io.persist.store.read.StoreSnapshot;
import java.io.IOException;

/**
 * A store as it was when the view was opened, for a process that does not write it. It needs no lock and no right to
 * write, and changes nothing. It makes an index of its own from a checkpoint and the log, which takes as long as
 * opening the store.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class StoreView implements AutoCloseable {

    private final ReadStore store;
    private final StoreSnapshot snapshot;

    private StoreView(ReadStore store) {
        this.store = store;
        this.snapshot = store.snapshot();
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
            return new StoreView(ReadStore.open(storage, checkpoints, config.indexMemoryBytes()));
        } catch (IOException e) {
            throw new LogIOException("cannot read the store: " + e.getMessage(), e);
        }
    }

    /** The same on storages of the caller's, with the default bound of memory. */
    public static StoreView open(Storage storage, Storage checkpointStorage) {
        return new StoreView(ReadStore.open(storage, checkpointStorage));
    }

    /** The state; it is closed with this view. */
    public StoreSnapshot snapshot() {
        return snapshot;
    }

    /** The id of the store's log, to be kept with the snapshot's position: see {@link Tailer#logId}. */
    public long logId() {
        return store.logId();
    }

    /** From what the view was made. */
    public StoreRecovery recovery() {
        return store.recovery();
    }

    /** Bytes of the log that hold the keys and their values. */
    public long liveBytes() {
        return store.state().live().total();
    }

    /** Bytes of the log's segments. */
    public long spaceBytes() {
        return store.state().live().space();
    }

    /** How many segments hold them. */
    public int segments() {
        return store.state().live().segments();
    }

    /** How many segments are there without their records, which compaction has taken away. */
    public int vacatedSegments() {
        return store.state().live().placeholders();
    }

    /** Bytes of the nodes of the index, whether they were read or not. */
    public long indexUsedBytes() {
        return store.state().index().treeBytes();
    }

    @Override
    public void close() {
        snapshot.close();
        store.close();
    }
}
