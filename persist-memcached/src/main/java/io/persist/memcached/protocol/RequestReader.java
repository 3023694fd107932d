package io.persist.memcached.protocol;

import io.netty.buffer.ByteBuf;
import io.persist.memcached.item.Item;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a connection receives into requests. It keeps at most a line, and as much of an item as has come.
 *
 * <p><b>Threads:</b> the connection's event loop.
 */
public final class RequestReader {

    /** The longest line but for retrievals, which may name many keys. */
    public static final int MAX_LINE = 2048;

    /** The longest line of a retrieval. */
    public static final int MAX_RETRIEVAL_LINE = 64 << 10;

    private static final String TOO_LARGE = "SERVER_ERROR object too large for cache";
    private static final String BAD_CHUNK = "CLIENT_ERROR bad data chunk";
    private static final String TOO_LONG = "CLIENT_ERROR line too long";
    private static final String BINARY = "CLIENT_ERROR the binary protocol is not supported";
    private static final byte BINARY_MAGIC = (byte) 0x80;
    private static final byte[] NONE = {};
    private static final int FIRST_ROOM = 4096;
    private static final int END_LENGTH = 2;

    private @Nullable Request pending; // whose data is being read
    private byte[] data = NONE;
    private int read;
    private int length; // of the data, with the header's room
    private long toSkip;
    private boolean skipsLine;
    private int searched; // bytes of the input that have no end of a line
    private boolean hasBegun;

    /** The next request of {@code input}, which is read as far; null if the rest of it has not come yet. */
    public @Nullable Request next(ByteBuf input) {
        while (input.isReadable()) {
            if (toSkip > 0) {
                int now = (int) Math.min(toSkip, input.readableBytes());
                input.skipBytes(now);
                toSkip -= now;
            } else if (pending != null) {
                return readData(input, pending);
            } else if (!hasBegun && input.getByte(input.readerIndex()) == BINARY_MAGIC) {
                return Request.fatal(BINARY);
            } else {
                int end = endOfLine(input);
                if (skipsLine) {
                    input.skipBytes(end < 0 ? input.readableBytes() : end + 1);
                    skipsLine = end < 0;
                    searched = 0;
                } else if (end < 0) {
                    return checkUnended(input);
                } else {
                    Request request = readLine(input, end);
                    if (request != null) {
                        return request;
                    }
                }
            }
        }
        return null;
    }

    private int endOfLine(ByteBuf input) {
        int from = input.readerIndex() + searched;
        int found = input.indexOf(from, input.writerIndex(), (byte) '\n');
        return found < 0 ? -1 : found - input.readerIndex();
    }

    private @Nullable Request checkUnended(ByteBuf input) {
        int begun = input.readableBytes();
        if (begun > (isRetrieval(input) ? MAX_RETRIEVAL_LINE : MAX_LINE)) {
            return Request.fatal(TOO_LONG);
        }
        searched = begun;
        return null;
    }

    private static boolean isRetrieval(ByteBuf input) {
        int at = input.readerIndex();
        return input.readableBytes() > 4 && input.getByte(at) == 'g' && input.getByte(at + 2) == 't';
    }

    private @Nullable Request readLine(ByteBuf input, int lineLength) {
        searched = 0;
        if (lineLength > (isRetrieval(input) ? MAX_RETRIEVAL_LINE : MAX_LINE)) {
            return Request.fatal(TOO_LONG);
        }
        hasBegun = true;
        Line line = Line.read(input, lineLength);
        input.skipBytes(1);
        Request request = LineParser.parse(line);
        long dataLength = LineParser.dataLength(line);
        if (dataLength < 0) {
            return request;
        }
        if (request.verb() == Verb.BAD || dataLength > Item.MAX_DATA_LENGTH) {
            toSkip = dataLength + END_LENGTH;
            return request.verb() == Verb.BAD ? request : request.tooLarge(TOO_LARGE);
        }
        pending = request;
        length = Item.HEADER_LENGTH + (int) dataLength;
        read = Item.HEADER_LENGTH;
        if (!makeRoom(Math.min(length, FIRST_ROOM))) {
            return withoutItem(request);
        }
        return readData(input, request);
    }

    /** Returns false if there is no memory for so much; a heap that lacks it has enough for shorter things. */
    private boolean makeRoom(int room) {
        try {
            data = Arrays.copyOf(data, room);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /** What is left of the data is skipped, so that the connection is kept in step. */
    private Request withoutItem(Request request) {
        toSkip = (long) length - read + END_LENGTH;
        pending = null;
        data = NONE;
        return request;
    }

    /** Room is made as the data comes: who announces much and sends nothing costs nothing. */
    private @Nullable Request readData(ByteBuf input, Request request) {
        while (read < length) {
            if (!input.isReadable()) {
                return null;
            }
            if (read == data.length && !makeRoom(Math.min(length, 2 * read))) {
                return withoutItem(request);
            }
            int now = Math.min(input.readableBytes(), data.length - read);
            input.readBytes(data, read, now);
            read += now;
        }
        if (input.readableBytes() < END_LENGTH) {
            return null;
        }
        byte first = input.readByte();
        byte second = input.readByte();
        Request whole = request.withItem(data);
        pending = null;
        data = NONE;
        if (first == '\r' && second == '\n') {
            return whole;
        }
        skipsLine = second != '\n'; // else a bad client's data would be commands
        return whole.refused(BAD_CHUNK);
    }
}
