package io.persist.peers.engine.aeron;

import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import io.persist.peers.engine.MessageReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Reads what is published: a replay of the recording, or the publication itself. */
final class AeronReader implements MessageReader {

    static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;

    private final @Nullable Subscription subscription;
    private final FragmentHandler fragments;
    private @Nullable Image image;
    private @Nullable Handler handler;
    private int count;
    /** What the last message was in, and the same bytes in little-endian order: three buffers take turns. */
    private @Nullable Object lastMemory;

    private ByteBuffer lastView = ByteBuffer.allocate(0);

    /** Reads a subscription, whose messages may be in several fragments each; null: nothing. */
    AeronReader(@Nullable Subscription subscription, boolean fragmented) {
        this.subscription = subscription;
        this.fragments = fragmented ? new FragmentAssembler(this::onMessage) : this::onMessage;
    }

    @Override
    public int poll(Handler handler, int limit) {
        Image image = this.image;
        if (image == null) {
            if (subscription == null || subscription.imageCount() == 0) {
                return 0;
            }
            image = subscription.imageAtIndex(0);
            this.image = image;
        }
        this.handler = handler;
        count = 0;
        image.poll(fragments, limit);
        return count;
    }

    private void onMessage(DirectBuffer buffer, int offset, int length, Header header) {
        count++;
        Handler handler = this.handler;
        if (handler != null) {
            handler.onMessage(view(buffer), offset + buffer.wrapAdjustment(), length);
        }
    }

    private ByteBuffer view(DirectBuffer buffer) {
        ByteBuffer direct = buffer.byteBuffer();
        Object memory = direct == null ? buffer.byteArray() : direct;
        if (memory != lastMemory) {
            lastMemory = memory;
            lastView = (direct == null ? ByteBuffer.wrap(buffer.byteArray()) : direct.duplicate())
                    .clear()
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        return lastView;
    }

    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
        }
    }
}
