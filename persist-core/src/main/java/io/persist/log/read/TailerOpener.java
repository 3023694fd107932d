package io.persist.log.read;

import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.FileAction;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.read.visible.Visibility;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import io.persist.log.thread.FreeStack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Opens tailers of a log: for readers, who say what it has to hold, for its writer, which knows, and for changes. */
public final class TailerOpener {

    private final Storage storage;
    private final long logId;
    private final Consumer<Tailer> onClose;
    private final Use use;

    /** Who says what the log holds. */
    private enum Use {
        /** The configuration. */
        AS_CONFIGURED,
        /** The writer has looked. */
        OF_WRITER,
        /** A store's, with each transaction from where the tailer is. */
        OF_CHANGES
    }

    private TailerOpener(Storage storage, long logId, Consumer<Tailer> onClose, Use use) {
        this.storage = storage;
        this.logId = logId;
        this.onClose = onClose;
        this.use = use;
    }

    /** For tailers of the log in {@code directory}. */
    static TailerOpener of(Path directory) {
        return FileAction.orFail("cannot read the log", () -> of(DirectoryStorage.open(directory)));
    }

    static TailerOpener of(Storage storage) {
        return new TailerOpener(storage, 0, tailer -> {}, Use.AS_CONFIGURED);
    }

    /** For the writer of the log {@code logId}, which knows what it holds and is told when a tailer is closed. */
    public static TailerOpener ofWriter(Storage storage, long logId, Consumer<Tailer> onClose) {
        return new TailerOpener(storage, logId, onClose, Use.OF_WRITER);
    }

    /**
     * For readers of the changes of a store, whoever writes it: the log has to hold transactions, and no tailer passes
     * over those that compaction has taken away, as others do. It throws a {@code RetiredException} before them.
     */
    public static TailerOpener ofChanges(Storage storage) {
        return new TailerOpener(storage, 0, tailer -> {}, Use.OF_CHANGES);
    }

    /** A tailer at the start of the log. */
    public Tailer open(TailerConfig config) {
        FreeStack.requireMore(); // for the tailer is closed in the middle, if it cannot be opened
        try {
            return make(config);
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** The tailer with the cursor {@code name}, as {@link Tailer#open(Path, String)} has it. */
    public Tailer open(String name, TailerConfig config) {
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
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        Expected expected = new Expected(storage, content(config), logId).in(bases);
        try (Opening opening = new Opening()) {
            Visibility visibility = opening.add(new Visibility(storage, config.readScope()), Visibility::close);
            Tailer tailer = new Tailer(
                    storage, visibility, bases, shown -> new FrameCursor(storage, config, shown, expected), onClose);
            if (use == Use.OF_CHANGES) {
                tailer.cursor().refuseGaps();
            }
            return opening.done(tailer);
        }
    }

    private @Nullable LogContent content(TailerConfig config) {
        return switch (use) {
            case AS_CONFIGURED -> config.content();
            case OF_WRITER -> null;
            case OF_CHANGES -> LogContent.TRANSACTIONS;
        };
    }

    /**
     * What a tailer has to find, in each segment.
     *
     * @param content null for whatever it is
     * @param logId 0 for whatever log it turns out to be: none can be read yet
     */
    record Expected(Storage storage, @Nullable LogContent content, long logId) {

        /**
         * The same for the log that has the segments {@code bases}. So a segment of another log is found out wherever
         * the tailer begins.
         */
        Expected in(NavigableSet<Long> bases) throws IOException {
            SegmentHeader header = logId == 0 ? LogIdentity.firstHeader(storage, bases) : null;
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
