package io.persist.memory;

import org.jspecify.annotations.Nullable;

/**
 * Asks the JVM for the error of an access to a mapped page that the file, or the device, does not have any more.
 *
 * <p>Compiled code of JDK 17 goes on after such an access, with a value that means nothing, and so does C2's of JDK 25
 * after a store. Its {@code InternalError} comes when the thread next enters the JVM, which may be in the caller's
 * code. So ask here first, before you report that what you have read is damaged.
 */
public final class MissingPage {

    /** Keeps the compiler from leaving out what {@link #check} makes. */
    @SuppressWarnings("UnusedVariable")
    private static volatile byte @Nullable [] @Nullable [] made;

    private MissingPage() {}

    /**
     * For rare occasions: it takes about a microsecond.
     *
     * @throws InternalError if an earlier access of this thread was one to a missing page
     */
    public static void check() {
        made = new byte[8][1]; // arrays of arrays are made by the JVM itself, whatever the code was compiled with
        made = null;
    }

    /** The error with the file's name in its message; as it is if it has one. */
    public static InternalError of(String file, InternalError error) {
        return error.getCause() instanceof InternalError
                ? error
                : new InternalError("file=" + file + ": " + error.getMessage(), error);
    }

    /**
     * Makes the JVM throw an error that it holds back, and drops it. Called before a log is ended or closed, or a file
     * is unmapped, which must not fail for that error, nor for want of memory or stack.
     */
    public static void dropHeld() {
        try {
            check();
        } catch (InternalError | OutOfMemoryError | StackOverflowError late) {
            // Whatever it was of, all is over here anyway.
        }
    }
}
