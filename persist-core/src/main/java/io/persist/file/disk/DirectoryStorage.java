package io.persist.file.disk;

import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory of the local file system. */
public final class DirectoryStorage implements Storage {

    /** Makes the names in a directory survive a power cut. */
    interface DirectorySync {
        void sync(Path directory) throws IOException;
    }

    private final Path directory;

    private DirectoryStorage(Path directory) {
        this.directory = directory;
    }

    /**
     * The storage at {@code directory}, which is made if it does not exist. When this returns, its name and those of
     * all directories made for it survive a power cut.
     */
    public static DirectoryStorage create(Path directory) throws IOException {
        return create(directory, DirectoryStorage::syncDirectory);
    }

    static DirectoryStorage create(Path directory, DirectorySync names) throws IOException {
        Path absolute = RealPath.plain(directory);
        List<Path> toSync = directoriesToSync(RealPath.of(absolute));
        String why = FileReason.ofNoDirectory(absolute);
        if (!why.isEmpty()) {
            if (FileReason.isSomething(absolute)) {
                throw new IOException("not a directory: " + absolute + ", " + why + "; choose another place");
            }
            make(absolute);
        }
        if (!Files.isWritable(absolute)) {
            boolean isReadOnly = Files.getFileStore(absolute).isReadOnly();
            throw new IOException(
                    isReadOnly
                            ? "read-only file system: " + absolute + "; mount it for writing, or choose another place"
                            : "directory is not writable: " + absolute + "; give this user the right to write");
        }
        for (Path above : toSync) {
            names.sync(above);
        }
        return new DirectoryStorage(FileReason.told(() -> RealPath.ofExisting(absolute)));
    }

    private static void make(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (FileSystemException e) {
            throw new IOException(
                    "no directory can be made here: " + directory + ", " + FileReason.of(e) + "; choose another place",
                    e);
        }
    }

    /**
     * The directories whose entries lead to {@code directory} and may not be durable once it is made, from below up:
     * that above each one that is missing, and above each that holds nothing. That one may have been made by a process
     * that was killed before it synced the name.
     */
    static List<Path> directoriesToSync(Path directory) throws IOException {
        List<Path> above = new ArrayList<>();
        Path level = directory;
        Path parent = level.getParent();
        while (parent != null && (Files.notExists(level) || isPerhapsNew(level, parent))) {
            above.add(parent);
            level = parent;
            parent = level.getParent();
        }
        return above;
    }

    /** Not if this user cannot write into the parent: then somebody else has made the directory. */
    private static boolean isPerhapsNew(Path level, Path parent) throws IOException {
        if (!Files.isDirectory(level)
                || !FileReason.ofNoWriting(level).isEmpty()
                || !FileReason.ofNoWriting(parent).isEmpty()) {
            return false;
        }
        try (Stream<Path> entries = FileReason.told(() -> Files.list(level))) {
            return entries.findAny().isEmpty();
        }
    }

    /** The storage at {@code directory}, for reading; it has to exist. */
    public static DirectoryStorage open(Path directory) throws IOException {
        Path absolute = RealPath.plain(directory);
        String why = FileReason.ofNoDirectory(absolute);
        if (!why.isEmpty()) {
            if (FileReason.isSomething(absolute)) {
                throw new IOException("not a directory: " + absolute + ", " + why + "; name a directory");
            }
            if (Files.notExists(absolute)) {
                throw new FileNotFoundException("no such directory: " + absolute + "; name one that exists");
            }
            throw new IOException("cannot open the directory: " + absolute + ", " + why
                    + "; name a directory that this user may read");
        }
        return new DirectoryStorage(FileReason.told(() -> RealPath.ofExisting(absolute)));
    }

