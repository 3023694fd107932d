package io.persist.tool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;

/**
 * What a program printed could not be written: nobody reads it any more, or there is no space for it. A {@link
 * java.io.PrintStream} only notes that; a stream below it that throws this ends the program at once, wherever it is.
 */
public final class OutputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean readerHasGone;

    public OutputException(IOException cause) {
        this(cause, brokenPipe().equals(cause.getMessage()));
    }

    private OutputException(IOException cause, boolean readerHasGone) {
        super("cannot write to standard output: " + cause.getMessage(), cause);
        this.readerHasGone = readerHasGone;
    }

    /** Nobody reads any more what was never written. */
    public static OutputException readerGone() {
        return new OutputException(new IOException("nobody reads it"), true);
    }

    /**
     * What the system says of a write to a pipe without a reader. The JDK passes on these words alone, and they are in
     * the user's language: so a pipe is made to hear them.
     */
    private static String brokenPipe() {
        try {
            Pipe pipe = Pipe.open();
            pipe.source().close();
            try (Pipe.SinkChannel sink = pipe.sink()) {
                sink.write(ByteBuffer.allocate(1));
            }
            return "";
        } catch (IOException words) {
            return String.valueOf(words.getMessage());
        }
    }

    /** Whether who read it has closed the pipe, as {@code head} does: then nobody wants to hear of it. */
    public boolean readerHasGone() {
        return readerHasGone;
    }
}
