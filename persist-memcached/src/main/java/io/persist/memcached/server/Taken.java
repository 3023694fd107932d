package io.persist.memcached.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.MessageSizeEstimator;

/**
 * What a buffer of answers takes, by which all bounds count. That may be far more than what is in it: the eight bytes
 * of a {@code STORED} are alone in theirs if nothing else came with its set.
 *
 * <p><b>Threads:</b> any.
 */
final class Taken implements MessageSizeEstimator, MessageSizeEstimator.Handle {

    /** For Netty, which counts by it what was sent and not taken by the socket. */
    static final Taken ESTIMATOR = new Taken();

    /** Of the objects beside it, on the heap. */
    private static final int OBJECTS = 128;

    private Taken() {}

    /** The bytes that {@code buffer} takes: also those of its room that its allocator has given beyond its capacity. */
    static int by(ByteBuf buffer) {
        return buffer.writerIndex() + buffer.maxFastWritableBytes() + OBJECTS;
    }

    @Override
    public Handle newHandle() {
        return this;
    }

    @Override
    public int size(Object message) {
        return message instanceof ByteBuf buffer ? by(buffer) : 0;
    }
}