    /** Whether there is something at {@code path} that is no directory. */
    public static boolean isFile(Path path) {
        return Files.exists(path) && !Files.isDirectory(path);
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = FileReason.told(() -> Files.list(directory))) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (UncheckedIOException e) { // as the stream has it
            throw e.getCause();
        }
    }

    @Override
    public StorageFile create(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("file exists already: " + file, e);
        } catch (FileSystemException e) {
            throw FileReason.told(e);
        }
        return opened(file, Access.WRITE);
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        Path file = directory.resolve(name);
        if (regular(file) == null) {
            throw noSuchFile(file);
        }
        return opened(file, access);
    }

    /** Without opening it: a log may have thousands of files. */
    @Override
    public long length(String name) throws IOException {
        Path file = directory.resolve(name);
        BasicFileAttributes found = regular(file);
        if (found == null) {
            throw noSuchFile(file);
        }
        return found.size();
    }

    private static FileNotFoundException noSuchFile(Path file) {
        return new FileNotFoundException("no such file: " + file);
    }

    private static StorageFile opened(Path file, Access access) throws IOException {
        try {
            return new DiskFile(file.toFile(), access);
        } catch (FileNotFoundException e) {
            throw FileReason.notOpened(file, access, e);
        }
    }

    /**
     * The file as it is found; null if there is none. Nothing but files is ever opened: a FIFO would block the thread
     * that opens it, and a link would lead to another file, perhaps of another user.
     *
     * @throws IOException if something else has the name
     */
    private static @Nullable BasicFileAttributes regular(Path file) throws IOException {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile()) {
                throw notRegular(file, found);
            }
            return found;
        } catch (NoSuchFileException e) {
            return null;
        } catch (FileSystemException e) {
            throw FileReason.told(e);
        }
    }

    private static IOException notRegular(Path file, BasicFileAttributes found) {
        String what = found.isSymbolicLink() ? "a symbolic link" : found.isDirectory() ? "a directory" : "a device";
        return new IOException(
                "not a regular file: " + file + " is " + what + "; take it away, or put the file itself in its place");
    }

    @Override
    public void rename(String from, String to) throws IOException {
        FileReason.told(
                () -> Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE));
    }

    @Override
    public void delete(String name) throws IOException {
        Path file = directory.resolve(name);
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a file but a directory: " + file + "; take it away");
        }
        FileReason.told(() -> {
            Files.delete(file);
            return file;
        });
    }

    /** Gives the file {@code name} the same name in {@code other} too: a hard link. Either may be deleted then. */
    public void link(String name, DirectoryStorage other) throws IOException {
        FileReason.told(() -> Files.createLink(other.directory.resolve(name), directory.resolve(name)));
    }

    /** Deletes the directory {@code name}, which has to be empty. */
    public void deleteDirectory(String name) throws IOException {
        FileReason.told(() -> Files.deleteIfExists(directory.resolve(name)));
    }

    @Override
    public void syncDirectory() throws IOException {
        syncDirectory(directory);
    }

    /** Linux and macOS allow to force a directory; Windows does not and needs no such thing. */
    private static void syncDirectory(Path directory) throws IOException {
        if (System.getProperty("os.name").startsWith("Windows")) {
            return;
        }
        FileReason.told(() -> Interrupts.shield(() -> {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
                return directory;
            }
        }));
    }

    /** Without a {@code FileStore}, which opens the table of mounts: if that is refused, it says that there is none. */
    @Override
    public long usableBytes() throws IOException {
        long usable = directory.toFile().getUsableSpace();
        if (usable == 0) { // or it cannot be told, because the directory is gone
            FileReason.told(() -> Files.readAttributes(directory, BasicFileAttributes.class));
        }
        return usable;
    }

    @Override
    public @Nullable WriterLock tryLock(String name) throws IOException {
        regular(directory.resolve(name)); // or not there
        try {
            return ProcessLock.tryLock(directory, name);
        } catch (FileSystemException e) {
            throw FileReason.told(e);
        }
    }

    @Override
    public String lockedHere(String name) throws IOException {
        return FileReason.told(() -> LockRegistry.owner(directory, name));
    }

    @Override
    public boolean knowsLocks() {
        return true;
    }

    @Override
    public long identity(String name) throws IOException {
        return FileReason.told(() -> FileIdentity.of(directory.resolve(name)));
    }

    @Override
    public BootId bootId() {
        return OperatingSystem.bootId();
    }

    @Override
    public String fileSystem() {
        return OperatingSystem.fileSystem(directory);
    }

    @Override
    public String description() {
        return directory.toString();
    }
}
