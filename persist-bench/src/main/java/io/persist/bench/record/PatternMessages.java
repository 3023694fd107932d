package io.persist.bench.record;

import io.persist.command.Text;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Messages of one given length: a pattern of bytes that begins with the message's index, so that each one differs. */
public final class PatternMessages implements Messages {

    private final ByteBuffer buffer;
    private final int length;

    public PatternMessages(int length) {
        this.length = length;
        // The index is put even where the message is shorter than it; the limit cuts off the rest.
        this.buffer = ByteBuffer.allocate(Math.max(length, Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) (' ' + i % 95));
        }
    }

    @Override
    public ByteBuffer message(long index) {
        // The limit of the message before may be too low for the index.
        buffer.clear().putLong(0, index);
        return buffer.limit(length);
    }

    @Override
    public Messages copy() {
        return new PatternMessages(length);
    }

    @Override
    public int maxLength() {
        return length;
    }

    @Override
    public double averageLength() {
        return length;
    }

    @Override
    public String describe() {
        return "pattern of " + Text.number(length, "byte");
    }
}
