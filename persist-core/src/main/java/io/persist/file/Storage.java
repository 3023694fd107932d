package io.persist.file;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flat directory of files. The loggers make the real one from their configured directory; tests pass one of their
 * own, such as {@code CrashableStorage} of the kit, which forgets at a power cut what was not synced.
 *
 * <p><b>Threads:</b> any.
 */
public interface Storage {

    /**
     * The names of all entries of the directory, in no order. Opening one that is no file fails, so that it is not
     * taken for missing.
     */
    List<String> list() throws IOException;

    /** Makes a new, empty file for writing. It has to be synced, and the directory with it, to survive a power cut. */
    StorageFile create(String name) throws IOException;

    /**
     * Opens a file that exists.
     *
     * @throws java.io.FileNotFoundException if there is none of this name
     * @throws IOException if it cannot be opened, or what has the name is no file: no link is followed
     */
    StorageFile open(String name, Access access) throws IOException;

    /** Gives a file another name, atomically, in place of a file that has it. */
    void rename(String from, String to) throws IOException;

    /**
     * Deletes the file {@code name}.
     *
     * @throws IOException if it cannot be deleted, or what has the name is no file
     */
    void delete(String name) throws IOException;

    /** Makes creations, renames and deletions survive a power cut. */
    void syncDirectory() throws IOException;

    /**
     * The length of the file {@code name}, in bytes. The file may be opened for that: do not ask for the one of a lock.
     *
     * @throws java.io.FileNotFoundException if there is none of this name
     * @throws IOException if what has the name is no file
     */
    default long length(String name) throws IOException {
        try (StorageFile file = open(name, Access.READ)) {
            return file.length();
        }
    }

    /** How many bytes can still be written, as far as the file system knows. */
    long usableBytes() throws IOException;

    /**
     * Becomes the directory's only writer, among all processes, by locking the file {@code name}, which is made if it
     * does not exist and never written to. Nothing else may open that file: a process that closes any descriptor of it
     * loses its lock.
     *
     * @return the lock, or null if another process, or another opener in this one, has it
     */
    @Nullable
    WriterLock tryLock(String name) throws IOException;

    /**
     * The holder of the lock of the file {@code name} in this process, in words; empty if there is none, or it is not
     * known.
     */
    default String lockedHere(String name) throws IOException {
        return "";
    }

    /** Whether {@link #lockedHere} knows of each lock that this process has. */
    default boolean knowsLocks() {
        return false;
    }

    /**
     * A number that tells the file {@code name} from every other one that exists, whatever path leads to it; a copy of
     * it has another one. It stays as long as the file does and the operating system runs.
     *
     * @return 0 if it is not known
     * @throws java.io.FileNotFoundException if there is no such file
     */
    long identity(String name) throws IOException;

    /** The identity of the operating system that keeps what is written until it is synced. */
    BootId bootId();

    /** The type of the file system, as {@code ext4} or {@code nfs4}; empty if it is not known. */
    default String fileSystem() {
        return "";
    }

    /** The directory, for messages. */
    String description();

    /** What a file is opened for. */
    enum Access {
        READ,
        WRITE
    }
}
