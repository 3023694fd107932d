package io.persist.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file of a {@link Storage}.
 *
 * <p><b>Threads:</b> one thread reads or writes at a time; another one may call {@link #sync} and {@link #map} at the
 * same time. Interrupts do no harm.
 */
public interface StorageFile extends AutoCloseable {

    /** How much of a write has reached the device when it returns. */
    enum WriteThrough {
        /** Nothing: it is in the page cache and survives the process (RandomAccessFile mode {@code rw}). */
        NONE,
        /** The bytes, and of the metadata what is needed to read them ({@code rwd}, O_DSYNC). */
        DATA,
        /** The bytes and all metadata ({@code rws}, O_SYNC). */
        ALL
    }

    /** The length of the file now, in bytes. */
    long length() throws IOException;

    /**
     * Writes all {@code length} bytes at {@code offset}, or throws; after an exception any part may have been written.
     */
    void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException;

    /**
     * Writes the first {@code length} bytes of {@code source} over what is at {@code offset}, and returns when the
     * device has them. If that fails, what was there is put back into memory: the new bytes may be there only, and
     * Linux counts them as written, so that all readers of this boot would find what a power cut takes back.
     */
    default void overwrite(long offset, byte[] source, int length) throws IOException {
        byte[] before = new byte[length];
        int there = readFully(offset, before, 0, length);
        try {
            write(offset, source, 0, length, WriteThrough.DATA);
        } catch (IOException | InternalError failure) {
            try {
                write(offset, before, 0, there, WriteThrough.NONE);
            } catch (IOException | InternalError e) {
                failure.addSuppressed(e);
            }
            throw failure;
        }
    }

    /** Reads up to {@code length} bytes at {@code offset}; returns how many, 0 at the end of the file. */
    int read(long offset, byte[] target, int from, int length) throws IOException;

    /** The same until all {@code length} bytes are there; returns fewer only if the file ends before. */
    default int readFully(long offset, byte[] target, int from, int length) throws IOException {
        int done = 0;
        int now = -1;
        while (done < length && now != 0) {
            now = read(offset + done, target, from + done, length - done);
            done += now;
        }
        return done;
    }

    /**
     * Reads up to {@code length} bytes at {@code offset} into {@code target} from its index {@code from} on, which its
     * limit has to allow; its position does not matter and stays. Returns how many, 0 at the end of the file. Into
     * direct memory a real file is read in one step, into an array in two.
     */
    default int read(long offset, ByteBuffer target, int from, int length) throws IOException {
        if (target.hasArray()) {
            return read(offset, target.array(), target.arrayOffset() + from, length);
        }
        byte[] bytes = new byte[length];
        int read = read(offset, bytes, 0, length);
        target.put(from, bytes, 0, read);
        return read;
    }

    /** The same until {@code length} bytes are at the start of {@code target}; fewer only if the file ends before. */
    default int readFully(long offset, ByteBuffer target, int length) throws IOException {
        int done = 0;
        int now = -1;
        while (done < length && now != 0) {
            now = read(offset + done, target, done, length - done);
            done += now;
        }
        return done;
    }

    /** Makes everything written to the file, mapped stores included, survive a power cut. */
    void sync() throws IOException;

    /**
     * Has {@link #sync(long, long)} report what fails to be written from now on: before the first write, and once the
     * file is as long as it will be. Linux tells an error to each opening of a file that was there when it happened,
     * and to later ones only as long as nobody was told.
     */
    default void beginRangeSyncs() throws IOException {}

    /**
     * The same as {@link #sync()} of the bytes between the two offsets only, after {@link #beginRangeSyncs}. What is
     * elsewhere in the file may be left as it is; a storage that cannot do less syncs all. One thread at a time.
     */
    default void sync(long from, long to) throws IOException {
        sync();
    }

    /**
     * Maps {@code length} bytes from the file's start, for reading, or for writing too if the file was opened so.
     *
     * @throws java.io.FileNotFoundException if the file had to be opened again, and is gone
     */
    Mapping map(int length) throws IOException;

    /** Closes the file; its mappings live on. */
    @Override
    void close();
}
