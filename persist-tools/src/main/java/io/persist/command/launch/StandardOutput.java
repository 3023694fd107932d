package io.persist.command.launch;

import io.persist.command.Command;
import io.persist.command.Text;
import io.persist.tool.ExitCode;
import io.persist.tool.OutputException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.Charset;
import java.util.Optional;

/**
 * The standard output of a process, for programs that must not say "done" when what they printed is lost. {@code
 * System.out} swallows every failure; here the first one ends the program with an {@link OutputException}, which {@link
 * #exitCode} turns into one line and a code.
 */
final class StandardOutput {

    private static final int BUFFER_LENGTH = 8192;

    private StandardOutput() {}

    /** The stream, flushed with each line as {@code System.out} is, in its encoding. */
    static PrintStream open() {
        OutputStream file = failing(new FileOutputStream(FileDescriptor.out));
        return new PrintStream(new BufferedOutputStream(file, BUFFER_LENGTH), true, charset());
    }

    /** What {@code System.out} writes in: JDK 17 has no method that says it. */
    private static Charset charset() {
        return Optional.ofNullable(System.getProperty("stdout.encoding"))
                .or(() -> Optional.ofNullable(System.getProperty("sun.stdout.encoding")))
                .filter(Charset::isSupported)
                .map(Charset::forName)
                .orElse(Charset.defaultCharset());
    }

    /** A stream that throws an unchecked exception, which no {@code PrintStream} keeps to itself. */
    static OutputStream failing(OutputStream target) {
        return new OutputStream() {

            @Override
            public void write(int b) {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                try {
                    target.write(bytes, from, length);
                } catch (IOException e) {
                    throw brokenPipe().equals(e.getMessage()) ? OutputException.readerGone() : new OutputException(e);
                }
            }
        };
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

    /** Says on {@code err} that the output is lost, unless its reader did not want more; returns the exit code. */
    static int exitCode(OutputException failure, PrintStream err) {
        if (failure.readerHasGone()) {
            return ExitCode.OUTPUT_CLOSED;
        }
        err.println("persist: " + Text.describe(failure) + "; what was printed is not whole");
        return Command.FAILED;
    }
}
