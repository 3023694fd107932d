package io.persist.event;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs to the application's logging, by {@link System.Logger}: openings ({@link OpeningProgress}), file systems that
 * promise less, failures, slow syncs, work in the background that fails ({@link RepeatedFailure}), and listeners of the
 * application that throw. It never logs on the path of an append.
 *
 * <p>Where nothing else is configured, {@code java.util.logging} prints what has the level INFO or a higher one on
 * standard error. So messages of normal operation have the level DEBUG.
 *
 * <p><b>Threads:</b> any. <b>Errors:</b> exceptions of the application's logging are dropped.
 */
public final class Notices {

    /** Openings of logs and stores. */
    public static final String OPEN = "io.persist.open";

    /** Logs that have failed. */
    public static final String FAILURE = "io.persist.failure";

    /** Syncs that take long. */
    public static final String SYNC = "io.persist.sync";

    /** Space for a log that cannot be made ahead. */
    public static final String SPACE = "io.persist.space";

    /** Checkpoints and compaction of stores that fail. */
    public static final String STORE = "io.persist.store";

    /** Logs on file systems that promise less. */
    public static final String FILE_SYSTEM = "io.persist.filesystem";

    /** Listeners of the application's that have thrown. */
    public static final String LISTENER = "io.persist.listener";

    private static volatile boolean isOff;

    private Notices() {}

    /**
     * Says nothing more in this process. For the main method of a program that prints such things itself; a library may
     * not call it, since the logging is the application's.
     */
    public static void off() {
        isOff = true;
    }

    /** How opening found a log or store. */
    public enum Found {
        /** As its writer had closed it, or not yet there. */
        AS_EXPECTED(Level.DEBUG),
        /** Left by a writer that did not close it; all is there. */
        INTERRUPTED(Level.INFO),
        /** With something that could not be used and was cut off or set aside. */
        WITH_LOSSES(Level.WARNING);

        private final Level level;

        Found(Level level) {
            this.level = level;
        }

        Level level() {
            return level;
        }
    }

    /** A log is opened for writing on a file system of {@code type}, which another machine or process keeps. */
    public static void remote(String log, String type) {
        say(
                FILE_SYSTEM,
                Level.WARNING,
                () -> "log " + log + ": its files are kept by another machine or another process, file system=" + type
                        + "; whether the lock keeps a second writer out, and whether what is SYNCED survives a power"
                        + " cut, is up to that one and not promised; choose a local disk, or turn this logger off",
                null);
    }

    /** The log takes no more records until it is opened anew, because of {@code failure}. */
    public static void failed(String log, Throwable failure) {
        say(FAILURE, Level.ERROR, () -> "log " + log + ": " + failure.getMessage(), failure);
    }

    /**
     * Syncs have become slow.
     *
     * @param elapsedNs how long one took
     * @param thresholdNs what counts as slow
     * @param count how many slow ones there were since the log was opened
     */
    public static void slowSync(String log, long elapsedNs, long thresholdNs, long count) {
        say(
                SYNC,
                Level.WARNING,
                () -> "log " + log + ": a sync took " + TimeUnit.NANOSECONDS.toMillis(elapsedNs) + " ms, slow from "
                        + TimeUnit.NANOSECONDS.toMillis(thresholdNs) + " ms on; slow syncs since the log was opened: "
                        + count,
                null);
    }

    /** A sync has taken {@code elapsedNs} so far, and is not over. */
    public static void stuckSync(String log, long elapsedNs) {
        say(
                SYNC,
                Level.WARNING,
                () -> "log " + log + ": a sync has taken " + TimeUnit.NANOSECONDS.toMillis(elapsedNs)
                        + " ms and is not over; commits wait for it; look whether the device answers",
                null);
    }

    /** A checkpoint was found out to be damaged, and has another name now: {@code file} in {@code directory}. */
    public static void setAside(String directory, String file) {
        say(
                STORE,
                Level.WARNING,
                () -> "store with checkpoints in " + directory + ": one is damaged and was set aside: file=" + file
                        + "; nothing is lost, but checkpoints may fail until the store is closed and opened again,"
                        + " which does without that file; look why, then delete it",
                null);
    }

    /**
     * The application's listener threw, and is not called any more.
     *
     * @param listener its class
     * @param level that it was told of
     */
    public static void listenerFailed(String log, String listener, String level, Throwable thrown) {
        say(
                LISTENER,
                Level.ERROR,
                () -> "log " + log + ": a listener of " + level + " positions threw, and is not called again: "
                        + listener + ": " + thrown,
                thrown);
    }

    static void say(String name, Level level, Supplier<String> text, @Nullable Throwable thrown) {
        if (isOff) {
            return;
        }
        try {
            Logger logger = System.getLogger(name);
            if (!logger.isLoggable(level)) {
                return;
            }
            if (thrown == null) {
                logger.log(level, text.get());
            } else {
                logger.log(level, text.get(), thrown);
            }
        } catch (InternalError e) {
            throw e; // a mapped page that is missing may show so late: the log has to know
        } catch (RuntimeException | Error e) {
            // The application's logging is broken, which is no matter of the log.
        }
    }
}
