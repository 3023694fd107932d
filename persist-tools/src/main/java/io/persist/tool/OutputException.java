package io.persist.tool;

import java.io.IOException;

/**
 * What a program printed could not be written: nobody reads it any more, or there is no space for it. A {@link
 * java.io.PrintStream} only notes that; a stream below it that throws this ends the program at once, wherever it is.
 */
public final class OutputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** How Linux names a pipe without a reader; the JDK passes it on. */
    private static final String BROKEN_PIPE = "Broken pipe";

    private final boolean readerHasGone;

    public OutputException(IOException cause) {
        super("cannot write to standard output: " + cause.getMessage(), cause);
        this.readerHasGone = BROKEN_PIPE.equals(cause.getMessage());
    }

    /** Nobody reads any more what was never written. */
    public static OutputException readerGone() {
        return new OutputException(new IOException(BROKEN_PIPE));
    }

    /** Whether who read it has closed the pipe, as {@code head} does: then nobody wants to hear of it. */
    public boolean readerHasGone() {
        return readerHasGone;
    }
}
