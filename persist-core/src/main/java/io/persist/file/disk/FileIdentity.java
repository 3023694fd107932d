package io.persist.file.disk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a file or a directory, the same for every path that leads to it: its device and number. They are read
 * by the path, because opening a file and closing it again can drop a lock.
 */
final class FileIdentity {

    // FNV-1a, of 64 bits.
    private static final long HASH_OF_NOTHING = 0xCBF29CE484222325L;
    private static final long HASH_FACTOR = 0x100000001B3L;

    private FileIdentity() {}

    /**
     * The identity as a number.
     *
     * @return 0 if it is not known
     * @throws FileNotFoundException if there is no such file
     */
    static long of(Path file) throws IOException {
        String key = keyOf(file);
        if (key == null) {
            return 0;
        }
        long hash = HASH_OF_NOTHING;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * HASH_FACTOR;
        }
        return hash == 0 ? 1 : hash;
    }

    /** The same; also null if there is no such file. */
    static @Nullable String keyOfExisting(Path file) throws IOException {
        try {
            return keyOf(file);
        } catch (FileNotFoundException none) {
            return null;
        }
    }

    /**
     * The identity as it is; a link is not followed.
     *
     * @return null if the file system has no such thing
     * @throws FileNotFoundException if there is no such file
     */
    static @Nullable String keyOf(Path file) throws IOException {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
            return key == null ? null : key.toString();
        } catch (NoSuchFileException e) {
            throw new FileNotFoundException("no such file: " + file);
        }
    }
}
