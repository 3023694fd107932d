package io.persist.bench.load;

import io.persist.bench.record.MessageRecords;
import io.persist.bench.record.Messages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Compares values that were read with the messages that were put.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none, unless objects are made.
 */
public final class PutCheck {

    private final Messages messages;
    private final boolean makesObjects;

    /** The last one, so that its making cannot be left out. */
    @SuppressWarnings("UnusedVariable")
    private @Nullable Object object;

    /** @param makesObjects whether each value is made an object too */
    public PutCheck(Messages messages, boolean makesObjects) {
        this.messages = messages;
        this.makesObjects = makesObjects;
    }

    /**
     * @param index of the put
     * @param where for the message of a failure
     */
    public void check(ByteBuffer value, long index, String where, long key) throws ReadPass.VerificationException {
        String difference = MessageRecords.difference(value, messages.message(index));
        if (difference != null) {
            throw new ReadPass.VerificationException(where + key + " " + difference);
        }
        if (makesObjects) {
            object = messages.decode(value.duplicate().order(value.order()));
        }
    }

    /** What comes after "all verified". */
    public String describe() {
        return makesObjects ? ", each made an object" : "";
    }
}
