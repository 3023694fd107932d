package io.persist.log.control;

import io.persist.error.LogIOException;
import io.persist.file.Mapping;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.CounterBlock;
import io.persist.format.control.NewControlBlock;
import io.persist.memory.MissingPage;
import io.persist.monitor.LogStatistics;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The mapped control block of a log. */
public final class ControlFile implements AutoCloseable {

    /** Counters of which all are 0. It is made ahead, since it may be the want of memory that makes them unknown. */
    private static final LogStatistics UNKNOWN = LogStatistics.of(counter -> 0L);

    private final Mapping mapping;
    private final ControlBlock block;
    private final CounterBlock counters;

    /** The counters at the moment of closing; nobody may look into the mapping after that. Guarded by this. */
    private @Nullable LogStatistics last;

    private ControlFile(Mapping mapping) {
        this.mapping = mapping;
        this.block = new ControlBlock(mapping.buffer());
        this.counters = new CounterBlock(mapping.buffer());
    }

    /**
     * Opens the block for reading or writing; null if there is none, or one that no sense can be made of.
     *
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it
     */
    public static @Nullable ControlFile open(Storage storage, Storage.Access access) throws IOException {
        try (Opening opening = new Opening()) {
            ControlFile control = open(storage, access, opening);
            return control == null ? null : opening.done(control);
        }
    }

    /** The same for the caller's {@code opening}, which closes it unless it is done. */
    public static @Nullable ControlFile open(Storage storage, Storage.Access access, Opening opening)
            throws IOException {
        ControlFile control = openAny(storage, access, opening);
        return control != null && control.block.isReadable(storage.description()) ? control : null;
    }

    /** The same of a page of which nothing is known but its length. */
    static @Nullable ControlFile openAny(Storage storage, Storage.Access access, Opening opening) throws IOException {
        if (!storage.list().contains(LogFileName.CONTROL)) {
            return null;
        }
        try (StorageFile file = storage.open(LogFileName.CONTROL, access)) {
            if (file.length() < ControlBlock.LENGTH) {
                return null;
            }
            return new ControlFile(opening.add(file.map(ControlBlock.LENGTH), Mapping::close));
        }
    }

    /** Makes a new block in place of what there may be. */
    public static ControlFile create(Storage storage) throws IOException {
        String temporary = LogFileName.CONTROL + LogFileName.TEMPORARY_SUFFIX;
        if (storage.list().contains(temporary)) {
            storage.delete(temporary);
        }
        try (StorageFile file = storage.create(temporary)) {
            file.write(0, NewControlBlock.encode(), 0, ControlBlock.LENGTH, WriteThrough.NONE);
            file.sync();
        }
        storage.rename(temporary, LogFileName.CONTROL);
        storage.syncDirectory();
        ControlFile control = open(storage, Storage.Access.WRITE);
        if (control == null) {
            throw new IOException("cannot read back the file " + LogFileName.CONTROL + " that was just written");
        }
        return control;
    }

    /** The control block, in the mapped file. */
    public ControlBlock block() {
        return block;
    }

    /** The counters of the log, in the same mapping. */
    public CounterBlock counters() {
        return counters;
    }

    /** The counters as they are now, or as they were when this was closed: any thread may ask, at any time. */
    public synchronized LogStatistics statistics() {
        LogStatistics closed = last;
        if (closed != null) {
            return closed;
        }
        try {
            LogStatistics now = LogStatistics.of(counters::get);
            MissingPage.check();
            return now;
        } catch (InternalError gone) {
            throw new LogIOException("the counters cannot be read: " + gone.getMessage(), gone);
        }
    }

    /** Makes what was stored in the file survive a power cut. */
    public void force() throws IOException {
        mapping.force(0, ControlBlock.LENGTH);
    }

    @Override
    public synchronized void close() {
        LogStatistics now = UNKNOWN;
        try {
            now = statistics();
        } catch (LogIOException gone) {
            // They stay unknown.
        } finally {
            last = now; // whatever it was: nobody may look into the mapping any more
            mapping.close();
        }
    }
}
