package io.persist.bench.result;

import io.persist.command.UsageException;
import io.persist.file.disk.FileReason;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code run.lock}, in an {@code --output} while a call of a program uses it. The lock is the operating system's: it
 * ends with the process, however that ends, and keeps off all containers that have the directory. The number of a
 * process could not tell who lives: in a container the next one has the same. What the file says is for people.
 *
 * <p>POSIX drops the lock if the process closes any descriptor of the file, so this one opens it once.
 *
 * <p><b>Threads:</b> any.
 */
final class RunLock implements Closeable {

    static final String FILE = "run.lock";

    /** The program and its process; behind them is what no other call has. */
    private static final Pattern TEXT = Pattern.compile("(bin/persist \\S+)\nprocess (\\d{1,18})\n(?s:.*)");

    private static final int MOST_BYTES = 4096;

    /** Those of this process, by what the file is, whatever path leads to it. */
    private static final Map<String, RunLock> HELD = new ConcurrentHashMap<>();

    private final Path directory;
    private final FileChannel channel;
    private final String identity;
    private final String text;

    private RunLock(Path directory, FileChannel channel, String identity, String program) throws IOException {
        this.directory = directory;
        this.channel = channel;
        this.identity = identity;
        this.text = "bin/persist " + program + "\nprocess "
                + ProcessHandle.current().pid() + "\n" + UUID.randomUUID() + "\n";
        channel.truncate(0);
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes, bytes.position());
        }
    }

    /**
     * Locks {@code directory}, which is there.
     *
     * @throws UsageException if another call has it, or the file is somebody else's
     */
    static synchronized RunLock take(Path directory, String program) throws IOException {
        RunLock lock = null;
        try {
            while (lock == null) { // as often as somebody takes the file away that was opened
                lock = tryOnce(directory, program);
            }
        } catch (IOException e) {
            throw unusable(directory, e);
        }
        HELD.put(lock.identity, lock);
        return lock;
    }

    private static @Nullable RunLock tryOnce(Path directory, String program) throws IOException {
        Path file = directory.resolve(FILE);
        boolean isOurs = make(file);
        String identity = identity(file);
        RunLock held = heldIn(directory);
        if (held != null) {
            throw inUse(directory, held.text);
        }
        if (!identity.isEmpty() && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw stranger(file);
        }
        RunLock lock = null;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            boolean isLocked = tryLock(channel, false);
            isOurs &= isLocked;
            refuse(directory, isLocked, read(channel));
            isOurs = true; // also one that a killed call has left
            // Else it was opened just before its holder took it away, and a lock of it would keep nobody away.
            if (!identity.isEmpty() && identity.equals(identity(file))) {
                lock = new RunLock(directory, channel, identity, program);
            }
            return lock;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            if (!isOurs && e instanceof AccessDeniedException) {
                takeAway(directory, identity);
                return null;
            }
            if (isOurs && identity.equals(identity(file))) {
                Files.deleteIfExists(file);
            }
            throw e;
        } finally {
            if (lock == null && channel != null) {
                channel.close();
            }
        }
    }

    /** Whether it was not there. */
    private static boolean make(Path file) throws IOException {
        try {
            Files.createFile(file);
            return true;
        } catch (FileAlreadyExistsException e) { // of a call that is under way, or was killed
            return false;
        }
    }

    /** Takes away what a killed call of another user has left: this one may read it, and not write to it. */
    private static void takeAway(Path directory, String identity) throws IOException {
        Path file = directory.resolve(FILE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            refuse(directory, tryLock(channel, true), read(channel));
            if (identity.equals(identity(file))) {
                Files.delete(file);
            }
        } catch (NoSuchFileException e) {
            // Another call has done so just now.
        } catch (FileSystemException e) {
            throw ofAnotherUser(directory, e);
        }
    }

    private static boolean tryLock(FileChannel channel, boolean isShared) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, isShared) != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process has it by another class loader
        }
    }

    private static void refuse(Path directory, boolean isLocked, String text) {
        if (!isLocked) {
            throw inUse(directory, text);
        }
        if (!text.isEmpty() && !TEXT.matcher(text).matches()) {
            throw stranger(directory.resolve(FILE));
        }
    }

    /**
     * Refuses a directory that another process has locked.
     *
     * @param directory need not be there
     * @throws UsageException if one has, or it cannot be told
     */
    static synchronized void refuseOthers(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (heldIn(directory) != null || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (!tryLock(channel, true)) {
                throw inUse(directory, read(channel));
            }
        } catch (NoSuchFileException e) {
            // It was given back just now.
        } catch (AccessDeniedException e) {
            throw ofAnotherUser(directory, e);
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /**
     * Refuses a directory that may be that of a run of another process: it has locked the one above. A lock there that
     * cannot be read is another user's, whose runs are not in a directory of this one.
     */
    static void refuseRunsOfOthers(Path directory) throws IOException {
        for (Path path : List.of(directory.toAbsolutePath().normalize(), directory.toRealPath())) {
            Path above = path.getParent();
            if (above != null && Files.isReadable(above.resolve(FILE))) {
                refuseOthers(above);
            }
        }
    }

    private static IOException unusable(Path directory, IOException why) {
        return new IOException(
                directory.resolve(FILE) + " cannot be used as a lock (" + FileReason.of(why)
                        + "); see to that, or name another directory with --output",
                why);
    }

    private static UsageException ofAnotherUser(Path directory, IOException why) {
        return new UsageException(directory.resolve(FILE) + " is another user's (" + FileReason.of(why)
                + "); have it deleted if no run uses " + directory + ", or name another directory with --output");
    }

    private static UsageException stranger(Path file) {
        return RunOutput.refusal(new RunDirectory.Stranger(file, RunDirectory.NOBODY));
    }

    private static UsageException inUse(Path directory, String text) {
        Matcher lock = TEXT.matcher(text);
        return new UsageException(directory + " is in use by "
                + (lock.matches() ? "a run of " + lock.group(1) + ", process " + lock.group(2) : "another run")
                + "; wait until that has ended, or name another directory with --output");
    }

    /** Whether this process has locked {@code directory}, or the one above it, and nobody has replaced the file. */
    static boolean isHeldHere(Path directory) throws IOException {
        RunLock lock = heldIn(directory);
        Path above = directory.toAbsolutePath().normalize().getParent();
        if (lock == null && above != null) {
            lock = heldIn(above);
        }
        return lock != null && lock.isHeld();
    }

    /** That of this process in {@code directory}, which may be no directory; null if there is none. */
    private static @Nullable RunLock heldIn(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? HELD.get(identity(file)) : null;
    }

    /** Another machine may not see the lock, and write what it says into the same file. */
    private boolean isHeld() throws IOException {
        return identity.equals(identity(directory.resolve(FILE))) && text.equals(read(channel));
    }

    /** What no other file has; empty if there is none. */
    private static String identity(Path file) throws IOException {
        try {
            return String.valueOf(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey());
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
            // On to the end.
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    /** Gives it back. */
    @Override
    public void close() throws IOException {
        try {
            if (isHeld()) {
                Files.deleteIfExists(directory.resolve(FILE)); // first: whoever locks it now finds it gone
            }
        } finally {
            HELD.remove(identity, this);
            channel.close();
        }
    }
}
