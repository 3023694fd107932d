package io.persist.format.checkpoint;

import io.persist.format.LogFileName;
import java.util.OptionalLong;

/** The names of checkpoints. A checkpoint is named by its position, in 20 digits, so that names sort as positions. */
public final class CheckpointName {

    public static final String PREFIX = "checkpoint-";
    public static final String SUFFIX = ".chk";

    /** Locked by the store whose checkpoints these are, in the log's directory or in another one. */
    public static final String LOCK = "checkpoints.lock";

    private CheckpointName() {}

    /** The name of the checkpoint file up to {@code position}. */
    public static String of(long position) {
        return PREFIX + LogFileName.digits(position) + SUFFIX;
    }

    /** The name of the file while it is being made. A log in the same directory takes it away when it is opened. */
    public static String temporary(long position) {
        return of(position) + LogFileName.TEMPORARY_SUFFIX;
    }

    /** The position that {@code name} says, or nothing if it is not a checkpoint's name. */
    public static OptionalLong position(String name) {
        if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) {
            return OptionalLong.empty();
        }
        return LogFileName.number(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
    }

    /** Whether {@code name} is that of a checkpoint which is being made, or was when something stopped. */
    public static boolean isTemporary(String name) {
        String suffix = LogFileName.TEMPORARY_SUFFIX;
        return name.endsWith(suffix)
                && position(name.substring(0, name.length() - suffix.length())).isPresent();
    }
}
