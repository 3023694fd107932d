package io.persist.log.read;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.DirectoryStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogContent;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import io.persist.log.LogConfig;
import io.persist.log.segment.LogFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Opens tailers of a log that holds what the caller expects; or of any log, for a tool that looks at any content, and
 * for a writer, which knows the content.
 */
public final class TailerOpener {

    private final LogConfig config;
    private final Storage storage;
    private final @Nullable LogContent content;
    private final long logId;
    private final Consumer<Tailer> onClose;

    private TailerOpener(
            LogConfig config, Storage storage, @Nullable LogContent content, long logId, Consumer<Tailer> onClose) {
        this.config = config;
        this.storage = storage;
        this.content = content;
        this.logId = logId;
        this.onClose = onClose;
    }

    /** For tailers of any log. */
    public static TailerOpener any(LogConfig config, Storage storage) {
        return new TailerOpener(config, storage, null, 0, tailer -> {});
    }

    /** For tailers of a log in the configured directory that holds {@code content}. */
    static TailerOpener of(LogConfig config, LogContent content) {
        try {
            return of(config, content, DirectoryStorage.open(config.directory()));
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    static TailerOpener of(LogConfig config, LogContent content, Storage storage) {
        return new TailerOpener(config, storage, content, 0, tailer -> {});
    }

    /** For the writer of the log {@code logId}, which is told when a tailer is closed. */
    public static TailerOpener ofWriter(LogConfig config, Storage storage, long logId, Consumer<Tailer> onClose) {
        return new TailerOpener(config, storage, null, logId, onClose);
    }

    /** A tailer at the start of the log. */
    public Tailer open() {
        try {
            return make();
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** The tailer with the cursor {@code name}, as {@link Tailer#open(LogConfig, String)} has it. */
    public Tailer open(String name) {
        return open(name, files -> files);
    }

    /** {@code sync} makes the way to sync for this tailer from the one that syncs files. */
    public Tailer open(String name, UnaryOperator<PositionSync> sync) {
        try {
            return make().resume(name, sync);
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot open the cursor " + name + ": " + e.getMessage(), e);
        }
    }

    private Tailer make() throws IOException {
        return new Tailer(storage, config, new Expected(storage, content, logId), onClose);
    }

    /**
     * What a tailer has to find, in each segment.
     *
     * @param content null for whatever it is
     * @param logId 0 for whatever log it turns out to be
     */
    record Expected(Storage storage, @Nullable LogContent content, long logId) {

        /** Looks into the first of the segments, if there is one and it can be read; reading finds out the rest. */
        void checkFirst(NavigableSet<Long> bases) throws IOException {
            if (content == null || bases.isEmpty()) {
                return;
            }
            try (StorageFile file = storage.open(SegmentName.of(bases.first()), Storage.Access.READ)) {
                check(LogFiles.readHeader(storage, file, bases.first()));
            } catch (CorruptLogException | FileNotFoundException unreadable) {
                // It is for the first next() to say so.
            }
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
