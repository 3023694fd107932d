package io.persist.shard.location.file;

import io.persist.shard.location.Blob;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Names of files for names of objects: what is no letter, digit, dot or dash is a percent sign and two hex digits. */
final class ObjectFiles {

    private static final String OBJECT = ".blob";
    private static final String TEMPORARY = ".tmp";
    private static final int MAX_FILE_NAME = 255;

    private ObjectFiles() {}

    /** The file of the object. */
    static String of(String name) {
        StringBuilder file = new StringBuilder();
        for (char c : Blob.checkName(name).toCharArray()) {
            if (isPlain(c)) {
                file.append(c);
            } else {
                file.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        if (file.length() + OBJECT.length() > MAX_FILE_NAME) {
            throw new IllegalArgumentException("name=" + name + ": too long for a file");
        }
        return file.append(OBJECT).toString();
    }

    /** Capitals are escaped, too: some file systems cannot tell them. */
    private static boolean isPlain(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.';
    }

    /** The object of the file, or null if it is none's. */
    static @Nullable String nameOf(String file) {
        if (!file.endsWith(OBJECT)) {
            return null;
        }
        StringBuilder name = new StringBuilder();
        String escaped = file.substring(0, file.length() - OBJECT.length());
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c == '%' && i + 2 < escaped.length()) {
                int code = 16 * Character.digit(escaped.charAt(i + 1), 16) + Character.digit(escaped.charAt(i + 2), 16);
                name.append((char) code);
                i += 2;
            } else if (isPlain(c)) {
                name.append(c);
            } else {
                return null;
            }
        }
        return name.length() > 0 && of(name.toString()).equals(file) ? name.toString() : null;
    }

    /** A file for what is being written; the number of the process says who does. */
    static String temporary(UUID id) {
        return ProcessHandle.current().pid() + "-" + id + TEMPORARY;
    }

    /**
     * Whether a process that has ended left it. If one of another machine or container is taken for ended, its rename
     * fails, and it writes the object again.
     */
    static boolean isLeftOver(String file) {
        int dash = file.indexOf('-');
        if (!file.endsWith(TEMPORARY) || dash < 1 || !file.substring(0, dash).matches("[0-9]{1,18}")) {
            return false;
        }
        return ProcessHandle.of(Long.parseLong(file.substring(0, dash))).isEmpty();
    }
}
