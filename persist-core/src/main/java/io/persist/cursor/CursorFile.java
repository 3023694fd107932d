package io.persist.cursor;

import io.persist.error.CorruptLogException;
import io.persist.error.LogLockedException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.file.WriterLock;
import io.persist.format.control.CursorSlot;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The file of a cursor, opened by its only user: two slots, written in turn. At any time one of them is whole and on
 * the device, and holds the last acknowledged position or a later one.
 *
 * <p><b>Threads:</b> one at a time. <b>Durability:</b> {@link #store} returns when the device has the slot.
 * <b>Allocation:</b> a store allocates only short-lived objects.
 */
public final class CursorFile implements AutoCloseable {

    private final StorageFile file;
    private final String name;
    private final WriterLock lock;
    private final long pid = ProcessHandle.current().pid();
    private final ByteBuffer bytes = CursorSlot.allocate();
    private CursorSlot slot;
    private @Nullable LogLockedException takenOver;

    CursorFile(StorageFile file, String name, WriterLock lock, CursorSlot slot) {
        this.file = file;
        this.name = name;
        this.lock = lock;
        this.slot = slot;
    }

    /** The newest whole slot of {@code file}, whose name is {@code name}. */
    static CursorSlot read(StorageFile file, String name) throws IOException {
        CursorSlot newest = newest(file, name);
        if (newest != null) {
            return newest;
        }
        throw new CorruptLogException(
                name,
                0,
                "neither slot of the cursor is whole",
                "its position is lost: remove the cursor; its reader then begins at the log's first record");
    }

    private static @Nullable CursorSlot newest(StorageFile file, String name) throws IOException {
        CursorSlot first = readSlot(file, name, 0);
        CursorSlot second = readSlot(file, name, CursorSlot.INTERVAL);
        boolean isFirst = first != null && (second == null || second.generation() < first.generation());
        return isFirst ? first : second;
    }

    private static @Nullable CursorSlot readSlot(StorageFile file, String name, int offset) throws IOException {
        byte[] slot = new byte[CursorSlot.LENGTH];
        boolean isWhole = file.readFully(offset, slot, 0, slot.length) == slot.length;
        CursorSlot found = isWhole ? CursorSlot.decode(slot, name) : null;
        return found != null && CursorSlot.offset(found.generation()) == offset ? found : null;
    }

    /** What the file holds. */
    public CursorSlot slot() {
        return slot;
    }

    /**
     * Puts this process's id into the file. Before that it writes the newest slot once more: a process that was killed,
     * or met an I/O error, may have left it in memory only, and the other slot is about to be overwritten.
     */
    public void claim() throws IOException {
        write(slot);
        next(slot.logId(), slot.position(), slot.sequence(), slot.storedAtMs());
    }

    /**
     * Stores a position; returns when the device has it. After an exception nothing more can be stored.
     *
     * @throws LogLockedException if another process has the cursor by now, because this one has lost its lock
     */
    public void store(long logId, long position, long sequence) throws IOException {
        next(logId, position, sequence, System.currentTimeMillis());
    }

    /** Marks the cursor as cut off, right after a store. */
    public void cutOff() throws IOException {
        CursorSlot marked = slot.cutOff();
        write(marked);
        slot = marked;
    }

    private void next(long logId, long position, long sequence, long storedAtMs) throws IOException {
        CursorSlot next = new CursorSlot(slot.generation() + 1, logId, position, sequence, storedAtMs, pid);
        write(next);
        slot = next;
    }

    private void write(CursorSlot written) throws IOException {
        checkOwn();
        write(file, written, bytes);
    }

    /**
     * The lock alone is not enough: this process loses it as soon as anything in it closes that file. What another one
     * has stored would be overwritten then, although it was acknowledged and retention relies on it.
     */
    private void checkOwn() throws IOException {
        LogLockedException before = takenOver;
        if (before != null) {
            throw before;
        }
        CursorSlot newest = newest(file, name);
        if (newest != null && !isOwn(newest)) {
            takenOver = new LogLockedException("cursor is in use by another tailer: file=" + name + ", pid="
                    + newest.pid() + "; nothing more is stored by this one, close it, and go on with the other."
                    + " Something in this process has opened and closed the lock file of the cursor, or that file was"
                    + " removed");
            throw takenOver;
        }
    }

    /** Whoever takes a cursor over writes a later slot. A repair's mark is made of one that this wrote a moment ago. */
    private boolean isOwn(CursorSlot newest) {
        boolean isMark =
                newest.isCutOff() && newest.pid() == slot.pid() && newest.generation() <= slot.generation() + 1;
        return newest.generation() < slot.generation() || newest.equals(slot) || isMark;
    }

    private static void write(StorageFile file, CursorSlot written, ByteBuffer bytes) throws IOException {
        written.encode(bytes);
        // A slot in memory only would let retention delete what the cursor on the device needs.
        file.overwrite(CursorSlot.offset(written.generation()), bytes.array(), CursorSlot.LENGTH);
    }

    /** Marks the cursor in {@code file}, of this {@code name}, as cut off: in two writes, as {@link #claim} has it. */
    static void cutOff(StorageFile file, String name) throws IOException {
        CursorSlot slot = read(file, name);
        ByteBuffer bytes = CursorSlot.allocate();
        write(file, slot, bytes);
        if (!slot.isCutOff()) { // else an earlier attempt has left it, and it may be in memory only
            write(file, slot.cutOff(), bytes);
        }
    }

    /** Gives the cursor up. */
    @Override
    public void close() {
        try (lock) { // whatever closing the file throws
            file.close();
        }
    }

    /** Makes the file {@code name} with its first slot; it is synced, its name with the directory. */
    static void create(Storage storage, String name, CursorSlot first) throws IOException {
        ByteBuffer slot = CursorSlot.allocate();
        first.encode(slot);
        byte[] content = new byte[CursorSlot.FILE_LENGTH];
        System.arraycopy(slot.array(), 0, content, CursorSlot.offset(first.generation()), CursorSlot.LENGTH);
        try (StorageFile file = storage.create(name)) {
            file.write(0, content, 0, content.length, WriteThrough.NONE);
            file.sync();
        }
    }
}
