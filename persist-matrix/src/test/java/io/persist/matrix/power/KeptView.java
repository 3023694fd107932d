package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreView;
import io.persist.file.Storage;
import io.persist.matrix.Entries;
import io.persist.matrix.Subject;
import org.jspecify.annotations.Nullable;

/**
 * A view of a store that stays open, and catches up now and then.
 *
 * <p><b>Threads:</b> one.
 */
final class KeptView {

    private final Subject subject;
    private final Storage storage;
    private @Nullable StoreView view;

    KeptView(Subject subject, Storage storage) {
        this.subject = subject;
        this.storage = storage;
    }

    /** Catches up, and looks whether it shows the state after one of the entries; returns the number of that. */
    long lookAgain(Entries entries) {
        StoreView kept = view;
        if (kept == null) {
            kept = StoreView.open(storage, storage);
            view = kept;
        } else {
            long before = subject.lastOf(kept, entries);
            kept.catchUp();
            assertThat(subject.lastOf(kept, entries))
                    .as("the last entry of a view")
                    .isGreaterThanOrEqualTo(before);
        }
        return subject.lastOf(kept, entries);
    }

    void close() {
        if (view != null) {
            view.close();
        }
    }
}
