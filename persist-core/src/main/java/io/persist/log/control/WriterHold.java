package io.persist.log.control;

import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.event.OpeningProgress;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.format.LogFileName;
import io.persist.format.control.HolderBlock;
import io.persist.format.control.HolderBlock.Holder;
import io.persist.memory.MissingPage;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The hold that one process has on a log, to change it: the lock of a file, and the mark in the control block. The
 * operating system takes the lock away as soon as anything in the process closes that file, a backup perhaps. So a
 * process that gets the lock looks at the mark too, and is refused while the process that the mark names lives. Where
 * that is not known, the new holder raises the epoch, by which the old holder learns that it was overtaken.
 *
 * <p><b>Threads:</b> one at a time; {@link #isOvertaken} any, until closed.
 */
public final class WriterHold implements AutoCloseable {

    private final Storage storage;
    private final WriterLock lock;
    private final LockWait wait;
    private @Nullable ControlFile control;
    private @Nullable HolderBlock mark;
    private Holder before = Holder.NONE;
    private long epoch;

    private WriterHold(Storage storage, WriterLock lock, LockWait wait) {
        this.storage = storage;
        this.lock = lock;
        this.wait = wait;
    }

    /**
     * Takes the lock. The mark comes with {@link #mark}, as soon as there is a control block.
     *
     * @param otherwise what else can be done than to close the log elsewhere; or nothing
     * @throws LogLockedException if another holder has it
     */
    public static WriterHold take(Storage storage, String otherwise) throws IOException {
        return awaitLock(storage, otherwise, new LockWait(Duration.ZERO, OpeningProgress.unsaid()));
    }

    /**
     * Takes the lock once the holder before is gone, as {@link #mark} wants it; waits at most {@code timeout} for that,
     * which {@code progress} says.
     *
     * @throws LogLockedException if that holder is still there, or an interrupt has ended the wait, whose flag is up
     */
    public static WriterHold take(Storage storage, Duration timeout, OpeningProgress progress) throws IOException {
        LockWait wait = new LockWait(timeout, progress);
        try (Opening opening = new Opening()) {
            WriterHold hold = opening.add(awaitLock(storage, "", wait), WriterHold::close);
            hold.awaitHolder();
            return opening.done(hold);
        }
    }

    private static WriterHold awaitLock(Storage storage, String otherwise, LockWait wait) throws IOException {
        WriterLock lock = storage.tryLock(LogFileName.LOCK);
        while (lock == null && wait.goesOn(() -> holder(storage) + holderHere(storage))) {
            lock = storage.tryLock(LogFileName.LOCK);
        }
        if (lock == null) {
            throw new LogLockedException("log is open for writing elsewhere: directory=" + storage.description()
                    + holder(storage) + holderHere(storage) + wait + "; close it there first" + otherwise);
        }
        return new WriterHold(storage, lock, wait);
    }

    /**
     * The operating system takes the locks of a process that is killed a moment before it calls the process dead; and a
     * holder that has lost its lock may be about to close the log. If it stays, {@link #mark} says so.
     */
    private void awaitHolder() throws IOException {
        while (wait.isWanted() && isHeldElsewhere() && wait.goesOn(() -> holder(storage))) {
            // The control file is opened anew each time: the holder may have another one by now.
        }
    }

    private boolean isHeldElsewhere() throws IOException {
        try (Opening opening = new Opening()) {
            ControlFile found = ControlFile.openAny(storage, Storage.Access.READ, opening);
            return found != null && isHeldElsewhere(found);
        }
    }

    /** The lock, which this gives back. */
    public WriterLock lock() {
        return lock;
    }

    /** For a message; that the log is open is a better one than that more of it cannot be read. */
    private static String holder(Storage storage) {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            if (control == null) {
                return "";
            }
            long pid = control.block().holder().holder().pid();
            return ", pid=" + (pid == 0 ? control.block().pid() : pid);
        } catch (UnsupportedFormatException | IOException unknown) {
            return "";
        }
    }

    private static String holderHere(Storage storage) {
        try {
            String here = storage.lockedHere(LogFileName.LOCK);
            return here.isEmpty() ? "" : " (in this process: " + here + ")";
        } catch (IOException unknown) {
            return "";
        }
    }

    /** The same for a log that is not opened, but changed from outside: its control block is marked, if it has one. */
    public static WriterHold takeMarked(Storage storage, String otherwise) throws IOException {
        try (Opening opening = new Opening()) {
            WriterHold hold = opening.add(take(storage, otherwise), WriterHold::close);
            hold.markFound();
            return opening.done(hold);
        }
    }

    /**
     * Marks the log as held by this process, as {@link #mark} does, in the control block that is there; null if there
     * is none. One that is damaged will be replaced: it is not if the holder that it names lives.
     *
     * @throws LogLockedException if the holder before is still there, although it has lost its lock
     * @throws UnsupportedFormatException if a newer version wrote the control block
     */
    public @Nullable ControlFile markFound() throws IOException {
        ControlFile found = ControlFile.open(storage, Storage.Access.WRITE);
        if (found != null) {
            mark(found);
            return found;
        }
        try (Opening opening = new Opening()) {
            ControlFile damaged = ControlFile.openAny(storage, Storage.Access.READ, opening);
            if (damaged != null) {
                refuseLiving(damaged);
            }
        }
        return null;
    }

    /**
     * Marks the log as held by this process, in its control block, which is closed with this hold from now on, even if
     * this throws. It comes before recovery looks at the log, because an overtaken writer must not add to it any more.
     *
     * @throws LogLockedException if the holder before is still there, although it has lost its lock
     */
    public void mark(ControlFile found) throws IOException {
        control = found;
        HolderBlock block = found.block().holder();
        before = block.holder();
        refuseLiving(found);
        Holder self = WriterPresence.self(storage);
        epoch = Math.max(epoch, block.epoch()) + 1;
        block.epoch(epoch);
        block.holder(self);
        mark = block;
    }

    /** Whether the holder that {@code found} names is another process, and lives. */
    private boolean isHeldElsewhere(ControlFile found) throws IOException {
        return !WriterPresence.isSelf(found.block().holder().holder())
                && WriterPresence.of(storage, found.block()) == Presence.ALIVE;
    }

    private void refuseLiving(ControlFile found) throws IOException {
        if (isHeldElsewhere(found)) {
            throw new LogLockedException("log is open for writing in another process, which has lost its lock:"
                    + " directory=" + storage.description() + ", pid="
                    + found.block().holder().holder().pid() + wait
                    + "; close it there, or end that process. Something in it has opened and closed the file "
                    + LogFileName.LOCK + ", or that file was removed");
        }
    }

    /** How often the log was held, this hold among them, which is marked. */
    public long epoch() {
        return epoch;
    }

    /**
     * Comes before the log is changed, if its files were looked at for long since {@link #mark}.
     *
     * @throws LogLockedException if another process has marked the log as its own meanwhile
     */
    public void checkHeld() {
        HolderBlock block = mark;
        if (block != null && isOvertaken()) {
            throw new LogLockedException("another process has opened the log for writing meanwhile: directory="
                    + storage.description() + ", pid=" + block.holder().pid()
                    + "; make sure that one process writes");
        }
    }

    /** Whether another process has marked the log as its own since. */
    boolean isOvertaken() {
        HolderBlock block = mark;
        return block != null && block.epoch() != epoch;
    }

    /** Tells readers that the control block, if there is one, is to be taken away; the log goes on at {@code cut}. */
    public void announceCut(long cut) {
        ControlFile marked = control;
        if (marked != null) {
            marked.block().setAside(cut);
        }
    }

    /** Notes that pages of the log may count as written and are not: the next writer writes them again. */
    public void noteFailure() {
        ControlFile marked = control;
        if (marked != null && !isOvertaken()) {
            marked.block().failed();
        }
    }

    /** Takes the mark back, because the log cannot be changed, and closes the control block: all is as it was. */
    public void unmark() {
        try (ControlFile closed = control) {
            HolderBlock block = mark;
            if (closed != null && block != null && !isOvertaken()) {
                block.holder(before);
                block.epoch(epoch - 1);
            }
        } finally {
            control = null;
            mark = null;
        }
    }

    /**
     * Nobody holds the log any more: says so in the control block, closes that, and gives the lock back. A control file
     * that was cut short has no mark any more.
     */
    @Override
    public void close() {
        try (lock;
                ControlFile closed = control) {
            HolderBlock block = mark;
            if (closed != null && block != null && !isOvertaken()) {
                block.holder(Holder.NONE);
            }
        } catch (InternalError cut) {
            MissingPage.dropHeld();
        } finally {
            control = null;
            mark = null;
        }
    }
}
