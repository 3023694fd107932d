package io.persist.archive;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory, in which files have other names until all are there. The control block of a log is given its name before
 * all others, and the last segment behind them: the one says how far the log goes, so that without the other nothing
 * opens it. Of an archive the manifest comes last.
 */
public final class DirectorySink implements ArchiveSink {

    private static final int BUFFER_LENGTH = 64 << 10;

    /** Whatever order a zip file has that was packed anew. */
    private static final Comparator<String> ORDER = Comparator.comparingInt(DirectorySink::rank)
            .thenComparingLong(name -> LogFileName.basePosition(name).orElse(0));

    /** The files before they have their names, under these. What is done to them is done to what will be committed. */
    private final class Unnamed implements ForwardingStorage {

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public List<String> list() {
            return List.copyOf(written);
        }

        @Override
        public StorageFile create(String name) throws IOException {
            return DirectorySink.this.create(name);
        }

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            return storage.open(temporary(name), access);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            written.add(to); // first: whatever fails, it is taken back
            storage.rename(temporary(from), temporary(to));
            written.remove(from);
        }

        @Override
        public void delete(String name) throws IOException {
            storage.delete(temporary(name));
            written.remove(name);
        }

        @Override
        public long identity(String name) throws IOException {
            return storage.identity(temporary(name));
        }
    }

    private final Storage storage;
    private final List<String> written = new ArrayList<>();
    private int renamed;
    private boolean isCommitted;
    private @Nullable StorageFile file;
    private OutputStream output = OutputStream.nullOutputStream();

    /** A sink into a directory that was found empty. If a log is made there, the caller holds it. */
    public DirectorySink(Storage storage) {
        this.storage = storage;
    }

    @Override
    public OutputStream begin(String name) throws IOException {
        output = new BufferedOutputStream(new StorageOutput(create(name)), BUFFER_LENGTH);
        return output;
    }

    /** Begins a file that is not written from its start to its end; the caller syncs it, and closes it. */
    public StorageFile create(String name) throws IOException {
        StorageFile created = storage.create(temporary(name));
        file = created;
        written.add(name);
        return created;
    }

    /** What was written so far, under the names that a commit gives; to be looked at and changed before that. */
    Storage files() {
        return new Unnamed();
    }

    private static int rank(String name) {
        boolean isSegment = LogFileName.basePosition(name).isPresent();
        return name.equals(LogFileName.CONTROL) ? 0 : isSegment ? 2 : name.equals(ArchiveManifest.NAME) ? 3 : 1;
    }

    private static String temporary(String name) {
        return name + LogFileName.TEMPORARY_SUFFIX;
    }

    @Override
    public void end() throws IOException {
        output.flush();
        if (file != null) {
            file.sync();
            file.close();
        }
    }

    @Override
    public void commit() throws IOException {
        written.sort(ORDER);
        requireFreeNames();
        for (String name : written) {
            if (renamed == written.size() - 1) {
                storage.syncDirectory(); // the last name says that all others are there
            }
            storage.rename(temporary(name), name);
            renamed++;
            if (name.equals(LogFileName.CONTROL)) {
                storage.syncDirectory();
            }
        }
        storage.syncDirectory();
        isCommitted = true;
    }

    /** A rename replaces what has the name. Whatever has come since the directory was found empty is not ours. */
    private void requireFreeNames() throws IOException {
        for (String name : storage.list()) {
            if (written.contains(name)) {
                throw new IOException("something else has made this file meanwhile: file=" + name + ", directory="
                        + storage.description() + "; end what uses that directory, or name another one");
            }
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
        if (!isCommitted) {
            for (int i = written.size() - 1; i >= 0; i--) {
                Removal.of(storage, i < renamed ? written.get(i) : temporary(written.get(i)));
            }
        }
    }
}
