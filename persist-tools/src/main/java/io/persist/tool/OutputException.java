package io.persist.tool;

import java.io.IOException;

/**
 * What a program printed could not be written: nobody reads it any more, or there is no space for it. A {@link
 * java.io.PrintStream} only notes that; a stream below it that throws this ends the program at once, wherever it is.
 */
public final class OutputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean readerHasGone;

    public OutputException(IOException cause) {
        this(cause, false);
    }

    private OutputException(IOException cause, boolean readerHasGone) {
        super("cannot write to standard output: " + cause.getMessage(), cause);
        this.readerHasGone = readerHasGone;
    }

    /** Nobody reads any more what was never written. */
    public static OutputException readerGone() {
        return new OutputException(new IOException("nobody reads it"), true);
    }

    /** Whether who read it has closed the pipe, as {@code head} does: then nobody wants to hear of it. */
    public boolean readerHasGone() {
        return readerHasGone;
    }
}
