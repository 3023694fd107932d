package io.persist.tool.salvage;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * A storage on a disk of which some blocks cannot be read, for those who read what is left: these blocks are zeros, so
 * that they are damage like any other, and it remembers which they are. A file is read as a whole before it is mapped:
 * the JVM tells of a block that a mapping cannot have only by an error in the middle of whatever looks at it.
 *
 * <p><b>Threads:</b> any; each of its files one at a time.
 */
public final class ReadableStorage implements ForwardingStorage {

    /**
     * Bytes of a file that cannot be read.
     *
     * @param file its name
     * @param from offset of the first of them
     * @param to offset after the last of them
     * @param why what the operating system says
     */
    public record Unreadable(String file, long from, long to, String why) {

        /** What the log has there: its positions, or of another file of the log, or of a store, its bytes. */
        public String place() {
            return LogFileName.basePosition(file).isPresent()
                    ? "positions " + fromPosition() + " to " + toPosition() + ", file " + file
                    : "bytes " + from + " to " + to + " of " + file;
        }

        /** The position in the log of the first of them; -1 if the file is no segment. */
        public long fromPosition() {
            return position(from);
        }

        /** The position in the log after the last of them; -1 if the file is no segment. */
        public long toPosition() {
            return position(to);
        }

        private long position(long offset) {
            OptionalLong base = LogFileName.basePosition(file);
            return base.isPresent() ? base.getAsLong() + offset : -1;
        }

        /** The reason, as that of damage. */
        public String reason() {
            return "cannot be read: " + why;
        }
    }

    /** What the page cache reads at once, and cannot if one sector of it is bad. */
    static final int BLOCK_LENGTH = 4096;

    private final Storage storage;
    private final Map<String, TreeMap<Long, Unreadable>> unreadable = new TreeMap<>();
    private final Set<String> readThrough = new HashSet<>();

    private ReadableStorage(Storage storage) {
        this.storage = storage;
    }

    /** What can be read of {@code storage}, which may be one of these already. */
    public static ReadableStorage of(Storage storage) {
        return storage instanceof ReadableStorage readable ? readable : new ReadableStorage(storage);
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return new ReadableFile(this, name, storage.open(name, access));
    }

    /** Everything that could not be read until now: by file, and ascending. */
    public synchronized List<Unreadable> unreadable() {
        List<Unreadable> all = new ArrayList<>();
        for (Map<Long, Unreadable> blocks : unreadable.values()) {
            Unreadable open = null;
            for (Unreadable block : blocks.values()) {
                if (open != null && open.to() == block.from() && open.why().equals(block.why())) {
                    all.remove(all.size() - 1);
                    block = new Unreadable(block.file(), open.from(), block.to(), block.why());
                }
                all.add(block);
                open = block;
            }
        }
        return List.copyOf(all);
    }

    /** The first part of the log between the two positions that could not be read, if there is one. */
    public Optional<Unreadable> unreadable(long fromPosition, long toPosition) {
        return unreadable().stream()
                .filter(part -> part.fromPosition() < toPosition && part.toPosition() > fromPosition)
                .findFirst();
    }

    /** Reads all of the file at once, so that whatever cannot be read of it is known. */
    public void readThrough(String name) throws IOException {
        try (ReadableFile file = new ReadableFile(this, name, storage.open(name, Access.READ))) {
            file.readThrough();
        }
    }

    /** Whether the file is to be read, which is done once. */
    synchronized boolean beginReadThrough(String name) {
        return readThrough.add(name);
    }

    synchronized void note(Unreadable block) {
        unreadable.computeIfAbsent(block.file(), file -> new TreeMap<>()).put(block.from(), block);
    }

    /** Whether something between the two offsets could not be read before. */
    synchronized boolean isUnreadable(String file, long from, long to) {
        TreeMap<Long, Unreadable> blocks = unreadable.get(file);
        Map.Entry<Long, Unreadable> last = blocks == null ? null : blocks.lowerEntry(to);
        return last != null && last.getValue().to() > from;
    }
}
