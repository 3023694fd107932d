package io.persist.log.read;

import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.log.ReadScope;
import io.persist.log.RecordHandler;
import io.persist.log.TailerConfig;
import io.persist.log.read.visible.Visibility;
import io.persist.log.thread.CallingThread;
import io.persist.log.thread.FreeStack;
import io.persist.memory.MissingPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a log in order, while it is being written or not, in the writer's process or another one. It
 * needs no lock and no right to write, and never holds up the writer.
 *
 * <p>Two ways to use it: {@link #next()} moves to the next record, whose payload can then be asked for; {@link #poll}
 * hands records to a handler. Both return at once when there is nothing new: no call waits for a record. If the last
 * {@code next()} did not return true there is no payload: to ask for it is an {@link IllegalStateException}.
 *
 * <p>A tailer sees each record as soon as it is published, which may be before it is synced: a power cut can take back
 * what a tailer saw. With {@link ReadScope#SYNCED} it sees only what no power cut takes back. It never sees a record
 * that differs from what was appended: each one's checksum is verified.
 *
 * <p>A tailer with a name, of which there is one at a time, goes on after a restart where it last called {@link
 * #store}. Its cursor keeps the records that it has not passed from retention, until {@link LogCursors} removes it. One
 * without a name keeps what it has still to read only if the log's writer has opened it, by {@code logger.tailer}.
 *
 * <p><b>Threads:</b> one at a time, which is not checked; {@link #close} any. <b>Allocation:</b> none per record, some
 * per segment; {@link #payload} and {@link #payloadBytes} allocate the copy.
 */
public final class Tailer extends RecordReader implements AutoCloseable {

    private final Storage storage;
    private final Visibility visibility;
    private final FrameCursor cursor;
    private final RepairWatch repairs;
    private final TailerMoves moves;
    private final Polling polling;
    private final Consumer<Tailer> onClose;
    private @Nullable StoredCursor stored;
    private final CallingThread caller =
            new CallingThread(Set.of(Tailer.class, RecordReader.class), Set.of("poll", "close", "end"));
    private volatile boolean closed; // volatile: see CallingThread

    /** At the start of the segments {@code bases}; {@code cursors} makes cursors that see what is visible to them. */
    Tailer(
            Storage storage,
            Visibility visibility,
            NavigableSet<Long> bases,
            Function<Visibility, FrameCursor> cursors,
            Consumer<Tailer> onClose) {
        super(cursors.apply(visibility));
        this.storage = storage;
        this.visibility = visibility;
        this.onClose = onClose;
        this.cursor = cursor();
        this.repairs = new RepairWatch(visibility.control(), cursor);
        this.moves = new TailerMoves(storage, visibility, cursor, repairs, cursors);
        this.polling = new Polling(this, cursor, moves);
        moves.toStart(bases);
    }

    /**
     * A tailer at the start of the log of messages in {@code directory}, with the defaults of {@link TailerConfig}; for
     * a process that writes the log or not. It keeps nothing from retention and compaction, in the writer's process
     * neither: use a name, or there {@code logger.tailer()}.
     *
     * @throws io.persist.error.UnsupportedFormatException if the log holds packets, or the transactions of a store, or
     *     is of a newer version; a log that is begun later is refused by {@link #next}
     * @throws LogIOException if the directory cannot be read
     */
    public static Tailer open(Path directory) {
        return open(directory, TailerConfig.defaults());
    }

    /** A tailer at the start of the log in {@code directory}, as {@link #open(Path)} has it. */
    public static Tailer open(Path directory, TailerConfig config) {
        return TailerOpener.of(directory).open(config);
    }

    /** The same on a storage of the caller's. */
    public static Tailer open(Storage storage, TailerConfig config) {
        return TailerOpener.of(storage).open(config);
    }

    /**
     * The tailer with the cursor {@code name}: where it last stored, or at the start of the log if there is no such
     * cursor yet; then it is made, and survives a power cut when this returns. Needs the right to write to the
     * directory.
     *
     * @param name 1 to 64 letters of A to Z and a to z, digits, dots, underscores and hyphens; no dot at first
     * @throws io.persist.error.LogLockedException if there is another tailer with this name, or something that opens or
     *     removes another cursor, or takes one segment away, does not come to an end within 10 s
     * @throws RetiredException if the records at the cursor are gone although it held them
     * @throws io.persist.error.CorruptLogException if the cursor is damaged or wrong; or as {@link LogCursors#register}
     * @throws io.persist.error.UnsupportedFormatException as {@link #open(Path)} has it
     * @throws LogIOException if the operating system refuses something
     */
    public static Tailer open(Path directory, String name) {
        return open(directory, name, TailerConfig.defaults());
    }

    /** The tailer with the cursor {@code name}, as {@link #open(Path, String)} has it. */
    public static Tailer open(Path directory, String name, TailerConfig config) {
        return TailerOpener.of(directory).open(name, config);
    }

    /** The same on a storage of the caller's. */
    public static Tailer open(Storage storage, String name, TailerConfig config) {
        return TailerOpener.of(storage).open(name, config);
    }

    Tailer resume(String name, UnaryOperator<PositionSync> sync) throws IOException {
        try {
            stored = new StoredCursor(
                    storage, name, visibility.hint(), sync.apply(new FileSync(storage, visibility.control())));
            stored.resume(cursor);
            return this;
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /**
     * Stores where the next record begins, to go on there after a restart; returns when the device has it. First it
     * makes sure that everything before is synced: a cursor is never ahead of what a power cut leaves of the log.
     *
     * @return {@link #nextPosition()}, which is stored now
     * @throws IllegalStateException if the tailer has no name, or is at a place of {@link #toRecord} that the log lacks
     * @throws RetiredException if the tailer has gone back, to records that are gone by now
     * @throws io.persist.error.CorruptLogException if a repair has cut the log, or the first record is next and damaged
     * @throws LogIOException if something could not be synced or written; from then on this tailer stores nothing more
     * @throws io.persist.error.LogLockedException if this process has lost the cursor to another one; the same then
     */
    public long store() {
        checkOpen();
        if (stored == null) {
            throw new IllegalStateException("this reader has no name; open it with one to store its position");
        }
        return stored.store(repairs, moves);
    }

    /** Goes to the oldest record that is still there. */
    public void toStart() {
        checkOpen();
        moves.go(moves::toStart);
    }

    /** Goes past the newest record: the next one will be the first that is appended from now on. */
    public void toEnd() {
        checkOpen();
        moves.go(moves::toEnd);
    }

    /**
     * Goes to before the last {@code count} records, counted by their numbers from the newest one that this tailer may
     * see; to the end if it is 0, and to the start if the log has fewer. Records that are gone count, and do not come.
     *
     * @param count records, 0 or more: each is a message, a packet, or a transaction with all of its changes
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws io.persist.error.CorruptLogException if a record is damaged that the search looks at; the tailer stays
     * @throws RetiredException if retention takes away what it looks at; the tailer stays, and a second call may do it
     */
    public void toLast(long count) {
        checkOpen();
        moves.go(() -> moves.toLast(count));
    }

    /**
     * Goes to the first record whose payload {@code matches}, such as the first one of a time, by binary search. If a
     * record matches, all records after it must match; if not, which matching record is found is not defined. If none
     * that this tailer may see matches, it goes to the end, as that was then. Records that are gone do not count.
     *
     * @param matches gets the payload, from position to limit, little-endian, valid only during the call. It must not
     *     use this tailer; a {@link #close} by another thread waits for it. This method throws whatever it throws
     * @throws IllegalArgumentException if {@code matches} has read beyond the payload; the message names the record
     * @throws io.persist.error.CorruptLogException if a record is damaged that the search looks at; the tailer stays
     * @throws RetiredException if retention takes away what it looks at, again and again; the tailer stays
     */
    public void toFirst(Predicate<ByteBuffer> matches) {
        checkOpen();
        moves.go(() -> moves.toFirst(matches, this::checkOpen)); // it may have closed this tailer
    }

    /**
     * Goes to the record at {@code target}, or to the log's end there, synced or not. If it throws, it stays.
     *
     * @throws RetiredException if the position is below the log's first one, or compaction has taken its record away
     * @throws IllegalArgumentException if no record begins there, as at 0 or a negative number
     */
    public void toPosition(long target) {
        checkOpen();
        moves.go(() -> moves.toPosition(target));
    }

    /**
     * Goes to {@code target}, where, as the caller knows, record {@code number} begins or will begin. It reads nothing:
     * {@link #next} throws if another record is there, and {@link #store} if the log has no such place.
     *
     * @throws IllegalArgumentException if no record can begin there
     */
    public void toRecord(long target, long number) {
        checkOpen();
        moves.go(() -> moves.toRecord(target, number));
    }

    /**
     * Goes to the record number {@code target}, in logarithmic time; the number after the last, as 1 is if there is no
     * log yet, is the end of the log.
     *
     * @throws RetiredException if retention has taken the record away
     * @throws IllegalArgumentException if it has not been written yet
     * @throws io.persist.error.CorruptLogException if damage hides it
     */
    public void toSequence(long target) {
        checkOpen();
        moves.go(() -> moves.toSequence(target));
    }

    /**
     * Moves to the next record.
     *
     * @return whether there is one; false says that it has not been published yet
     * @throws io.persist.error.CorruptLogException if the next record is damaged, or cut off by a repair, or the files
     *     of the log were replaced; this stays
     * @throws RetiredException if retention has overtaken the tailer
     * @throws LogIOException if the operating system cannot read the log
     */
    public boolean next() {
        checkOpen();
        try {
            return cursor.next() || repairs.nextAfterRepair();
        } catch (IOException | InternalError e) {
            throw moves.failed(e);
        }
    }

    /**
     * Hands up to {@code limit} records to {@code handler}. Afterwards the tailer is on no record.
     *
     * <p>If the handler throws, so does this, and the tailer stands before the record that the handler was given: it is
     * the first one of the next poll, and {@link #store} does not count it as read. {@link #position} and {@link
     * #sequence} still tell which one it is. A handler that cannot take a record, and can do without it, must not
     * throw. If the handler itself has moved the tailer before it throws, the tailer stays where that was.
     *
     * @return how many there were; 0 says that none has been published since
     * @throws IllegalArgumentException if {@code limit} is less than 1
     * @throws io.persist.error.CorruptLogException if a record is damaged; those before it have been handed over
     * @throws RetiredException if retention has overtaken the tailer
     * @throws LogIOException if the operating system cannot read the log
     */
    public int poll(RecordHandler handler, int limit) {
        return polling.poll(handler, limit);
    }

    /**
     * The id of the log, which no other one has; 0 if there is no log yet. A reader that keeps its position elsewhere
     * keeps this with it: positions of a log with another id mean nothing here. After this has returned an id, the
     * tailer refuses segments of another log. A restored backup has the id of the log that was backed up.
     *
     * @throws LogIOException if the log cannot be read
     */
    public long logId() {
        checkOpen();
        return moves.logId();
    }

    /** The position where the records begin that this tailer still has to read, and that retention leaves alone. */
    public long neededPosition() {
        return cursor.neededPosition();
    }

    @Override
    void checkOpen() {
        caller.enter();
        if (closed) {
            throw new IllegalStateException("tailer is closed");
        }
    }

    /**
     * Closes the tailer; any thread may. Another thread that is using it keeps the record it has; its next call, or
     * its poll after the handler, throws an {@link IllegalStateException}. This returns when nothing is read any more.
     *
     * @throws StackOverflowError if there is too little stack to close it; nothing was changed
     */
    @Override
    public void close() {
        FreeStack.require(); // or files would stay open, and the cursor's lock held
        closed = true;
        caller.close(this::end);
    }

    private void end() {
        MissingPage.dropHeld();
        StoredCursor named = stored;
        try (named;
                visibility) { // each of them, whatever closing another one throws
            cursor.close();
        } finally {
            onClose.accept(this);
        }
    }
}
