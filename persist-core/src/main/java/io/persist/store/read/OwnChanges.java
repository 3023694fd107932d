package io.persist.store.read;

import io.persist.file.Storage;
import io.persist.log.TailerConfig;
import io.persist.log.engine.LogWriter;
import io.persist.log.read.Tailer;
import io.persist.store.core.StoreCore;

/**
 * The changes of a store that this process has open. Its log knows of the readers, and so compaction leaves alone what
 * they still have to read.
 *
 * <p><b>Threads:</b> any.
 */
final class OwnChanges implements ChangeSource {

    private final StoreCore core;

    OwnChanges(StoreCore core) {
        this.core = core;
    }

    @Override
    public Storage storage() {
        return core.storage();
    }

    @Override
    public void checkUsable() {
        core.checkUsable();
    }

    @Override
    public void awaitInFile(long position) {
        LogWriter writer = core.writer();
        if (writer.flushedPosition() < position) {
            core.flushes().flush();
        }
    }

    @Override
    public Tailer tailer(TailerConfig config) {
        return core.writer().tailer(config);
    }

    @Override
    public Tailer tailer(String name, TailerConfig config) {
        return core.writer().tailer(name, config);
    }

    @Override
    public OldValueReader oldValues() {
        return OldValueReader.of(core.segments());
    }

    @Override
    public void awaitShown(long position) {
        core.shown().await(position);
    }
}
