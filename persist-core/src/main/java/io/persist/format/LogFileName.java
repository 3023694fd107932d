package io.persist.format;

import io.persist.format.control.ControlBlock;
import io.persist.format.control.CursorSlot;
import java.util.OptionalLong;

/**
 * The names of a log's files. A segment is named by its base position, in 20 digits, so that names sort as positions.
 */
public final class LogFileName {

    /** The control block, see {@link ControlBlock}. */
    public static final String CONTROL = "control";

    /** The file that a writer locks. Nothing else ever opens it. */
    public static final String LOCK = "writer.lock";

    /** A file that is being made; worthless after a crash. */
    public static final String TEMPORARY_SUFFIX = ".tmp";

    /** A retired segment that waits to be used again. */
    public static final String SPARE_SUFFIX = ".spare";

    /** Bytes that recovery or repair took out of the log, kept as evidence. */
    public static final String ASIDE_SUFFIX = ".aside";

    /** The file of a named cursor, see {@link CursorSlot}: the cursor's name and this. */
    public static final String CURSOR_SUFFIX = ".cursor";

    /** The user of a cursor locks the file with the cursor's file name and this ending. Nothing else ever opens it. */
    public static final String CURSOR_LOCK_SUFFIX = ".lock";

    /** The file that is locked while cursors come or go, or retention looks at them. Nothing else ever opens it. */
    public static final String CURSORS_LOCK = "cursors.lock";

    /**
     * Base positions are below this one. So none that is derived from two of them, or from one and some lengths, is too
     * large for a {@code long}, whatever a file is called.
     */
    public static final long BASE_LIMIT = 1L << 62;

    private static final String SUFFIX = ".log";
    private static final int DIGITS = 20;

    private LogFileName() {}

    /** Whether {@code name} is that of a lock, of a writer, a cursor or checkpoints: nothing else opens it. */
    public static boolean isLock(String name) {
        return name.endsWith(CURSOR_LOCK_SUFFIX);
    }

    /** The name of the segment file with this base position. */
    public static String segment(long basePosition) {
        return digits(basePosition) + SUFFIX;
    }

    /** The base position that {@code name} says, or nothing if it is not a segment's name. */
    public static OptionalLong basePosition(String name) {
        if (!name.endsWith(SUFFIX)) {
            return OptionalLong.empty();
        }
        OptionalLong base = number(name.substring(0, name.length() - SUFFIX.length()));
        return base.isPresent() && base.getAsLong() < BASE_LIMIT ? base : OptionalLong.empty();
    }

    /** A position as it is in names. */
    public static String digits(long position) {
        String digits = Long.toString(position);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** The position that {@code digits} are, or nothing if a name has no such digits. */
    public static OptionalLong number(String digits) {
        if (digits.length() != DIGITS) {
            return OptionalLong.empty();
        }
        for (int i = 0; i < DIGITS; i++) {
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                return OptionalLong.empty();
            }
        }
        try {
            return OptionalLong.of(Long.parseLong(digits));
        } catch (NumberFormatException tooLarge) {
            return OptionalLong.empty();
        }
    }
}
