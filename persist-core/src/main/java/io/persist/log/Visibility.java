package io.persist.log;

import io.persist.file.BootId;
import io.persist.file.Storage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How far tailers may look: in {@link WriteMode#FILE} a writer publishes by writing, so a frame whose length can be
 * seen may not be whole yet. Without a writer on this boot there is no bound, and the checksums decide.
 */
final class Visibility implements AutoCloseable {

    private final Storage storage;
    private final BootId boot;
    private @Nullable ControlFile control;
    private boolean sameBoot;

    Visibility(Storage storage) throws IOException {
        this.storage = storage;
        this.boot = storage.bootId();
        this.control = ControlFile.open(storage, Storage.Access.READ);
    }

    /** The position that must not be passed. Pairs with {@code ControlBlock.visible(long)}. */
    long limit() {
        ControlFile file = control;
        if (file == null) {
            return Long.MAX_VALUE;
        }
        if (!sameBoot) {
            sameBoot = file.block().isBoot(boot.high(), boot.low());
        }
        return sameBoot ? file.block().visible() : Long.MAX_VALUE;
    }

    /** Where a recent record begins, or 0: the place from which the end of the log is near. */
    long hint() {
        ControlFile file = control;
        return file == null ? 0 : file.block().hint();
    }

    /** Looks again for a control block, if there was none: the log may have been opened since. */
    void refresh() throws IOException {
        if (control == null) {
            control = ControlFile.open(storage, Storage.Access.READ);
        }
    }

    @Override
    public void close() {
        if (control != null) {
            control.close();
            control = null;
        }
    }
}
