package io.persist.testkit;

import io.persist.file.Mapping;
import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An open file of a {@link CrashableStorage}. */
final class CrashableFile implements StorageFile {

    private final CrashableStorage storage;
    private final SimulatedDirectory directory;
    private final SimulatedFile file;
    private final Access access;

    /** Of the file's own descriptor; a real file has another one for each of the two below. */
    private final UntoldErrors untold;

    private UntoldErrors untoldOfRanges;
    private @Nullable UntoldErrors untoldOfWritesThrough;
    private boolean closed;

    /** The storage's lock is held. */
    CrashableFile(CrashableStorage storage, SimulatedDirectory directory, SimulatedFile file, Access access) {
        this.storage = storage;
        this.directory = directory;
        this.file = file;
        this.access = access;
        this.untold = new UntoldErrors(file);
        this.untoldOfRanges = untold;
        storage.handleOpened();
    }

    private void check() throws IOException {
        storage.checkPower();
        if (closed) {
            throw new IOException("Stream Closed");
        }
    }

    @Override
    public long length() throws IOException {
        synchronized (storage) {
            check();
            return file.length();
        }
    }

    @Override
    public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
        int at = Math.toIntExact(offset);
        try {
            storage.announce("write " + file.name, () -> writeUnderWay(at, source, from, length));
        } catch (IOException failure) {
            if (through != WriteThrough.NONE) {
                failWriteThrough(at, source, from, length);
            }
            throw failure;
        }
        synchronized (storage) {
            check();
            if (access == Access.READ) {
                throw new IOException("Bad file descriptor");
            }
            int missing = directory.missing(Math.max(0, at + length - file.length()));
            file.write(at, source, from, Math.max(0, length - missing));
            if (missing > 0) {
                throw new IOException("No space left on device");
            }
            if (through != WriteThrough.NONE) {
                UntoldErrors errors = untoldOfWritesThrough();
                file.persist(at, length, SimulatedFile.SECTOR);
                errors.tell();
            }
        }
    }

    /** In memory, from where a crash takes what it likes to the device. */
    private void writeUnderWay(int at, byte[] source, int from, int length) {
        boolean fits = at + length <= file.length() || directory.missing(length) == 0;
        if (!closed && access == Access.WRITE && fits) {
            file.write(at, source, from, length);
        }
    }

    /** The bytes are in memory by then, and count as written. */
    private void failWriteThrough(int at, byte[] source, int from, int length) {
        synchronized (storage) {
            writeUnderWay(at, source, from, length);
            untoldOfWritesThrough().syncFailed(at, length);
        }
    }

    /** Of the descriptor that is opened for the first such write. */
    private UntoldErrors untoldOfWritesThrough() {
        if (untoldOfWritesThrough == null) {
            untoldOfWritesThrough = new UntoldErrors(file);
        }
        return untoldOfWritesThrough;
    }

    private void failSync(UntoldErrors errors, int offset, int length) {
        synchronized (storage) {
            errors.syncFailed(offset, length);
        }
    }

    @Override
    public int read(long offset, byte[] target, int from, int length) throws IOException {
        synchronized (storage) {
            check();
            return file.read(Math.toIntExact(offset), target, from, length);
        }
    }

    @Override
    public void sync() throws IOException {
        try {
            storage.announce("sync " + file.name);
        } catch (IOException failure) {
            failSync(untold, 0, file.length());
            throw failure;
        }
        synchronized (storage) {
            check();
            file.sync();
            untold.tell();
        }
    }

    @Override
    public void beginRangeSyncs() {
        synchronized (storage) {
            untoldOfRanges = new UntoldErrors(file);
        }
    }

    @Override
    public void sync(long from, long to) throws IOException {
        int offset = Math.toIntExact(from);
        int length = Math.toIntExact(to - from);
        try {
            storage.announce("sync " + file.name);
        } catch (IOException failure) {
            failSync(untoldOfRanges, offset, length);
            throw failure;
        }
        synchronized (storage) {
            check();
            file.persist(offset, length, SimulatedFile.PAGE);
            untoldOfRanges.tell();
        }
    }

    @Override
    public Mapping map(int length) throws IOException {
        storage.announce("map " + file.name);
        synchronized (storage) {
            check();
            if (length > file.length()) {
                throw new IOException("file is shorter than what is to be mapped: length=" + file.length() + ", needed="
                        + length + ", file=" + file.name);
            }
            return new CrashableMapping(storage, file, length, access);
        }
    }

    @Override
    public void close() {
        synchronized (storage) {
            if (!closed) {
                closed = true;
                storage.handleClosed();
            }
        }
    }
}
