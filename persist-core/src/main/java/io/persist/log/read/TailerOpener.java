package io.persist.log.read;

import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.read.visible.Visibility;
import io.persist.log.segment.LogFiles;
import io.persist.log.thread.FreeStack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Opens tailers of a log: for readers, who say what it has to hold, and for its writer, which knows. */
public final class TailerOpener {

    private final Storage storage;
    private final long logId;
    private final Consumer<Tailer> onClose;

    private TailerOpener(Storage storage, long logId, Consumer<Tailer> onClose) {
        this.storage = storage;
        this.logId = logId;
        this.onClose = onClose;
    }

    /** For tailers of the log in {@code directory}. */
    static TailerOpener of(Path directory) {
        try {
            return of(DirectoryStorage.open(directory));
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    static TailerOpener of(Storage storage) {
        return new TailerOpener(storage, 0, tailer -> {});
    }

    /** For the writer of the log {@code logId}, which knows what it holds and is told when a tailer is closed. */
    public static TailerOpener ofWriter(Storage storage, long logId, Consumer<Tailer> onClose) {
        return new TailerOpener(storage, logId, onClose);
    }

    /** A tailer at the start of the log. */
    public Tailer open(TailerConfig config) {
        FreeStack.requireMore(); // for the tailer is closed in the middle, if it cannot be opened
        try {
            return make(config);
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** The tailer with the cursor {@code name}, as {@link Tailer#open(Path, String)} has it. */
    Tailer open(String name, TailerConfig config) {
        return open(name, config, files -> files);
    }

    /** {@code sync} makes the way to sync for this tailer from the one that syncs files. */
    public Tailer open(String name, TailerConfig config, UnaryOperator<PositionSync> sync) {
        FreeStack.requireMore();
        try {
            return make(config).resume(name, sync);
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot open the cursor " + name + ": " + e.getMessage(), e);
        }
    }

    private Tailer make(TailerConfig config) throws IOException {
        LogContent content = logId == 0 ? config.content() : null;
        NavigableSet<Long> bases = LogFiles.list(storage).basePositions();
        Expected expected = new Expected(storage, content, logId).in(bases);
        try (Opening opening = new Opening()) {
            Visibility visibility = opening.add(new Visibility(storage, config.readScope()), Visibility::close);
            return opening.done(new Tailer(
                    storage, visibility, bases, shown -> new FrameCursor(storage, config, shown, expected), onClose));
        }
    }

    /**
     * What a tailer has to find, in each segment.
     *
     * @param content null for whatever it is
     * @param logId 0 for whatever log it turns out to be: none can be read yet
     */
    record Expected(Storage storage, @Nullable LogContent content, long logId) {

        /**
         * The same for the log that has the segments {@code bases}: it is the one of the first segment that can be
         * read. So a segment of another log is found out wherever the tailer begins.
         */
        Expected in(NavigableSet<Long> bases) throws IOException {
            SegmentHeader header = logId == 0 ? LogFiles.firstHeader(storage, bases) : null;
            if (header == null) {
                return this;
            }
            check(header);
            return new Expected(storage, content, header.logId());
        }

        void check(SegmentHeader segment) {
            LogContent found = segment.content();
            if (content != null && found != content) {
                throw new UnsupportedFormatException("the log holds " + found.plural() + ", not " + content.plural()
                        + ": directory=" + storage.description() + "; read it with " + found.reader());
            }
        }
    }
}
