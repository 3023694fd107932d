package io.persist.log.segment;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import java.io.IOException;
import java.util.NavigableSet;

/**
 * Writes records again as they are. A sync that fails marks its pages as clean, whether the device has them or not, so
 * that later syncs leave them out; and a writer that is killed in that sync can tell nobody. Once they are written
 * again they are dirty, and the next sync writes them.
 *
 * <p><b>Threads:</b> one, while nobody appends.
 */
public final class DirtyPages {

    private static final int CHUNK_LENGTH = 64 << 10;

    private DirtyPages() {}

    /** Writes again what lies between the two positions. */
    public static void writeAgain(Storage storage, long from, long to) throws IOException {
        forEach(storage, from, to, (file, base) -> writeAgain(file, from - base, to - base));
    }

    /** The same, and returns when the device has it. */
    public static void writeAgainAndSync(Storage storage, long from, long to) throws IOException {
        forEach(storage, from, to, (file, base) -> {
            writeAgain(file, from - base, to - base);
            file.sync();
        });
    }

    @FunctionalInterface
    private interface Action {
        void accept(StorageFile file, long basePosition) throws IOException;
    }

    private static void forEach(Storage storage, long from, long to, Action action) throws IOException {
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        Long first = bases.floor(from);
        for (long base : (first == null ? bases : bases.tailSet(first, true)).headSet(to)) {
            try (StorageFile file = storage.open(LogFileName.segment(base), Storage.Access.WRITE)) {
                action.accept(file, base);
            }
        }
    }

    private static void writeAgain(StorageFile file, long from, long to) throws IOException {
        byte[] chunk = new byte[CHUNK_LENGTH];
        long end = Math.min(file.length(), to);
        for (long offset = Math.max(0, from); offset < end; ) {
            int length = file.read(offset, chunk, 0, (int) Math.min(chunk.length, end - offset));
            file.write(offset, chunk, 0, length, WriteThrough.NONE);
            offset += length;
        }
    }
}
