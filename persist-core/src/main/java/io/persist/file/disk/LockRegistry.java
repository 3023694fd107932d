package io.persist.file.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks that this JVM has, for all class loaders that have a copy of this class: in the system properties, which
 * are the same for all. POSIX locks do not exclude the process that has them, and another descriptor of a locked file
 * drops the lock when it is closed; so a thread that wants a lock asks here before it opens the file.
 *
 * <p>A lock is known by the directory's identity and the file's name, and by the file's own identity: so a bind mount,
 * a link, another path or deleting the file does not hide it.
 */
final class LockRegistry {

    private static final String PREFIX = "io.persist.lock.";

    /** The same of this class loader: a program may replace all system properties. */
    private static final ConcurrentMap<String, String> OWN = new ConcurrentHashMap<>();

    private LockRegistry() {}

    /** What is claimed, until it is given back. */
    record Claim(String key, String owner) {

        void giveBack() {
            System.getProperties().remove(key, owner);
            OWN.remove(key, owner);
        }
    }

    /** Claims the file {@code name} of {@code directory}, which need not exist; null if it is claimed already. */
    static @Nullable Claim claim(Path directory, String name) throws IOException {
        return claimKey(keyOf(directory, name), directory);
    }

    /** Claims the file of this identity, which is in {@code directory}; null if it is claimed already. */
    static @Nullable Claim claimIdentity(String identity, Path directory) {
        return claimKey(PREFIX + identity, directory);
    }

    private static @Nullable Claim claimKey(String key, Path directory) {
        Properties all = System.getProperties();
        String owner = "pid=" + ProcessHandle.current().pid() + ", thread="
                + Thread.currentThread().getName() + ", directory=" + directory + ", since=" + Instant.now();
        if (all.putIfAbsent(key, owner) != null) {
            return null;
        }
        OWN.putIfAbsent(key, owner);
        return new Claim(key, owner);
    }

    /** The claimant of the file {@code name} of {@code directory}, in words; empty if there is none. */
    static String owner(Path directory, String name) throws IOException {
        String byName = owner(keyOf(directory, name));
        if (!byName.isEmpty()) {
            return byName;
        }
        String identity = FileIdentity.keyOfExisting(directory.resolve(name));
        return identity == null ? "" : owner(PREFIX + identity);
    }

    private static String owner(String key) {
        return System.getProperties().getProperty(key, OWN.getOrDefault(key, ""));
    }

    private static String keyOf(Path directory, String name) throws IOException {
        String identity = FileIdentity.keyOf(directory);
        return PREFIX + (identity == null ? directory.toRealPath() : identity) + "/" + name;
    }
}
