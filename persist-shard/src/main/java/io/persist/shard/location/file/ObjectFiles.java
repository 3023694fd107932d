package io.persist.shard.location.file;

import io.persist.file.disk.ProcessIdentity;
import io.persist.shard.bytes.UuidText;
import io.persist.shard.location.Blob;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of files for names of objects: what is no letter, digit, dot or dash is a percent sign and two hex digits. */
final class ObjectFiles {

    private static final String OBJECT = ".blob";
    private static final String TEMPORARY = ".tmp";

    /**
     * Of the process that writes it: its number, start and pid namespace. Older files have the number alone. Behind
     * that comes a UUID: a file of somebody else, as {@code 2024-notes.tmp}, is none of these.
     */
    private static final Pattern OF_PROCESS =
            Pattern.compile("([0-9]{1,18})-(?:s([0-9]{1,18})-n([0-9]{1,18})-)?" + UuidText.PATTERN + "\\.tmp");

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
                if (code < '!' || code > '~') {
                    return null; // such as %20: no name has a blank, so another program has made the file
                }
                name.append((char) code);
                i += 2;
            } else if (isPlain(c)) {
                name.append(c);
            } else {
                return null;
            }
        }
        boolean isName = name.length() > 0 && name.length() <= Blob.MAX_NAME;
        return isName && of(name.toString()).equals(file) ? name.toString() : null;
    }

    /** A file for what is being written; it says which process does. */
    static String temporary(UUID id) {
        ProcessIdentity self = ProcessIdentity.current();
        return self.pid() + "-s" + self.start() + "-n" + self.namespace() + "-" + id + TEMPORARY;
    }

    /**
     * Whether a process that has ended left it. If one of another machine or container is taken for ended, its rename
     * fails, and it writes the object again.
     */
    static boolean isLeftOver(String file) {
        Matcher name = OF_PROCESS.matcher(file);
        if (!name.matches()) {
            return false;
        }
        ProcessIdentity writer =
                new ProcessIdentity(number(name.group(1)), number(name.group(2)), number(name.group(3)));
        return switch (writer.presence()) {
            case ALIVE -> false;
            case GONE -> true;
            case UNKNOWN ->
                hadNumberOf(ProcessIdentity.current(), writer)
                        || ProcessHandle.of(writer.pid()).isEmpty();
        };
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** A container has a pid namespace of its own at each start, and in it the same program often the number 1. */
    private static boolean hadNumberOf(ProcessIdentity self, ProcessIdentity writer) {
        boolean areKnown = writer.start() != 0 && self.start() != 0;
        return areKnown && writer.pid() == self.pid() && writer.start() != self.start();
    }
}
