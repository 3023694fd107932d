package io.persist.store.layer;

import io.persist.log.thread.LogThread;
import java.nio.ByteBuffer;

/**
 * Some of the changes that are read back from the log, which a thread of its own puts in order while the next ones are
 * read.
 *
 * <p><b>Threads:</b> the one that has made it; nothing that the other one reads is changed before that has ended.
 */
final class SortedPart {

    private final ByteBuffer changes;

    /** Written by the other thread, and read when that has ended. */
    private int[] entries;

    /** Whether that thread has not come to its end, for want of memory maybe. Then the one that waits for it tries. */
    private boolean isFailed;

    private final Thread thread;

    /** Begins to sort the changes at these offsets, which are not to be used any more. */
    SortedPart(ByteBuffer changes, int[] entries) {
        this.changes = changes;
        this.entries = entries;
        this.thread = LogThread.daemon("persist-replay", this::sort, thrown -> isFailed = true);
        thread.start();
    }

    private void sort() {
        entries = ChangeOrder.sort(changes, entries);
    }

    /** Puts the offsets in order at {@code at} of {@code all}; returns the index after the last one. */
    int copyTo(int[] all, int at) {
        LogThread.join(thread);
        if (isFailed) {
            sort();
        }
        System.arraycopy(entries, 0, all, at, entries.length);
        return at + entries.length;
    }
}
