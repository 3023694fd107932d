package io.persist.bench.record;

import io.persist.command.Text;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Records of one message each. */
public final class MessageRecords implements Records {

    private final Messages messages;

    /** @param messages {@link NumberedMessages} if there were several producers */
    public MessageRecords(Messages messages) {
        this.messages = messages;
    }

    @Override
    public String noun() {
        return "message";
    }

    @Override
    public long index(ByteBuffer payload) {
        return payload.remaining() < NumberedMessages.NUMBER_LENGTH ? -1 : NumberedMessages.number(payload);
    }

    @Override
    public @Nullable String difference(ByteBuffer payload, long index) {
        return difference(payload, messages.message(index));
    }

    /** How bytes that were read differ from those that were written, or null if they do not. */
    public static @Nullable String difference(ByteBuffer actual, ByteBuffer expected) {
        if (expected.equals(actual)) {
            return null;
        }
        if (actual.remaining() != expected.remaining()) {
            return "has " + Text.number(actual.remaining(), "byte") + ", but " + expected.remaining() + " were written";
        }
        return "differs from what was written at byte " + expected.mismatch(actual);
    }
}
