package io.persist.store.read;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.thread.CallingThread;
import io.persist.log.thread.FreeStack;
import io.persist.memory.LentBytes;
import io.persist.memory.ReusedBuffer;
import io.persist.store.ChangeType;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a store in the order in which they were committed, from a position on and as they come. Moves by
 * compaction are no changes and are not shown.
 *
 * <p>The process that has the store open opens readers by {@code store.changes}. While such a one is open, compaction
 * takes nothing away that it still has to read. {@link #open(Path, long)} is for any process: it needs no lock, no
 * index and no right to write. It holds nothing; if something is taken away that it has not read, it throws, and skips
 * nothing.
 *
 * <p>A reader with a name, which one open reader at a time can have, holds what it has not passed, in any process, and
 * after a restart too: from where it last called {@link #store}. Old values may lie before that, and compaction may
 * have taken them away.
 *
 * <p>A reader shows what is committed at any level: a power cut can take back what was not synced. With {@link
 * ReadScope#SYNCED} it shows only what is synced.
 *
 * <p><b>Threads:</b> one at a time; {@link #close} any. It holds up no commit. <b>Allocation:</b> none per change, some
 * per segment. A method that returns a key or a value allocates the copy; the methods whose names end in {@code
 * UntilNext} allocate nothing, but for an old value, in a reader that was opened by the log's directory, that lies in
 * none of the four segments from which old values were read before: that one is mapped.
 *
 * <p><b>Errors:</b> an {@link IllegalStateException} if the reader is closed, and from a method that tells of a change
 * also if the last {@link #next} did not return true.
 */
public final class ChangeReader implements AutoCloseable {

    private final Tailer tailer;
    private final OldValueReader oldValues;
    private final ChangeCursor changes;
    private final LentBytes lentKey = new LentBytes();
    private final LentBytes lentValue = new LentBytes();
    private final ReusedBuffer valueBuffer = new ReusedBuffer();
    private final CallingThread caller = new CallingThread(Set.of(ChangeReader.class), Set.of("close", "end"));

    /** Volatile: see {@link CallingThread}. */
    private volatile boolean closed;

    /** {@code awaitShown} returns when the store's lookups find what is before a position. */
    ChangeReader(Tailer tailer, OldValueReader oldValues, LongConsumer awaitShown) {
        this.tailer = tailer;
        this.oldValues = oldValues;
        this.changes = new ChangeCursor(tailer, awaitShown);
    }

    /**
     * A reader of the changes from {@code position} on of the store whose log is in {@code directory}, with the
     * defaults of {@link TailerConfig}; for a process that has the store open or not. It goes on over the lives of the
     * store. To begin, read the state by a {@code StoreView}, and the changes from its snapshot's position on.
     *
     * @param position one that a commit, a snapshot or {@link #nextPosition} has returned; 0 for all changes since the
     *     store was made, which may come later
     * @throws RetiredException if compaction has taken some of them away: begin as above. If it does so later, {@link
     *     #next} throws it
     * @throws IllegalArgumentException if {@code position} is negative, or no transaction ends there. A commit that is
     *     BUFFERED may have returned it before the file has it; or the log has gone back, by a power cut or a restored
     *     backup
     * @throws io.persist.error.UnsupportedFormatException if the log is not that of a store, or is of a newer version
     * @throws io.persist.error.LogIOException if the directory cannot be read
     */
    public static ChangeReader open(Path directory, long position) {
        return open(directory, position, TailerConfig.defaults());
    }

    /** The changes from {@code position} on, as {@link #open(Path, long)} has them, read as {@code config} says. */
    public static ChangeReader open(Path directory, long position, TailerConfig config) {
        return ChangeReaders.of(directory).open(position, config);
    }

    /** The same on a storage of the caller's. */
    public static ChangeReader open(Storage storage, long position, TailerConfig config) {
        return ChangeReaders.of(storage).open(position, config);
    }

    /**
     * The reader {@code name} of the same changes, which begins where it last called {@link #store}; a new one at the
     * oldest position from which all changes are there. From now on compaction leaves what it has not read. Needs the
     * right to write to the directory.
     *
     * @param name as {@link Tailer#open(Path, String)} has it, which also says what is thrown
     */
    public static ChangeReader open(Path directory, String name) {
        return open(directory, name, TailerConfig.defaults());
    }

    /** The reader {@code name}, as {@link #open(Path, String)} has it, which reads as {@code config} says. */
    public static ChangeReader open(Path directory, String name, TailerConfig config) {
        return ChangeReaders.of(directory).open(name, config);
    }

    /** The same on a storage of the caller's. */
    public static ChangeReader open(Storage storage, String name, TailerConfig config) {
        return ChangeReaders.of(storage).open(name, config);
    }

    /**
     * The reader {@code name} of the changes from {@code position} on, for a consumer that keeps with its results how
     * far they have come. With {@link ReadScope#SYNCED} each change then counts once, in any process.
     *
     * @param position {@link #nextPosition} at the last {@link #store}, or behind a later change; 0 without results
     * @throws RetiredException if changes behind it may be gone, or lie before the cursor, which does not hold these:
     *     begin with the state. The name is there then, and holds what comes from now on
     * @throws IllegalArgumentException as {@link #open(Path, long)} has it
     */
    public static ChangeReader open(Path directory, String name, long position, TailerConfig config) {
        return ChangeReaders.of(directory).open(name, position, config);
    }

    /** The same on a storage of the caller's. */
    public static ChangeReader open(Storage storage, String name, long position, TailerConfig config) {
        return ChangeReaders.of(storage).open(name, position, config);
    }

    /**
     * Moves to the next change. A {@code get} of the store that comes after this finds that change, or a later one, if
     * the store itself has opened this reader.
     *
     * @return whether there is one; false says that none has been committed yet
     * @throws io.persist.error.CorruptLogException if the next transaction is damaged, or cut off by a repair, or the
     *     files of the log were replaced; the reader stays before it
     * @throws RetiredException if compaction has overtaken the reader, which then holds nothing; it stays
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote a change of it, none of which is
     *     shown then, or a log that is not that of a store was begun since; the reader stays
     * @throws io.persist.error.LogIOException if the log cannot be read
     */
    public boolean next() {
        checkOpen();
        lentKey.takeBack();
        lentValue.takeBack();
        oldValues.takeBack();
        return changes.next();
    }

    /** What the change did: put a key, removed one, or removed a range. */
    public ChangeType type() {
        checkOnChange();
        if (changes.entry().removesRange()) {
            return ChangeType.REMOVE_RANGE;
        }
        return changes.entry().isPut() ? ChangeType.PUT : ChangeType.REMOVE;
    }

    /** The key in a buffer of its own, from position to limit; read-only, little-endian. It never changes. */
    public ByteBuffer key() {
        return lentKey().copy();
    }

    /** The key in an array of its own. */
    public byte[] keyBytes() {
        return lentKey().bytes();
    }

    /** As {@link #key}, without allocation: the reader has one buffer, which has the key only until {@link #next}. */
    public ByteBuffer keyUntilNext() {
        return lentKey().view();
    }

    private LentBytes lentKey() {
        checkOnChange();
        lentKey.lend(changes.key().bytes(), 0, changes.key().length());
        return lentKey;
    }

    /**
     * The new value in a buffer of its own, from position to limit; read-only, little-endian. It never changes. For a
     * REMOVE it is empty. For a REMOVE_RANGE it is the key at which the range ends, which is not in the range; it is
     * empty if the range has no end.
     */
    public ByteBuffer value() {
        return lentValue().copy();
    }

    /** The new value in an array of its own; empty for a REMOVE. */
    public byte[] valueBytes() {
        return lentValue().bytes();
    }

    /**
     * As {@link #value}, without allocation: the reader has one buffer, which has the value only until {@link #next}.
     */
    public ByteBuffer valueUntilNext() {
        return lentValue().view();
    }

    private LentBytes lentValue() {
        checkOnChange();
        int length = changes.entry().valueLength();
        byte[] copy = valueBuffer.ofLength(length).array();
        tailer.payloadUntilNext().get(changes.entry().valueIndex(), copy, 0, length);
        lentValue.lend(copy, 0, length);
        return lentValue;
    }

    /**
     * The value that this change replaced in a buffer of its own, from position to limit; read-only, little-endian. It
     * never changes. Null if there was no value, or the store does not record old values.
     *
     * @throws RetiredException if compaction has taken the value away
     * @throws io.persist.error.CorruptLogException if the value is damaged
     */
    public @Nullable ByteBuffer oldValue() {
        return LentBytes.copyOf(lentOldValue());
    }

    /** The value that this change replaced in an array of its own, as {@link #oldValue} has it. */
    public byte @Nullable [] oldValueBytes() {
        return LentBytes.bytesOf(lentOldValue());
    }

    /** As {@link #oldValue}, without allocation: the buffer of this reader has the value only until {@link #next}. */
    public @Nullable ByteBuffer oldValueUntilNext() {
        return LentBytes.viewOf(lentOldValue());
    }

    private @Nullable LentBytes lentOldValue() {
        checkOnChange();
        long previous = changes.entry().previous();
        return previous == 0 ? null : oldValues.read(changes.key(), previous);
    }

    /** The position where the transaction begins in the log. */
    public long position() {
        checkOnChange();
        return tailer.position();
    }

    /** The id of the store's log, to be kept with a position that is kept elsewhere: see {@link Tailer#logId}. */
    public long logId() {
        return tailer.logId();
    }

    /**
     * Where a reader goes on that has seen all that this one has shown: right after the transaction.
     *
     * @throws IllegalStateException if the transaction has more changes: one that begins there would never see them
     */
    public long nextPosition() {
        checkAllShown("keep the position");
        return tailer.nextPosition();
    }

    /** Whether this is the last change of its transaction. */
    public boolean endsTransaction() {
        checkOnChange();
        return changes.entry().isLast();
    }

    /**
     * Stores the position after the current transaction: the reader of this name begins there after a restart. It
     * returns when the device has it, so that it survives a power cut.
     *
     * @return the position that is stored
     * @throws IllegalStateException if the reader has no name, or the transaction has more changes
     * @throws io.persist.error.LogIOException if something could not be synced or written
     */
    public long store() {
        checkAllShown("store");
        return tailer.store();
    }

    private void checkAllShown(String what) {
        checkOpen();
        if (changes.isOnChange() && !changes.entry().isLast()) {
            throw new IllegalStateException("the transaction at position " + tailer.position() + " has more changes: "
                    + what + " after its last one, see endsTransaction");
        }
    }

    private void checkOpen() {
        caller.enter();
        if (closed) {
            throw new IllegalStateException("change reader is closed");
        }
    }

    private void checkOnChange() {
        checkOpen();
        if (!changes.isOnChange()) {
            throw new IllegalStateException("the reader is on no change: call next first, and look at what it returns");
        }
    }

    /**
     * Closes the reader.
     *
     * @throws StackOverflowError if there is too little stack to close it; nothing was changed
     */
    @Override
    public void close() {
        FreeStack.requireMore(); // for the tailer is closed in the middle
        closed = true;
        caller.close(this::end);
    }

    private void end() {
        try (tailer) { // whatever letting go throws
            oldValues.close();
        }
    }
}
