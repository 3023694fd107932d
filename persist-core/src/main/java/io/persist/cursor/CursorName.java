package io.persist.cursor;

import io.persist.format.LogFileName;
import java.util.Objects;
import java.util.regex.Pattern;

/** The names of cursors and of their files. */
public final class CursorName {

    private static final Pattern VALID = Pattern.compile("(?!\\.)[A-Za-z0-9._-]{1,64}");

    private CursorName() {}

    /**
     * Returns {@code name}.
     *
     * @throws IllegalArgumentException if it is no name of a cursor
     */
    public static String check(String name) {
        if (!VALID.matcher(Objects.requireNonNull(name, "name")).matches()) {
            throw new IllegalArgumentException(
                    "cursor name=" + name + " is not 1 to 64 of the characters A-Z a-z 0-9 . _ - or begins with a dot");
        }
        return name;
    }

    /** The name of the cursor's file. */
    public static String file(String name) {
        return name + LogFileName.CURSOR_SUFFIX;
    }

    /** The name of the file that the user of the cursor locks. */
    static String lock(String name) {
        return file(name) + LogFileName.CURSOR_LOCK_SUFFIX;
    }

    /** The name of the cursor's file while it is being made. */
    static String temporary(String name) {
        return file(name) + LogFileName.TEMPORARY_SUFFIX;
    }

    /** Whether {@code file} is the file of a cursor. */
    public static boolean isFile(String file) {
        return file.endsWith(LogFileName.CURSOR_SUFFIX)
                && VALID.matcher(of(file)).matches();
    }

    /** The name of the cursor whose file is {@code file}. */
    static String of(String file) {
        return file.substring(0, file.length() - LogFileName.CURSOR_SUFFIX.length());
    }

    /** Whether {@code file} is that of a cursor which is being made, or was when something stopped. */
    static boolean isTemporary(String file) {
        String suffix = LogFileName.TEMPORARY_SUFFIX;
        return file.endsWith(suffix) && isFile(file.substring(0, file.length() - suffix.length()));
    }
}
