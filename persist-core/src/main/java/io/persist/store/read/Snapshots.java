package io.persist.store.read;

import io.persist.file.Opening;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.core.StoreCore;
import io.persist.store.layer.Layer;
import io.persist.store.staged.ScannedRange;
import io.persist.store.state.StoreState;
import io.persist.store.value.MappedSegments;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The open snapshots of a store. */
public final class Snapshots {

    private final StoreCore core;

    /** Under the store's lock. */
    private final ArrayList<StoreSnapshot> open = new ArrayList<>();

    // Made before there is one to close.
    private final Consumer<StoreSnapshot> onClose = this::close;
    private final Consumer<StoreSnapshot> ending = this::end;

    /** Opens snapshots of {@code core}. */
    public Snapshots(StoreCore core) {
        this.core = core;
    }

    /** This moment's state. */
    public StoreSnapshot open() {
        try (Opening opening = new Opening()) {
            StoreSnapshot snapshot = opening.add(take(), onClose);
            core.flushes().awaitWritten(snapshot.position());
            return opening.done(snapshot);
        }
    }

    private StoreSnapshot take() {
        try {
            core.settler().lockToSnapshot();
            try {
                open.ensureCapacity(open.size() + 1); // if there is no memory, that has to show before
                StoreSnapshot snapshot = new StoreSnapshot(onClose, core.segments(), core::snapshot, core.appliedEnd());
                open.add(snapshot);
                return snapshot;
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }

    /** A scan of this moment's state, which ends its snapshot when it is closed, or cannot begin. */
    public StoreScan scan(KeyRange range, Direction direction) {
        return scan(range, direction, null, null, () -> {});
    }

    /**
     * The same, with what a transaction has changed by now; {@code check} throws once the transaction has ended.
     *
     * @param own what it has changed; null if that is nothing
     * @param scanned is told what was read; null if no commit depends on that
     */
    public StoreScan scan(
            KeyRange range, Direction direction, @Nullable Layer own, @Nullable ScannedRange scanned, Runnable check) {
        try (Opening opening = new Opening()) {
            StoreSnapshot snapshot = opening.add(open(), onClose);
            if (scanned != null) {
                scanned.opened(snapshot.position());
            }
            return opening.done(new StoreScan(snapshot, range, direction, snapshot::close, own, scanned, check));
        }
    }

    /**
     * Ends {@code snapshot}, also behind the end of the store: only then its memory is free. Does nothing again. It
     * makes no object: the heap may be full, and the snapshot be nobody's yet.
     */
    private void close(StoreSnapshot snapshot) {
        core.lockedAnyway(snapshot, ending);
    }

    private void end(StoreSnapshot snapshot) {
        snapshot.end();
        open.remove(snapshot); // not before: what an error cuts short is counted, and can be tried again
    }

    /** The snapshot of {@code state}, which does not change, and ends at {@code position} of the log. */
    public static StoreSnapshot alone(MappedSegments segments, StoreState state, long position) {
        return new StoreSnapshot(StoreSnapshot::end, segments, state::snapshot, position);
    }

    /** How many there are. Under the store's lock. */
    public int count() {
        return open.size();
    }

    /** A snapshot that was left open ends with the store, maybe in the middle of a step. */
    public void closeAll() {
        core.lockedAnyway(() -> {
            open.forEach(StoreSnapshot::abandon);
            open.clear();
        });
    }
}
