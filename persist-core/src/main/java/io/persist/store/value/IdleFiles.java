package io.persist.store.value;

import io.persist.file.Closing;
import io.persist.file.StorageFile;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Open files of segments that nobody reads at the moment, one for a segment, of a limited number: the one that came
 * first goes when one more comes.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none after the constructor, but to close.
 */
final class IdleFiles {

    /** Segments of 64 MiB with 32 GiB of values. */
    static final int MOST = 512;

    /** What a segment has here. Under the lock. */
    static final class Ticket {

        private static final int NONE = -1;

        private int index = NONE;
        private boolean isGone;
    }

    private final @Nullable Ticket[] owners;
    private final @Nullable StorageFile[] files;
    private int next;
    private boolean closed;

    IdleFiles(int most) {
        this.owners = new @Nullable Ticket[most];
        this.files = new @Nullable StorageFile[most];
    }

    /** The file of {@code ticket} for the calling thread alone, until it gives it back; null if there is none. */
    synchronized @Nullable StorageFile take(Ticket ticket) {
        if (ticket.index == Ticket.NONE) {
            return null;
        }
        StorageFile file = files[ticket.index];
        files[ticket.index] = null;
        return file;
    }

    /** Keeps {@code file} for the next one who takes it, or closes it. */
    void giveBack(Ticket ticket, StorageFile file) {
        close(keep(ticket, file));
    }

    /** Returns what is to be closed for it. */
    private synchronized @Nullable StorageFile keep(Ticket ticket, StorageFile file) {
        if (closed || ticket.isGone) {
            return file;
        }
        StorageFile other = null;
        if (ticket.index == Ticket.NONE) {
            other = leave(next);
            owners[next] = ticket;
            ticket.index = next;
            next = (next + 1) % owners.length;
        }
        if (files[ticket.index] != null) {
            return file; // another thread had one too
        }
        files[ticket.index] = file;
        return other;
    }

    private @Nullable StorageFile leave(int index) {
        Ticket owner = owners[index];
        if (owner != null) {
            owner.index = Ticket.NONE;
        }
        StorageFile file = files[index];
        owners[index] = null;
        files[index] = null;
        return file;
    }

    /** Keeps none for {@code ticket} any more. */
    void drop(Ticket ticket) {
        close(leaveForGood(ticket));
    }

    private synchronized @Nullable StorageFile leaveForGood(Ticket ticket) {
        ticket.isGone = true;
        return ticket.index == Ticket.NONE ? null : leave(ticket.index);
    }

    /** Closes all, and those that are given back later. */
    synchronized void close() {
        closed = true;
        Closing.each(Arrays.asList(owners), owner -> close(owner == null ? null : leave(owner.index)));
    }

    private static void close(@Nullable StorageFile file) {
        if (file != null) {
            file.close();
        }
    }
}
