package io.persist.matrix;

import io.persist.StoreView;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A logger in one configuration: short segments and buffers, so that little work touches everything. */
public record Subject(Logger logger, WriteMode writeMode, Writer writer) {

    /** The shortest possible segment. */
    public static final int SEGMENT_LENGTH = 4096;

    /** One of which a sync has pages to leave out: the shortest has a single one. */
    public static final int LONGER_SEGMENT_LENGTH = 4 * SEGMENT_LENGTH;

    private static final int WRITE_BUFFER_LENGTH = 512;

    /** How many records fit into the queue of a detached one. */
    public static final int QUEUE_DEPTH = 1024;

    /** Which of the three loggers. */
    public enum Logger {
        MESSAGE(LogContent.MESSAGES),
        PACKET(LogContent.PACKETS),
        STORE(LogContent.TRANSACTIONS);

        private final LogContent content;

        Logger(LogContent content) {
            this.content = content;
        }

        /** What its log holds. */
        public LogContent content() {
            return content;
        }
    }

    /** Who writes the log: the caller, or a thread of the logger's. */
    public enum Writer {
        ATTACHED,
        DETACHED
    }

    /** All twelve. */
    public static List<Subject> all() {
        List<Subject> all = new ArrayList<>();
        for (Logger logger : Logger.values()) {
            for (WriteMode mode : WriteMode.values()) {
                for (Writer writer : Writer.values()) {
                    all.add(new Subject(logger, mode, writer));
                }
            }
        }
        return List.copyOf(all);
    }

    /** The six that the caller's thread writes. */
    public static List<Subject> attached() {
        return all().stream()
                .filter(subject -> subject.writer == Writer.ATTACHED)
                .toList();
    }

    /** The two of these that log messages: for what the log does in the same way under each logger. */
    public static List<Subject> attachedMessages() {
        return attached().stream()
                .filter(subject -> subject.logger == Logger.MESSAGE)
                .toList();
    }

    /** One of each logger, mapped and attached: for faults that the files suffer and not the writer. */
    public static List<Subject> ofEachLogger() {
        return attached().stream()
                .filter(subject -> subject.writeMode == WriteMode.MAPPED)
                .toList();
    }

    /** Like {@code store-mapped-detached}: what {@link #named} takes. */
    public String name() {
        return (logger + "-" + writeMode + "-" + writer).toLowerCase(Locale.ROOT);
    }

    public static Subject named(String name) {
        return all().stream()
                .filter(subject -> subject.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no subject: " + name));
    }

    public boolean isDetached() {
        return writer == Writer.DETACHED;
    }

    /** Opens it on {@code storage}, where a store has its checkpoints too; to be closed. */
    public Life open(Storage storage) {
        return open(storage, config(Path.of("memory")));
    }

    /** The same with another configuration of the log than {@link #config}. */
    public Life open(Storage storage, LogConfig config) {
        return switch (logger) {
            case MESSAGE -> new MessageLife(config, queue(), storage);
            case PACKET -> new PacketLife(config, queue(), storage);
            case STORE -> new StoreLife(config, queue(), storage);
        };
    }

    /** The same with segments of another length. */
    public Life open(Storage storage, int segmentLength) {
        return open(
                storage,
                configuring(Path.of("memory")).segmentLength(segmentLength).build());
    }

    /** The same in a real directory. */
    public Life open(Path directory) throws IOException {
        return open(DirectoryStorage.open(directory));
    }

    /** Its log's configuration. */
    public LogConfig config(Path directory) {
        return configuring(directory).build();
    }

    /** The same, to be changed. */
    public LogConfig.Builder configuring(Path directory) {
        return configuring(LogConfig.builder(directory));
    }

    private LogConfig.Builder configuring(LogConfig.Builder empty) {
        return empty.segmentLength(SEGMENT_LENGTH)
                .writeBufferLength(WRITE_BUFFER_LENGTH)
                .writeMode(writeMode);
    }

    /** A reader of the log's records, which needs no writer; to be closed. */
    public Tailer tailer(Storage storage) {
        return Tailer.open(storage, reader().build());
    }

    private static TailerConfig.Builder reader() {
        return TailerConfig.builder().anyContent().readBufferLength(WRITE_BUFFER_LENGTH);
    }

    /** The same, which shows what {@code scope} says and reads by {@code mode}. */
    public Tailer tailer(Storage storage, ReadScope scope, ReadMode mode) {
        TailerConfig reading = reader().readScope(scope).readMode(mode).build();
        return Tailer.open(storage, reading);
    }

    /** The reader with the cursor {@code name}, which reads by {@code mode}. */
    public Tailer tailer(Storage storage, String name, ReadMode mode) {
        return Tailer.open(storage, name, reader().readMode(mode).build());
    }

    /**
     * Opens a view of the store in {@code storage}, as a process does that does not write it, and looks at all of it.
     *
     * @return the number of its last entry, 0 if there is none
     */
    public long view(Storage storage, Entries entries) {
        try (StoreView view = StoreView.open(storage, storage)) {
            return lastOf(view, entries);
        }
    }

    /** The number of the last entry that {@code view} shows, which has to be the state after it. */
    public long lastOf(StoreView view, Entries entries) {
        return StoreLife.verify(entries, view.snapshot());
    }

    private DetachedConfig queue() {
        return writer == Writer.ATTACHED
                ? null
                : DetachedConfig.builder().queueDepth(QUEUE_DEPTH).build();
    }

    @Override
    public String toString() {
        return name();
    }
}
