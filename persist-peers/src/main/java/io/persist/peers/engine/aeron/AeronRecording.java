package io.persist.peers.engine.aeron;

import io.aeron.Publication;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.persist.log.Durability;
import java.io.IOException;
import org.agrona.concurrent.status.CountersReader;

/** A publication and how far the archive has recorded it. */
final class AeronRecording implements AutoCloseable {

    /** A wait looks this often whether there still is a recording, whose counter may belong to another one by then. */
    private static final int SPINS_PER_CHECK = 1024;

    private final AeronArchive archive;
    private final Publication publication;
    private final long subscriptionId;
    private final Durability durability;
    private final CountersReader counters;
    private final int counterId;
    private final long id;

    AeronRecording(AeronArchive archive, Publication publication, long subscriptionId, Durability durability)
            throws IOException {
        this.archive = archive;
        this.publication = publication;
        this.subscriptionId = subscriptionId;
        this.durability = durability;
        counters = archive.context().aeron().countersReader();
        counterId = awaitCounter();
        id = RecordingPos.getRecordingId(counters, counterId);
    }

    private int awaitCounter() throws IOException {
        long deadline = System.nanoTime() + AeronNode.LONGEST_STALL_NS;
        while (true) {
            int found = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId());
            if (found != CountersReader.NULL_COUNTER_ID && publication.isConnected()) {
                return found;
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("Aeron's archive did not begin to record");
            }
            Thread.yield();
        }
    }

    Publication publication() {
        return publication;
    }

    Durability durability() {
        return durability;
    }

    /**
     * Waits until a position has been recorded, at its sync level. Yields, since archive, media driver and producers
     * are more than two CPUs can run at once.
     */
    void await(long position) throws IOException {
        for (int spins = 1; counters.getCounterValue(counterId) < position; spins++) {
            if (spins % SPINS_PER_CHECK == 0) {
                checkActive();
            }
            Thread.yield();
        }
    }

    private void checkActive() throws IOException {
        if (!RecordingPos.isActive(counters, counterId, id)) {
            throw new IOException("Aeron's archive has stopped to record");
        }
    }

    @Override
    public void close() {
        publication.close();
        archive.stopRecording(subscriptionId);
    }
}
