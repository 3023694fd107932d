package io.persist.bench.doctor.disk;

import io.persist.bench.host.DirectoryTree;
import io.persist.bench.result.NewDirectories;
import io.persist.command.Text;
import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder for the files that are measured. It goes with all that is in it, and so do the directories above it that
 * had to be made for it: when it is closed, and when the user ends the program (Ctrl-C, SIGTERM). Then the JVM waits a
 * while until whoever measures has looked at {@link #isEnding} and closed it.
 */
public final class Scratch implements AutoCloseable {

    static final String PREFIX = "persist-doctor-";

    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,10})-\\d+");
    private static final long OWN_PID = ProcessHandle.current().pid();

    /** Locked as long as the folder is used: a process may not see others, as in a container, but their locks. */
    static final String LOCK = "lock";

    private static final long GRACE_SECONDS = 10;

    private final Path folder;
    private final FileChannel lock;
    private final NewDirectories made;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::endAndWait, "doctor-scratch");
    private volatile boolean ending;

    private Scratch(Path folder, FileChannel lock, NewDirectories made) {
        this.folder = folder;
        this.lock = lock;
        this.made = made;
    }

    /** @throws IOException if it cannot be made; nothing is left then */
    public static Scratch in(Path directory) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IOException("it is no directory");
        }
        if (Files.isSymbolicLink(directory) && !Files.exists(directory)) {
            throw new IOException(FileReason.ofNoDirectory(directory));
        }
        NewDirectories made = NewDirectories.notYetThere(directory);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            made.deleteEmpty();
            throw new IOException("it cannot be made (" + Text.describe(e) + ")", e);
        }
        try {
            deleteLeftovers(directory);
            Scratch scratch = locked(Files.createTempDirectory(directory, PREFIX + OWN_PID + "-"), made);
            scratch.watch();
            return scratch;
        } catch (IOException e) {
            made.deleteEmpty();
            throw new IOException("it is not writable (" + Text.describe(e) + ")", e);
        }
    }

    private static Scratch locked(Path folder, NewDirectories made) throws IOException {
        try {
            return new Scratch(folder, lock(folder), made);
        } catch (IOException e) {
            Files.delete(folder);
            throw e;
        }
    }

    /** Deletes what processes that were killed could not. */
    private static void deleteLeftovers(Path directory) throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path leftover : leftovers) {
                Matcher name = NAME.matcher(leftover.getFileName().toString());
                if (name.matches()
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
                        && isUnlocked(leftover.resolve(LOCK))) {
                    DirectoryTree.delete(leftover);
                }
            }
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            channel.lock();
        } catch (IOException e) {
            // A file system without locks: whoever asks for this one is refused too, and leaves the folder.
        }
        return channel;
    }

    /** False also if that cannot be known, or there is no lock yet. */
    private static boolean isUnlocked(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return channel.tryLock() != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    private void watch() {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            ending = true; // the JVM ends already
        }
    }

    private void endAndWait() {
        ending = true;
        try {
            closed.await(GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether to stop measuring. */
    public boolean isEnding() {
        return ending;
    }

    Path folder() {
        return folder;
    }

    public Path file(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            DirectoryTree.delete(folder);
            made.deleteEmpty();
        } finally {
            closed.countDown();
            forgetHook();
        }
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM ends: the hook runs, and has just been let go.
        }
    }
}
