package io.persist.bench.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Messages with their index in front of them, 8 bytes, little-endian: so that the read pass can tell from which of
 * several producers a record is, even if the messages themselves are alike.
 */
public final class NumberedMessages implements Messages {

    static final int NUMBER_LENGTH = Long.BYTES;

    private final Messages messages;
    private final ByteBuffer buffer;

    public NumberedMessages(Messages messages) {
        this.messages = messages;
        this.buffer = ByteBuffer.allocate(NUMBER_LENGTH + messages.maxLength()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The index of a message that was read; the buffer is little-endian. */
    public static long number(ByteBuffer message) {
        return message.getLong(message.position());
    }

    @Override
    public ByteBuffer message(long index) {
        ByteBuffer message = messages.message(index);
        int length = message.remaining();
        buffer.clear().putLong(0, index).put(NUMBER_LENGTH, message, message.position(), length);
        return buffer.limit(NUMBER_LENGTH + length);
    }

    @Override
    public Object decode(ByteBuffer message) {
        return messages.decode(message.position(message.position() + NUMBER_LENGTH));
    }

    @Override
    public Messages copy() {
        return new NumberedMessages(messages.copy());
    }

    @Override
    public int maxLength() {
        return NUMBER_LENGTH + messages.maxLength();
    }

    @Override
    public double averageLength() {
        return NUMBER_LENGTH + messages.averageLength();
    }

    @Override
    public String describe() {
        return messages.describe() + ", and 8 in front for its number";
    }
}
