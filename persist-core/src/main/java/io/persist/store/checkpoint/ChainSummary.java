package io.persist.store.checkpoint;

import io.persist.format.checkpoint.CheckpointHeader;

/**
 * The newest checkpoint, and what it builds on.
 *
 * @param header of the newest one
 * @param length of the newest one's file, bytes
 * @param files how many there are, the newest one included
 * @param wholeBytes length of the one that has all nodes
 * @param bytes length of all of them
 */
public record ChainSummary(CheckpointHeader header, long length, int files, long wholeBytes, long bytes) {

    /** The summary of a checkpoint of {@code length} bytes that has all nodes. */
    static ChainSummary ofWhole(CheckpointHeader header, long length) {
        return new ChainSummary(header, length, 1, length, length);
    }

    /** The summary when one of {@code nextLength} bytes was added. */
    ChainSummary with(CheckpointHeader next, long nextLength) {
        return new ChainSummary(next, nextLength, files + 1, wholeBytes, bytes + nextLength);
    }
}
