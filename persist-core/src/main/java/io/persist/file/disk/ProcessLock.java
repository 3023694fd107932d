package io.persist.file.disk;

import io.persist.file.WriterLock;
import io.persist.file.disk.LockRegistry.Claim;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A locked file of a directory, and its claims in the registry of this JVM. */
final class ProcessLock implements WriterLock {

    /**
     * By the file's identity. Not closed, because that would end the lock of another holder in this process; each later
     * attempt is made with the same one.
     */
    private static final ConcurrentMap<String, FileChannel> KEPT_OPEN = new ConcurrentHashMap<>();

    private final Path path;
    private final Claim byName;
    private final @Nullable Claim byIdentity;
    private final @Nullable String identity;
    private final FileChannel channel;

    /** For a look without allocation, which {@link Path} has not. */
    private final File file;

    private volatile long changedAtMs;

    /** Guarded by this. */
    private boolean isGivenBack;

    private ProcessLock(
            Path path, Claim byName, @Nullable Claim byIdentity, @Nullable String identity, FileChannel channel) {
        this.path = path;
        this.byName = byName;
        this.byIdentity = byIdentity;
        this.identity = identity;
        this.channel = channel;
        this.file = path.toFile();
        this.changedAtMs = file.lastModified();
    }

    /** Locks the file {@code name}, which is made if it does not exist; null if it is locked already. */
    static @Nullable ProcessLock tryLock(Path directory, String name) throws IOException {
        Claim byName = LockRegistry.claim(directory, name);
        if (byName == null) {
            return null;
        }
        ProcessLock lock = null;
        try {
            Path path = directory.resolve(name);
            lock = Interrupts.shield(() -> Optional.ofNullable(tryLock(directory, path, byName)))
                    .orElse(null);
            return lock;
        } finally {
            if (lock == null) {
                byName.giveBack();
            }
        }
    }

    private static @Nullable ProcessLock tryLock(Path directory, Path path, Claim byName) throws IOException {
        try {
            Files.createFile(path); // which closes it again: nobody can have locked what was not there
        } catch (FileAlreadyExistsException e) {
            // As almost always.
        }
        String identity = FileIdentity.keyOf(path);
        Claim byIdentity = identity == null ? null : LockRegistry.claimIdentity(identity, directory);
        if (identity != null && byIdentity == null) {
            return null;
        }
        ProcessLock lock = null;
        try {
            FileChannel channel = lockedChannel(path, identity == null ? path.toString() : identity);
            lock = channel == null ? null : new ProcessLock(path, byName, byIdentity, identity, channel);
            return lock;
        } finally {
            if (lock == null && byIdentity != null) {
                byIdentity.giveBack();
            }
        }
    }

    private static @Nullable FileChannel lockedChannel(Path path, String key) throws IOException {
        FileChannel kept = KEPT_OPEN.remove(key);
        FileChannel channel = kept != null && kept.isOpen()
                ? kept
                : FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = null;
        boolean isLockedHere = false;
        try {
            lock = channel.tryLock();
            return lock == null ? null : channel;
        } catch (OverlappingFileLockException somebodyHere) { // its owner did not ask the registry
            isLockedHere = true;
            KEPT_OPEN.put(key, channel);
            return null;
        } finally {
            if (lock == null && !isLockedHere) {
                channel.close();
            }
        }
    }

    @Override
    public boolean isInPlace() throws IOException {
        long nowMs = file.lastModified();
        if (nowMs == changedAtMs && nowMs != 0) {
            return true;
        }
        try {
            if (identity != null ? !identity.equals(FileIdentity.keyOf(path)) : nowMs == 0) {
                return false;
            }
            changedAtMs = nowMs; // another program has touched it, no more
            return true;
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    @Override
    public synchronized void close() {
        if (isGivenBack) {
            return; // the file may be another one's by now
        }
        try {
            channel.close();
        } catch (IOException ignored) {
            // The lock ends with the descriptor, whatever close reports.
        } finally {
            giveBack();
        }
        isGivenBack = true; // not before: what an error cuts short can be tried again
    }

    private void giveBack() {
        try {
            if (byIdentity != null) {
                byIdentity.giveBack();
            }
        } finally {
            byName.giveBack();
        }
    }
}
