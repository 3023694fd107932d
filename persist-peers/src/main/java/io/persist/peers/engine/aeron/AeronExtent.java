package io.persist.peers.engine.aeron;

import io.aeron.archive.client.AeronArchive;
import org.jspecify.annotations.Nullable;

/**
 * What a recording is, from which it can be replayed and extended.
 *
 * @param stopPosition {@link AeronArchive#NULL_POSITION} while it goes on
 */
record AeronExtent(
        long recordingId, long startPosition, long stopPosition, int initialTermId, int termLength, int mtu) {

    /** Whether there is anything to replay, or will be. */
    boolean isReplayable() {
        return stopPosition != startPosition;
    }

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
                        sourceIdentity) -> last[0] = new AeronExtent(
                        recordingId, startPosition, stopPosition, initialTermId, termBufferLength, mtuLength));
        return last[0];
    }
}
