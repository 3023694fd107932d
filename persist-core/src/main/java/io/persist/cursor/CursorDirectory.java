package io.persist.cursor;

import io.persist.error.CorruptLogException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.format.LogFileName;
import io.persist.format.control.CursorSlot;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The cursors in the directory of a log. Cursors are made, removed and opened only under one {@linkplain #exclusive
 * lock}. Retention takes it too, before it looks at the cursors and deletes: so no cursor is made for records that are
 * just being taken away.
 *
 * <p><b>Threads:</b> any.
 */
public final class CursorDirectory {

    /** Nobody holds the lock for longer than a few syncs; a process that does hangs. */
    private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Enough for some looks of each of the others. */
    private static final long OTHERS_NS = 5 * PAUSE_NS;

    private final Storage storage;
    private final LongSupplier clockNs;

    /** The cursors in {@code storage}. */
    public CursorDirectory(Storage storage) {
        this(storage, System::nanoTime);
    }

    /** The same with another clock. */
    public CursorDirectory(Storage storage, LongSupplier clockNs) {
        this.storage = storage;
        this.clockNs = clockNs;
    }

    /** The names of the cursors, sorted. */
    public List<String> names() throws IOException {
        return storage.list().stream()
                .filter(CursorName::isFile)
                .map(CursorName::of)
                .sorted()
                .toList();
    }

    /** Whether there is a cursor of this name. */
    public boolean exists(String name) throws IOException {
        return storage.list().contains(CursorName.file(name));
    }

    /**
     * Keeps all other threads, in all processes, from making, opening or removing a cursor, until it is closed. Many
     * threads of this process may want it at once: each waits as long as others of them come to an end. An interrupt is
     * kept for later.
     *
     * @throws LogLockedException if another holder does not give it back
     */
    public WriterLock exclusive() throws IOException {
        WriterLock lock = tryExclusive();
        return lock == null ? awaitExclusive() : lock;
    }

    private @Nullable WriterLock tryExclusive() throws IOException {
        WriterLock lock = storage.tryLock(LogFileName.CURSORS_LOCK);
        if (lock != null) {
            LockTurns.taken(storage.description());
        }
        return lock;
    }

