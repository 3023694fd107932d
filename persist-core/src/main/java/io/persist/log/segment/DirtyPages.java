package io.persist.log.segment;

import io.persist.event.OpeningProgress;
import io.persist.event.OpeningProgress.Step;
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

    /** Writes again what lies between the two positions; {@code progress} is told how far it is. */
    public static void writeAgain(Storage storage, long from, long to, OpeningProgress progress) throws IOException {
        forEach(storage, from, to, progress, file -> {});
    }

    /** The same, and returns when the device has it. */
    public static void writeAgainAndSync(Storage storage, long from, long to, OpeningProgress progress)
            throws IOException {
        forEach(storage, from, to, progress, StorageFile::sync);
    }

    @FunctionalInterface
    private interface Then {
        void accept(StorageFile file) throws IOException;
    }

    private static void forEach(Storage storage, long from, long to, OpeningProgress progress, Then then)
            throws IOException {
        progress.begin(Step.REWRITE, from, to);
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        Long first = bases.floor(from);
        for (long base : (first == null ? bases : bases.tailSet(first, true)).headSet(to)) {
            try (StorageFile file = storage.open(LogFileName.segment(base), Storage.Access.WRITE)) {
                writeAgain(file, base, Math.max(from, base), to, progress);
                then.accept(file);
            }
        }
    }

    private static void writeAgain(StorageFile file, long base, long from, long to, OpeningProgress progress)
            throws IOException {
        byte[] chunk = new byte[CHUNK_LENGTH];
        long end = Math.min(base + file.length(), to);
        for (long position = from; position < end; ) {
            progress.at(position);
            int length = file.read(position - base, chunk, 0, (int) Math.min(chunk.length, end - position));
            if (length == 0) {
                throw new IOException("file was cut while its records were written again, length=" + file.length()
                        + ", needed=" + (end - base));
            }
            file.write(position - base, chunk, 0, length, WriteThrough.NONE);
            position += length;
        }
    }
}
