package io.persist.log.control;

import io.persist.file.Storage;
import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.format.control.ControlBlock;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Remembers whether a log's writer is known to be dead. A look costs some system calls, so a tailer that waits for
 * records looks only now and then: with each poll if polls are rare, else when some time has gone by. The clock is not
 * read with each poll either.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class WriterWatch {

    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Between two looks at the clock: a tailer that was fast may become slow. */
    private static final int MOST_POLLS = 16;

    private static final long NONE = -1;

    private final Storage storage;

    /** The epoch in which the writer was found to be dead; another writer raises it. */
    private long goneEpoch = NONE;

    /** The epoch in which this process was found to be the writer. */
    private long ownEpoch = NONE;

    private boolean isUnseen;
    private long lookedAtNs;
    private int polls = 1;
    private int pollsLeft = 1;

    /** Starts without having looked; {@code storage} has the log's files. */
    public WriterWatch(Storage storage) {
        this.storage = storage;
    }

    /** Whether the writer of this epoch was found to be dead. */
    public boolean isGone(ControlBlock block) {
        return goneEpoch != NONE && goneEpoch == block.holder().epoch();
    }

    /** Whether it could not be seen at the last look if the writer lives. */
    public boolean isUnseen() {
        return isUnseen;
    }

    /** Looks whether the writer is there. One that cannot be seen may be. */
    public void look(ControlBlock block) throws IOException {
        lookedAtNs = System.nanoTime();
        long epoch = block.holder().epoch(); // first: a new writer raises it before it names itself
        boolean isNamed = block.openedEpoch() == epoch; // it says last that it has opened the log
        Presence presence = WriterPresence.of(storage, block);
        boolean isGone = isNamed && presence == Presence.GONE;
        isUnseen = presence == Presence.UNKNOWN;
        goneEpoch = isGone ? epoch : NONE;
        boolean isOwn =
                isNamed && !isGone && WriterPresence.isSelf(block.holder().holder());
        ownEpoch = isOwn ? epoch : NONE;
    }

    /** Whether it is time to look again, asked with each poll that finds nothing; never while this process writes. */
    public boolean isDue(ControlBlock block) {
        return isTime() && !isOwn(block);
    }

    /** The same of a log without a control block, at which the caller looks now if it is time. */
    public boolean isDue() {
        boolean isDue = isTime();
        lookedAtNs = isDue ? System.nanoTime() : lookedAtNs;
        return isDue;
    }

    private boolean isTime() {
        if (--pollsLeft > 0) {
            return false;
        }
        boolean isTime = System.nanoTime() - lookedAtNs >= INTERVAL_NS;
        polls = isTime ? 1 : Math.min(2 * polls, MOST_POLLS);
        pollsLeft = polls;
        return isTime;
    }

    /** Whether this process writes now, as the last look found it: another process that opens the log has an epoch. */
    private boolean isOwn(ControlBlock block) {
        return ownEpoch != NONE && ownEpoch == block.holder().epoch() && block.state() == ControlBlock.STATE_OPEN;
    }
}
