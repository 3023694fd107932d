package io.persist.peers.engine.aeron;

import io.aeron.Publication;
import io.persist.log.Durability;
import io.persist.peers.engine.Producer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Offers messages to a publication, and waits while the archive is half a term behind. */
final class AeronProducer implements Producer {

    private final AeronRecording recording;
    private final Publication publication;
    private final boolean synced;
    private final ByteBuffer message;
    private final UnsafeBuffer buffer;
    private final int length;
    private long position;

    AeronProducer(AeronRecording recording, int length) {
        this.recording = recording;
        this.publication = recording.publication();
        this.synced = recording.durability() == Durability.SYNCED;
        this.message = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        this.buffer = new UnsafeBuffer(message);
        this.length = length;
    }

    @Override
    public ByteBuffer message() {
        return message;
    }

    @Override
    public void append() throws IOException {
        long offered = publication.offer(buffer, 0, length);
        while (offered < 0) {
            if (offered != Publication.BACK_PRESSURED && offered != Publication.ADMIN_ACTION) {
                throw new IOException("Aeron took no message: " + Publication.errorString(offered));
            }
            Thread.yield();
            offered = publication.offer(buffer, 0, length);
        }
        position = offered;
    }

    @Override
    public void commit() throws IOException {
        if (synced) {
            recording.await(position);
        }
    }

    @Override
    public void close() throws IOException {
        commit();
    }
}
