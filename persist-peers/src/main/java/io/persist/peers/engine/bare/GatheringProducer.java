package io.persist.peers.engine.bare;

import io.persist.log.Durability;
import io.persist.peers.engine.Producer;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A producer of a bare engine whose frames are gathered before they are written. */
final class GatheringProducer implements Producer {

    /** What gathers the frames of all producers, by turns. */
    interface Gatherer {

        void gather(byte[] message) throws IOException;

        /** Writes what is gathered and forces it. */
        void sync() throws IOException;
    }

    private final ByteBuffer message;
    private final Gatherer gatherer;
    private final boolean syncs;

    GatheringProducer(BareFile file, Durability durability, Gatherer gatherer) {
        this.message = file.newMessage();
        this.gatherer = gatherer;
        this.syncs = durability == Durability.SYNCED;
    }

    @Override
    public ByteBuffer message() {
        return message;
    }

    @Override
    public void append() throws IOException {
        gatherer.gather(message.array());
    }

    @Override
    public void commit() throws IOException {
        if (syncs) {
            gatherer.sync();
        }
    }

    @Override
    public void close() {}
}
