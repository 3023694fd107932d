package io.persist.store.engine;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.event.Notices;
import io.persist.event.OpeningProgress;
import io.persist.file.Closing;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.control.WriterPresence;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.checkpoint.StoreLoader;
import io.persist.store.read.Snapshots;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.state.StoreState;
import io.persist.store.value.MappedSegments;
import java.io.IOException;
import java.util.List;

/**
 * A store that was read up to where it ended at one moment, by a process that need not be its writer: an index of its
 * own, made from a checkpoint and the log, and the segments that the values lie in. It can go on to a later moment. It
 * needs no lock and no right to write, and changes nothing.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class ReadStore implements AutoCloseable {

    /** How often a writer may take away what was just being read before it is given up. */
    private static final int ATTEMPTS = 5;

    private final StoreState state;
    private final StoreRecovery recovery;
    private final MappedSegments segments;
    private final CatchUp catchUp;
    private final long logId;
    private long end;

    /** Whether the state may have only some of the changes behind {@code end}. */
    private boolean isHalfDone;

    /**
     * What a writer changes meanwhile: it takes segments away, and checkpoints when it has written others, which lie
     * behind the end that is read.
     */
    private record Files(List<SegmentHeader> segments, List<Long> checkpoints) {

        static final Files NONE = new Files(List.of(), List.of());

        static Files of(Storage storage, Storage checkpointStorage) throws IOException {
            return new Files(LogFiles.readableHeaders(storage), new Checkpoints(checkpointStorage).list());
        }
    }

    private ReadStore(StoreLoader.Loaded loaded, MappedSegments segments, CatchUp catchUp, long logId, long end) {
        this.state = loaded.state();
        this.recovery = loaded.recovery();
        this.segments = segments;
        this.catchUp = catchUp;
        this.logId = logId;
        this.end = end;
    }

    /** Reads the store in these storages up to where it ends now, with the default bound of memory. */
    public static ReadStore open(Storage storage, Storage checkpointStorage) {
        return open(storage, checkpointStorage, StoreConfig.DEFAULT_INDEX_MEMORY_BYTES);
    }

    /**
     * The same with {@code indexMemoryBytes} of direct memory for the index, as {@link StoreConfig} has it.
     *
     * @throws LogIOException if there is no store, or it cannot be read
     * @throws CorruptLogException if committed changes are damaged
     * @throws RetiredException if the writer keeps taking away what is being read; try again
     * @throws io.persist.error.IndexFullException if the memory does not hold what changed since the checkpoint
     */
    public static ReadStore open(Storage storage, Storage checkpointStorage, long indexMemoryBytes) {
        for (int attempt = 1; ; attempt++) {
            Files before = Files.NONE;
            try {
                before = Files.of(storage, checkpointStorage);
                return tryOpen(storage, checkpointStorage, indexMemoryBytes);
            } catch (IOException | InternalError e) {
                if (attempt == ATTEMPTS) {
                    throw new LogIOException("cannot read the store: " + e.getMessage(), e);
                }
            } catch (PersistException e) {
                if (!hasChanged(before, storage, checkpointStorage)) {
                    throw e;
                }
                if (attempt == ATTEMPTS) {
                    throw overtaken(storage, e);
                }
            }
        }
    }

    /** Files of different moments do not fit each other: what looks damaged then need not be. */
    private static PersistException overtaken(Storage storage, PersistException e) {
        return e instanceof CorruptLogException || e instanceof RetiredException
                ? new RetiredException("the store's writer has taken away what was being read, " + ATTEMPTS
                        + " times in a row: directory=" + storage.description() + "; try again; the last time it was: "
                        + e.getMessage())
                : e;
    }

    private static boolean hasChanged(Files before, Storage storage, Storage checkpointStorage) {
        try {
            return !Files.of(storage, checkpointStorage).equals(before);
        } catch (IOException e) {
            return true;
        }
    }

    private static ReadStore tryOpen(Storage storage, Storage checkpointStorage, long indexMemoryBytes)
            throws IOException {
        SegmentHeader first = LogIdentity.firstHeader(storage);
        if (first == null || first.content() != LogContent.TRANSACTIONS) {
            String what =
                    first == null ? "no log" : "a log of " + first.content().plural();
            throw new LogIOException(
                    "there is " + what + " and no store: directory=" + storage.description()
                            + "; name the directory of a store",
                    null);
        }
        OpeningProgress progress = new OpeningProgress("view of store " + storage.description());
        long control = WriterPresence.identity(storage); // first of all: if it is another one later, that shows
        try (Opening opening = new Opening()) {
            TailerConfig config = TailerConfig.builder().anyContent().build();
            Tailer tailer = opening.add(Tailer.open(storage, config), Tailer::close);
            Tailer scout = opening.add(Tailer.open(storage, config), Tailer::close);
            MappedSegments segments = opening.add(MappedSegments.ofOthers(storage), MappedSegments::close);
            Checkpoints checkpoints = new Checkpoints(checkpointStorage);
            toEnd(scout, checkpoints.list());
            long end = scout.nextPosition(); // first of all: the writer may be faster than this
            // Mapped before anything is looked up, so that nothing is taken away any more.
            Storage upToEnd = CatchUp.part(storage, 0, end);
            LogFiles.headers(upToEnd).stream()
                    .filter(segment -> !segment.isVacated())
                    .forEach(segment -> segments.at(segment.basePosition()));
            StoreLoader loader = new StoreLoader(upToEnd, checkpoints, indexMemoryBytes, progress, damaged -> {});
            long logId = first.logId();
            StoreLoader.Loaded loaded = loader.load(tailer, logId, end);
            loaded.state().index().frames().untended(); // a view has no checkpoint to write, so it gives none back
            CatchUp catchUp = new CatchUp(storage, loaded.state(), segments, tailer, scout, control);
            progress.opened(Notices.Found.AS_EXPECTED, PersistVersion.NAME, loaded.recovery()::describe);
            return opening.done(new ReadStore(loaded, segments, catchUp, logId, end));
        }
    }

    /** From a checkpoint on if it can be: what lies before it is not read, may be long, and may be damaged. */
    private static void toEnd(Tailer tailer, List<Long> checkpoints) {
        for (long position : checkpoints) {
            try {
                tailer.toPosition(position);
                break;
            } catch (IllegalArgumentException | PersistException notThere) {
                tailer.toStart();
            }
        }
        tailer.toEnd();
    }

    /**
     * Goes on to where the log ends by now. Snapshots that are open stay as they are, and cost memory for what changes.
     *
     * @return false if it cannot, because the writer has taken away what is new, or for want of memory: then only
     *     another one can show what is new
     */
    public boolean catchUp() {
        if (isHalfDone) {
            return false;
        }
        isHalfDone = true; // also if an error ends this that is not caught here
        try {
            end = catchUp.goOn(end);
        } catch (IOException | InternalError | PersistException e) {
            return false; // if that was not because of a writer, opening another one says why
        }
        isHalfDone = false;
        return true;
    }

    /** Gives back what only older snapshots than the newest one needed; they have to be closed. */
    public void dropEmptied() {
        catchUp.dropEmptied(end);
    }

    /** A snapshot of the state; to be closed before this is. */
    public StoreSnapshot snapshot() {
        return Snapshots.alone(segments, state, end);
    }

    /** Where in the log the state ends. */
    public long end() {
        return end;
    }

    /** The id of the store's log. */
    public long logId() {
        return logId;
    }

    /** From what the state was made. */
    public StoreRecovery recovery() {
        return recovery;
    }

    /** The index and what is known of the segments. */
    public StoreState state() {
        return state;
    }

    @Override
    public void close() {
        Closing.each(List.of(catchUp::close, segments::close, state::close), Runnable::run);
    }
}
