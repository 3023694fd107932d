package io.persist.peers.engine.bare;

import io.persist.peers.engine.EngineConfig;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import org.agrona.BufferUtil;

/**
 * What the bare engines write: one file of frames side by side, each a length of 4 bytes, 4 unused ones, and the
 * message, up to a multiple of 8. All have the same length, and zeros, which are written before, are behind the last.
 *
 * <p>Nothing tells where the end is, so opening it looks at each frame. Zeros are written by 4 KiB: with file systems
 * that keep pages as they were written, a force of some bytes writes as much as was written at once.
 */
final class BareFile {

    static final String LIBRARY = "the JDK alone";
    static final int BLOCK_LENGTH = 4096;
    static final int HEADER_LENGTH = 8;

    private static final String NAME = "bare";

    private final Path path;
    private final int messageLength;
    private final int frameLength;
    private final int length;
    private final int end;

    private BareFile(Path path, int messageLength, int frameLength, int length, int end) {
        this.path = path;
        this.messageLength = messageLength;
        this.frameLength = frameLength;
        this.length = length;
        this.end = end;
    }

    /** The file of an engine that will append, with room for what it expects. */
    static BareFile forAppending(EngineConfig config) throws IOException {
        BareFile present = forReading(config);
        long needed = present.end + config.expectedMessages() * present.frameLength;
        long length = Math.max(present.length, (needed + BLOCK_LENGTH - 1) / BLOCK_LENGTH * BLOCK_LENGTH);
        if (length > Integer.MAX_VALUE) {
            throw new IOException(config.expectedMessages() + " messages of " + config.messageLength()
                    + " bytes do not fit a bare engine's file, which is mapped as a whole: 2 GiB at most");
        }
        fill(present.path, present.length, length);
        return new BareFile(present.path, present.messageLength, present.frameLength, (int) length, present.end);
    }

    /** The file as it is; an empty one if there is none. */
    static BareFile forReading(EngineConfig config) throws IOException {
        Path path = config.directory().resolve(NAME);
        int frameLength = (HEADER_LENGTH + config.messageLength() + 7) & -8;
        int length = checked(path.toFile().length(), path);
        BareFile file = new BareFile(path, config.messageLength(), frameLength, length, 0);
        return new BareFile(path, config.messageLength(), frameLength, length, file.findEnd());
    }

    private static int checked(long length, Path path) throws IOException {
        if (length > Integer.MAX_VALUE) {
            throw new IOException(path + " has " + length + " bytes, but a bare engine opens 2 GiB at most");
        }
        return (int) length;
    }

    private static void fill(Path path, long from, long to) throws IOException {
        byte[] zeros = new byte[BLOCK_LENGTH];
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(from);
            for (long offset = from; offset < to; offset += BLOCK_LENGTH) {
                file.write(zeros);
            }
            file.getFD().sync();
        }
    }

    private int findEnd() throws IOException {
        if (length == 0) {
            return 0;
        }
        MappedByteBuffer mapped = map(MapMode.READ_ONLY);
        int offset = 0;
        while (offset + frameLength <= length && mapped.getInt(offset) == messageLength) {
            offset += frameLength;
        }
        unmap(mapped);
        return offset;
    }

    /** All of it, little-endian. */
    MappedByteBuffer map(MapMode mode) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), mode == MapMode.READ_ONLY ? "r" : "rw")) {
            MappedByteBuffer mapped = file.getChannel().map(mode, 0, length);
            mapped.order(ByteOrder.LITTLE_ENDIAN);
            return mapped;
        }
    }

    static void unmap(ByteBuffer mapped) {
        BufferUtil.free(mapped);
    }

    Path path() {
        return path;
    }

    /** Bytes of a message. */
    int messageLength() {
        return messageLength;
    }

    /** Bytes from one frame to the next. */
    int frameLength() {
        return frameLength;
    }

    /** Bytes of the file. */
    int length() {
        return length;
    }

    /** Where the last frame ended when it was opened. */
    int end() {
        return end;
    }

    /** Where a producer puts its messages. */
    ByteBuffer newMessage() {
        return ByteBuffer.allocate(messageLength).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Puts the frame of {@code message} at the position of {@code gathered}, which it moves behind it. */
    void put(ByteBuffer gathered, byte[] message) {
        int at = gathered.position();
        gathered.putInt(at, message.length).putInt(at + Integer.BYTES, 0);
        gathered.put(at + HEADER_LENGTH, message, 0, message.length);
        gathered.position(at + frameLength);
    }

    /** Refuses a frame at {@code offset} that would not fit. */
    void checkRoom(long offset) throws IOException {
        if (offset + frameLength > length) {
            throw new IOException("a bare engine's file is full: it holds " + length / frameLength
                    + " messages, as many as were expected");
        }
    }
}
