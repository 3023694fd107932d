package io.persist.format;

import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of Persist, as a file says which one wrote it: a byte for each number. A file of a format that this version
 * does not know is refused, and the message names the one that can read it.
 *
 * <p>Part of the file format. Never change.
 *
 * @param major 0 to 255, as the others
 */
public record PersistVersion(int major, int minor, int patch) {

    /** The version that this is; a test compares it with the pom. */
    public static final PersistVersion CURRENT = new PersistVersion(0, 1, 0);

    /** The same as the pom and programs name it. */
    public static final String NAME = CURRENT + "-SNAPSHOT";

    /** What a file says that does not say it. */
    public static final PersistVersion UNKNOWN = new PersistVersion(0, 0, 0);

    /** Bytes in a file. */
    public static final int LENGTH = 3;

    private static final Pattern NUMBERS = Pattern.compile("([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})");

    /** The version that {@code text} names, as {@link #toString} does; unknown if it names none. */
    public static PersistVersion parse(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        return numbers.matches()
                ? new PersistVersion(
                        Integer.parseInt(numbers.group(1)),
                        Integer.parseInt(numbers.group(2)),
                        Integer.parseInt(numbers.group(3)))
                : UNKNOWN;
    }

    /** The version at {@code offset} of {@code bytes}. */
    public static PersistVersion get(ByteBuffer bytes, int offset) {
        return new PersistVersion(
                Byte.toUnsignedInt(bytes.get(offset)),
                Byte.toUnsignedInt(bytes.get(offset + 1)),
                Byte.toUnsignedInt(bytes.get(offset + 2)));
    }

    /** Puts the version at {@code offset} of {@code bytes}. */
    public void put(ByteBuffer bytes, int offset) {
        bytes.put(offset, (byte) major).put(offset + 1, (byte) minor).put(offset + 2, (byte) patch);
    }

    /**
     * Whether a file says it. An opening asks this, and not whether it equals {@link #UNKNOWN}: the JDK keeps the class
     * of which it has made the equality of a record last, and so all classes of an application that a server takes out.
     */
    public boolean isKnown() {
        return (major | minor | patch) != 0;
    }

    /** The version to read with what this one wrote, for a message. */
    public String orLater() {
        return isKnown()
                ? "Persist " + this + ", which wrote it, or a later version"
                : "the version of Persist that wrote it";
    }

    /** As {@code 0.1.0}; empty if it is not known. */
    @Override
    public String toString() {
        return isKnown() ? major + "." + minor + "." + patch : "";
    }
}
