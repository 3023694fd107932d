package io.persist.log.read;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.read.visible.CurrentControl;
import io.persist.log.segment.LogFiles;
import java.io.IOException;
import java.util.NavigableSet;

/**
 * Syncs a log from outside of its writer: the files of all segments that are not synced already, by whichever process
 * they were written.
 *
 * <p><b>Threads:</b> the tailer's.
 */
final class FileSync implements PositionSync {

    private final Storage storage;
    private final CurrentControl control;

    FileSync(Storage storage, CurrentControl control) {
        this.storage = storage;
        this.control = control;
    }

    @Override
    public void syncTo(long known, long position) throws IOException {
        control.refresh();
        long synced = Math.max(known, control.synced());
        if (synced >= position) {
            return;
        }
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        Long first = bases.floor(synced);
        for (long base : first == null ? bases : bases.tailSet(first, true)) {
            if (base >= position) {
                break;
            }
            try (StorageFile file = storage.open(LogFileName.segment(base), Storage.Access.READ)) {
                file.sync();
            }
        }
        // Last, because a failed sync of the writer makes those after it succeed without the data.
        if (control.hasWriterFailed()) {
            throw new IOException("the log's writer met an I/O error; open the log anew, which recovers it");
        }
    }
}