    private WriterLock awaitExclusive() throws IOException {
        LockTurns turns = LockTurns.enter(storage.description());
        boolean interrupted = false;
        try {
            int taken = turns.count();
            String here = storage.lockedHere(LogFileName.CURSORS_LOCK);
            long startNs = clockNs.getAsLong();
            while (true) {
                interrupted |= pause();
                WriterLock lock = tryExclusive();
                if (lock != null) {
                    return lock;
                }
                int now = turns.count();
                if (now != taken) { // a thread of this process has had it since
                    taken = now;
                    here = storage.lockedHere(LogFileName.CURSORS_LOCK);
                    startNs = clockNs.getAsLong();
                } else if (clockNs.getAsLong() - startNs > LONGEST_WAIT_NS) {
                    throw held(here);
                }
            }
        } finally {
            turns.leave();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The same for a look, which is to leave no file behind, of perhaps another owner: null if the lock's file is not
     * there, so that nobody has the lock. Then another process may take it, and take something away, during the look.
     */
    public @Nullable WriterLock exclusiveIfUsed() throws IOException {
        return storage.list().contains(LogFileName.CURSORS_LOCK) ? exclusive() : null;
    }

    /** Returns whether there was an interrupt. Its flag is cleared: no thread can park with the flag up. */
    private boolean pause() {
        LockSupport.parkNanos(this, PAUSE_NS);
        return Thread.interrupted();
    }

    /**
     * Lets others have the lock, who only look for it now and then: for a thread that has just given it back, and would
     * take it at once again.
     */
    public void letOthersGo() {
        long startNs = clockNs.getAsLong();
        boolean interrupted = false;
        while (clockNs.getAsLong() - startNs < OTHERS_NS) {
            interrupted |= pause();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@code before} is the holder in this process when the wait began; another attempt may have looked like one. */
    private LogLockedException held(String before) throws IOException {
        boolean isHere = !before.isEmpty() && before.equals(storage.lockedHere(LogFileName.CURSORS_LOCK));
        return new LogLockedException((isHere ? "this process" : "another process") + " has been changing cursors for "
                + TimeUnit.NANOSECONDS.toSeconds(LONGEST_WAIT_NS) + " s: directory=" + storage.description() + ", file="
                + LogFileName.CURSORS_LOCK + (isHere ? ", holder: " + before : "")
                + "; find out what holds it up, then try again");
    }

    /**
     * What the cursor {@code name} holds now. It can be in use.
     *
     * @throws io.persist.error.CorruptLogException if neither of its slots is whole
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it
     */
    public CursorSlot read(String name) throws IOException {
        String file = CursorName.file(name);
        try (StorageFile open = storage.open(file, Storage.Access.READ)) {
            return CursorFile.read(open, file);
        }
    }

    /**
     * The same, and what is returned survives a power cut: a store that is under way may have been seen before the
     * device had it.
     */
    public CursorSlot readSynced(String name) throws IOException {
        String file = CursorName.file(name);
        try (StorageFile open = storage.open(file, Storage.Access.READ)) {
            CursorSlot slot = CursorFile.read(open, file);
            open.sync();
            return slot;
        }
    }

    /** Whether a tailer has the cursor; only under {@link #exclusive}. */
    public boolean isInUse(String name) throws IOException {
        if (!storage.list().contains(CursorName.lock(name))) {
            return false;
        }
        try (WriterLock lock = storage.tryLock(CursorName.lock(name))) {
            return lock == null;
        }
    }

    /**
     * Opens the cursor {@code name}, which becomes the caller's alone; only under {@link #exclusive}.
     *
     * @param first what it holds if it does not exist yet; null if it has to
     * @throws LogLockedException if another tailer has it
     */
    public CursorFile open(String name, @Nullable CursorSlot first) throws IOException {
        String file = CursorName.file(name);
        WriterLock lock = storage.tryLock(CursorName.lock(name));
        if (lock == null) {
            throw inUse(name);
        }
        try (Opening opening = new Opening()) {
            opening.add(lock, WriterLock::close);
            if (first != null && !exists(name)) {
                create(name, first);
            }
            // The process that made the file may have been killed before the name was synced.
            storage.syncDirectory();
            StorageFile opened = opening.add(storage.open(file, Storage.Access.WRITE), StorageFile::close);
            return opening.done(new CursorFile(opened, file, lock, CursorFile.read(opened, file)));
        }
    }

    /**
     * Makes the cursor {@code name}; only under {@link #exclusive}.
     *
     * @param first what it holds; null if it exists
     */
    public void register(String name, @Nullable CursorSlot first) throws IOException {
        if (first != null) {
            create(name, first);
        }
        storage.syncDirectory(); // as in open
    }

    private void create(String name, CursorSlot first) throws IOException {
        for (String left :
                storage.list().stream().filter(CursorName::isTemporary).toList()) {
            storage.delete(left); // nobody else makes one now
        }
        String temporary = CursorName.temporary(name);
        CursorFile.create(storage, temporary, first);
        storage.rename(temporary, CursorName.file(name));
    }

    /**
     * Removes the cursor {@code name}; only under {@link #exclusive}.
     *
     * @throws LogLockedException if a tailer has it
     */
    public void remove(String name) throws IOException {
        try (WriterLock lock = storage.tryLock(CursorName.lock(name))) {
            if (lock == null) {
                throw inUse(name);
            }
            storage.delete(CursorName.file(name));
            storage.syncDirectory();
            // Nobody can be about to lock it: that takes the lock of all cursors.
            storage.delete(CursorName.lock(name));
        }
    }

    /**
     * Marks the cursor {@code name}, in use or not, as one that is refused until it is removed, because the log is cut
     * before it; only under {@link #exclusive}.
     */
    public void cutOff(String name) throws IOException {
        String file = CursorName.file(name);
        try (StorageFile open = storage.open(file, Storage.Access.WRITE)) {
            CursorFile.cutOff(open, file);
        }
    }

    private LogLockedException inUse(String name) throws IOException {
        String here = storage.lockedHere(CursorName.lock(name));
        return new LogLockedException("cursor is in use: name=" + name + ", directory=" + storage.description()
                + holder(name) + (here.isEmpty() ? "" : " (in this process: " + here + ")")
                + "; close the reader there first, or only register the name, by LogCursors.register");
    }

    private String holder(String name) throws IOException {
        try {
            return exists(name) ? ", pid=" + read(name).pid() : "";
        } catch (CorruptLogException | UnsupportedFormatException unreadable) {
            return "";
        }
    }
}
