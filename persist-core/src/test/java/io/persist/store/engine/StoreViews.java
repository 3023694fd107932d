package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.RetiredException;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreContent;
import io.persist.store.StoreDisks;
import io.persist.store.StoreModel;
import io.persist.store.StoreRecovery;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import java.util.Random;
import java.util.TreeMap;

/** A view of the store, as another process has it: it catches up now and then, and is compared with the model. */
final class StoreViews implements AutoCloseable {

    private final StoreLogger store;
    private final StoreModel model;
    private final StoreDisks disks;
    private final StoreTally tally;
    private final Random random;
    private StoreView view;
    private TreeMap<byte[], byte[]> shown;

    StoreViews(StoreLogger store, StoreModel model, StoreDisks disks, StoreTally tally, Random random) {
        this.store = store;
        this.model = model;
        this.disks = disks;
        this.tally = tally;
        this.random = random;
    }

    void look() {
        store.flush();
        model.allFlushed();
        try {
            if (view == null) {
                view = StoreView.open(disks.log, disks.checkpoints);
            } else {
                check(view.snapshot(), shown);
                catchUp();
            }
        } catch (RetiredException overtaken) {
            assertThat(overtaken).hasMessageContaining("taken away"); // by the store's own thread, five times
            return;
        }
        shown = model.copy();
        check(view.snapshot(), shown);
        assertThat(view.snapshot().position()).isGreaterThanOrEqualTo(model.end());
        if (random.nextInt(8) == 0) {
            close();
        }
    }

    private void catchUp() {
        StoreSnapshot before = view.snapshot();
        StoreRecovery madeFrom = view.recovery();
        boolean isNew = view.catchUp();
        assertThat(isNew).isEqualTo(view.snapshot() != before);
        if (view.recovery() != madeFrom) {
            tally.openedAnew++;
        } else if (isNew) {
            tally.caughtUp++;
        }
    }

    private static void check(StoreSnapshot snapshot, TreeMap<byte[], byte[]> content) {
        assertThat(snapshot.size()).isEqualTo(content.size());
        try (StoreScan scan = snapshot.scan(KeyRange.all(), Direction.FORWARD)) {
            assertThat(StoreContent.difference(scan, content)).isNull();
        }
    }

    @Override
    public void close() {
        if (view != null) {
            view.close();
            view = null;
        }
    }
}
