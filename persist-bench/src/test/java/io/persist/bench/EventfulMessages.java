package io.persist.bench;

import io.persist.bench.record.Messages;
import java.nio.ByteBuffer;

/**
 * Messages of ten bytes; something happens when one of them is made.
 *
 * @param index of that one
 */
public record EventfulMessages(long index, Runnable event) implements Messages {

    private static final ByteBuffer MESSAGE = ByteBuffer.allocate(10);

    @Override
    public ByteBuffer message(long made) {
        if (made == index) {
            event.run();
        }
        return MESSAGE;
    }

    @Override
    public Messages copy() {
        return this;
    }

    @Override
    public int maxLength() {
        return MESSAGE.capacity();
    }

    @Override
    public double averageLength() {
        return MESSAGE.capacity();
    }

    @Override
    public String describe() {
        return "eventful";
    }
}
