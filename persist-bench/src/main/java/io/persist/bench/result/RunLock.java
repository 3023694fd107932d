package io.persist.bench.result;

import io.persist.command.Text;
import io.persist.command.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
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

    /** Those of this process, by their directories. */
    private static final Map<Path, RunLock> HELD = new ConcurrentHashMap<>();

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
    static RunLock take(Path directory, String program) throws IOException {
        RunLock lock = HELD.get(key(directory));
        if (lock != null) {
            throw inUse(directory, lock.text);
        }
        while (lock == null) { // as often as somebody takes the file away that was opened
            lock = tryOnce(directory, program);
        }
        HELD.put(key(directory), lock);
        return lock;
    }

    private static @Nullable RunLock tryOnce(Path directory, String program) throws IOException {
        Path file = directory.resolve(FILE);
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            // Of a call that is under way, or was killed.
        }
        String identity = identity(file);
        if (!identity.isEmpty() && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw stranger(file);
        }
        RunLock lock = null;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            boolean isLocked = tryLock(channel, directory, false);
            String before = read(channel);
            if (!isLocked) {
                throw inUse(directory, before);
            }
            if (!before.isEmpty() && !TEXT.matcher(before).matches()) {
                throw stranger(file);
            }
            // Else it was opened just before its holder took it away, and a lock of it would keep nobody away.
            if (!identity.isEmpty() && identity.equals(identity(file))) {
                lock = new RunLock(directory, channel, identity, program);
            }
            return lock;
        } catch (NoSuchFileException e) {
            return null;
        } finally {
            if (lock == null && channel != null) {
                channel.close();
            }
        }
    }

    private static boolean tryLock(FileChannel channel, Path directory, boolean isShared) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, isShared) != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process has it by another path
        } catch (IOException e) {
            throw new IOException(
                    directory + " cannot be locked (" + Text.describe(e) + "); name another directory"
                            + " with --output",
                    e);
        }
    }

    /** @throws UsageException if another process has locked {@code directory}, which need not be there */
    static void refuseOthers(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (HELD.containsKey(key(directory)) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (!tryLock(channel, directory, true)) {
                throw inUse(directory, read(channel));
            }
        } catch (NoSuchFileException e) {
            // It was given back just now.
        }
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
        RunLock lock = HELD.get(key(directory));
        Path above = key(directory).getParent();
        if (lock == null && above != null) {
            lock = HELD.get(above);
        }
        return lock != null && lock.isHeld();
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

    private static Path key(Path directory) {
        return directory.toAbsolutePath().normalize();
    }

    /** Gives it back. */
    @Override
    public void close() throws IOException {
        try {
            if (isHeld()) {
                Files.deleteIfExists(directory.resolve(FILE)); // first: whoever locks it now finds it gone
            }
        } finally {
            HELD.remove(key(directory), this);
            channel.close();
        }
    }
}
