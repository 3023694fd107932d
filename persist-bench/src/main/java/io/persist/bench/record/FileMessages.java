package io.persist.bench.record;

import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Messages loaded from a file up front, and gone through again from the start when more of them are wanted. */
public final class FileMessages implements Messages {

    /** How the messages are told apart in their file. */
    public enum Format {
        /** One message per line of text; an empty line is none. */
        LINES,
        /** A big-endian length of 4 bytes before each message. */
        LENGTH4
    }

    private final Path file;
    private final ByteBuffer bytes;
    /** Two entries per message: where it starts, and where it ends. */
    private final int[] bounds;

    private final int count;
    private int maxLength;
    private long totalLength;

    private FileMessages(Path file, ByteBuffer bytes, int[] bounds) {
        this.file = file;
        this.bytes = bytes;
        this.bounds = bounds;
        this.count = bounds.length / 2;
        for (int i = 0; i < bounds.length; i += 2) {
            int length = bounds[i + 1] - bounds[i];
            maxLength = Math.max(maxLength, length);
            totalLength += length;
        }
    }

    /** Loads them; the file may take {@code maxBytes} at most, because the heap has to hold it. */
    public static FileMessages load(Path file, Format format, long maxBytes) throws IOException {
        String why = FileReason.ofNoFile(file);
        if (!why.isEmpty()) {
            throw new UsageException("--messages " + file + " is no file (" + why + "); name one that exists");
        }
        if (!Files.isReadable(file)) {
            throw new UsageException("--messages " + file + " is not readable for this user; give it the right");
        }
        long size = Files.size(file);
        if (size > maxBytes) {
            throw new UsageException("--messages " + file + " has " + Text.bytes(size) + ", and this heap can hold "
                    + Text.bytes(maxBytes) + "; give the JVM a larger -Xmx, or take a smaller file");
        }
        byte[] bytes = Files.readAllBytes(file);
        // Counted first, so that the bounds take the memory that they need and no more.
        int count = format == Format.LINES ? lines(bytes, new int[0]) : records(file, bytes, new int[0]);
        if (count == 0) {
            throw new UsageException("--messages " + file + " has no message; name a file that has one");
        }
        int[] bounds = new int[2 * count];
        if (format == Format.LINES) {
            lines(bytes, bounds);
        } else {
            records(file, bytes, bounds);
        }
        return new FileMessages(file, ByteBuffer.wrap(bytes), bounds);
    }

    /** Finds the lines, and notes the bounds of as many as there is room for. */
    private static int lines(byte[] bytes, int[] bounds) {
        int count = 0;
        int start = 0;
        for (int i = 0; i <= bytes.length; i++) {
            if (i < bytes.length && bytes[i] != '\n') {
                continue;
            }
            int end = i > start && bytes[i - 1] == '\r' ? i - 1 : i;
            if (end > start) {
                note(bounds, count++, start, end);
            }
            start = i + 1;
        }
        return count;
    }

    /** Finds the length-delimited messages, and notes the bounds of as many as there is room for. */
    private static int records(Path file, byte[] bytes, int[] bounds) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int count = 0;
        while (buffer.hasRemaining()) {
            int at = buffer.position();
            int length = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
            if (length < 1 || length > buffer.remaining()) {
                throw new UsageException("--messages " + file + ": message " + (count + 1) + " at byte " + at
                        + (length == -1 ? " has no whole length" : " claims a length of " + length)
                        + ", and " + Text.number(buffer.remaining(), "byte")
                        + (buffer.remaining() == 1 ? " follows" : " follow")
                        + "; the format is a big-endian 4-byte length before each message");
            }
            note(bounds, count++, buffer.position(), buffer.position() + length);
            buffer.position(buffer.position() + length);
        }
        return count;
    }

    private static void note(int[] bounds, int message, int start, int end) {
        if (2 * message < bounds.length) {
            bounds[2 * message] = start;
            bounds[2 * message + 1] = end;
        }
    }

    @Override
    public ByteBuffer message(long index) {
        int entry = 2 * (int) (index % count);
        return bytes.limit(bounds[entry + 1]).position(bounds[entry]);
    }

    @Override
    public Messages copy() {
        return new FileMessages(file, bytes.duplicate(), bounds);
    }

    /** How many the file has. */
    public int count() {
        return count;
    }

    @Override
    public int maxLength() {
        return maxLength;
    }

    @Override
    public double averageLength() {
        return (double) totalLength / count;
    }

    @Override
    public String describe() {
        return Text.grouped(count) + " of " + file + ", " + Math.round(averageLength()) + " bytes on average, "
                + maxLength + " at most";
    }
}
