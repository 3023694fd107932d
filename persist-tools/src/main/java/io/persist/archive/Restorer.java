package io.persist.archive;

import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.control.NewLogHold;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Compares an archive or a backup with its manifest, and restores it: into an empty directory that has space for it,
 * and only once all of it has been compared. If something goes wrong nothing is left there.
 *
 * <p><b>Threads:</b> one at a time.
 *
 * @param <M> its manifest
 */
public final class Restorer<M> {

    /**
     * All files that were packed. Each reading gives them out anew, and throws if they are not what the manifest says.
     *
     * @param <M> the manifest
     */
    public interface Packed<M> {
        /** Writes each file to what {@code opener} returns, and calls {@code ending} behind each. */
        M read(ArchiveReader.Opener opener, ArchiveReader.Ending ending) throws IOException;
    }

    /**
     * What is done with the restored files before they have their names.
     *
     * @param <M> the manifest
     * @param <R> what there is to say of it
     */
    public interface Finish<M, R> {
        /** {@code files} are those of {@code manifest}, under their names; what it leaves of them is committed. */
        R finish(M manifest, Storage files) throws IOException;
    }

    /** Counts the bytes that files will take on a disk when {@link StorageOutput} writes them. */
    static final class BlockCount {

        private long bytes;

        /** A file more, whose content is to be written to what is returned. */
        OutputStream file() {
            return new BlockOutput() {

                private long counted;

                @Override
                void piece(long at, byte[] source, int from, int length) {
                    long first = Math.max(counted, at / BLOCK_LENGTH * BLOCK_LENGTH);
                    counted = (at + length + BLOCK_LENGTH - 1) / BLOCK_LENGTH * BLOCK_LENGTH;
                    bytes += counted - first;
                }
            };
        }

        /** Bytes, of all files. */
        long bytes() {
            return bytes;
        }
    }

    private final String kind;
    private final String description;
    private final Packed<M> packed;

    /** Of what people call {@code kind}, an archive or a backup, at the place {@code description}. */
    public Restorer(String kind, String description, Packed<M> packed) {
        this.kind = kind;
        this.description = description;
        this.packed = packed;
    }

    /** Compares all of it with its manifest. */
    public M verify() {
        return verify(new BlockCount());
    }

    private M verify(BlockCount count) {
        return FileAction.orFail(
                "cannot read the " + kind + " " + description, () -> packed.read(name -> count.file(), () -> {}));
    }

    /** What has to have space in a directory; all of it has been compared with its manifest. */
    private BlockCount compared() {
        BlockCount count = new BlockCount();
        verify(count);
        return count;
    }

    /** Restores it into {@code target}, which is held from beginning to end as by a writer. */
    public M restore(Storage target) {
        return restore(target, (manifest, files) -> manifest);
    }

    /** The same into a directory that is made, if it is not there, once all has been compared. */
    public M restore(Path target) {
        return restore(target, (manifest, files) -> manifest);
    }

    /** The same as {@link #restore(Storage)} of what {@code finish} leaves. */
    public <R> R restore(Storage target, Finish<M, R> finish) {
        return restore(target, this::compared, finish);
    }

    /** The same as {@link #restore(Path)} of what {@code finish} leaves. */
    public <R> R restore(Path target, Finish<M, R> finish) {
        BlockCount count = compared();
        return FileAction.orFail(
                "cannot restore to " + target, () -> restore(DirectoryStorage.create(target), () -> count, finish));
    }

    private <R> R restore(Storage target, Supplier<BlockCount> comparison, Finish<M, R> finish) {
        try (NewLogHold hold = NewLogHold.take(target);
                DirectorySink files = new DirectorySink(target)) {
            requireSpace(target, comparison.get());
            M manifest = packed.read(files::begin, files::end);
            R finished = finish.finish(manifest, files.files());
            files.commit();
            hold.keep();
            return finished;
        } catch (IOException | InternalError e) {
            throw new LogIOException(
                    "cannot restore " + description + " to " + target.description() + ": " + e.getMessage(), e);
        }
    }

    private static void requireSpace(Storage target, BlockCount needed) throws IOException {
        long usable = target.usableBytes();
        if (usable < needed.bytes()) {
            throw new IOException("No space left on device: needed=" + needed.bytes() + ", usable=" + usable
                    + "; make space there, or name another place");
        }
    }
}
