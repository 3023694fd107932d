package io.persist.peers.engine;

import io.aeron.archive.client.AeronArchive;
import org.jspecify.annotations.Nullable;

/** Where a recording ends, from where it can be extended. */
record AeronExtent(long recordingId, long stopPosition, int initialTermId) {

    /** Of the last recording of an archive; null if it has none. */
    static @Nullable AeronExtent last(AeronArchive archive) {
        AeronExtent[] last = new AeronExtent[1];
        archive.listRecordings(
                0,
                Integer.MAX_VALUE,
                (controlSessionId,
                        correlationId,
                        recordingId,
                        startTimestamp,
                        stopTimestamp,
                        startPosition,
                        stopPosition,
                        initialTermId,
                        segmentFileLength,
                        termBufferLength,
                        mtuLength,
                        sessionId,
                        streamId,
                        strippedChannel,
                        originalChannel,
                        sourceIdentity) -> last[0] = new AeronExtent(recordingId, stopPosition, initialTermId));
        return last[0];
    }
}
