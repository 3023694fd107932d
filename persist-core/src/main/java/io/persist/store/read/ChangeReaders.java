package io.persist.store.read;

import io.persist.error.LogIOException;
import io.persist.file.Opening;
import io.persist.log.TailerConfig;
import io.persist.log.engine.LogWriter;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.store.core.StoreCore;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Opens readers of a store's changes.
 *
 * <p><b>Threads:</b> any.
 */
public final class ChangeReaders {

    private final StoreCore core;

    /** Opens readers of the changes of {@code core}. */
    public ChangeReaders(StoreCore core) {
        this.core = core;
    }

    /** A reader from {@code position} on, which a commit or a snapshot has returned; 0 for all. To be closed. */
    public ChangeReader open(long position, TailerConfig config) {
        core.checkUsable();
        if (position < 0) {
            throw new IllegalArgumentException("position=" + position + ", min=0");
        }
        LogWriter writer = core.writer();
        long end = writer.acceptedPosition();
        if (position > end) {
            throw new IllegalArgumentException("position is beyond the end of the log: position=" + position + ", end="
                    + end + "; if a commit has returned it, a power cut or a restored copy has taken the log back: read"
                    + " the store's state by a snapshot, and the changes from its position on");
        }
        if (writer.flushedPosition() < position) {
            core.flushes().flush(); // the reader begins in the file, where the position is known only then
        }
        return opened(() -> writer.tailer(config), reader -> reader.from(position, LogFiles.headers(core.storage())));
    }

    /** The reader {@code name}, which begins where it last stored its position. To be closed. */
    public ChangeReader open(String name, TailerConfig config) {
        core.checkUsable();
        return opened(
                () -> core.writer().tailer(name, config), reader -> reader.resume(LogFiles.headers(core.storage())));
    }

    private interface Begin {
        ChangeReader at(ChangeReader reader) throws IOException;
    }

    /** The segments are looked at only when the tailer holds what it has to read. */
    private ChangeReader opened(Supplier<Tailer> opener, Begin begin) {
        try (Opening opening = new Opening()) {
            Tailer tailer = opening.add(opener.get(), Tailer::close);
            ChangeReader reader = new ChangeReader(tailer, core.segments(), core.shown()::await);
            return opening.done(begin.at(reader));
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }
}
