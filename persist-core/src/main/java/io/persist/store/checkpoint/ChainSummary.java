package io.persist.store.checkpoint;

import io.persist.format.CheckpointHeader;

/**
 * The newest checkpoint, and what it builds on.
 *
 * @param header of the newest one
 * @param files how many there are, the newest one included
 * @param wholeBytes length of the one that has all nodes
 * @param bytes length of all of them
 */
public record ChainSummary(CheckpointHeader header, int files, long wholeBytes, long bytes) {

    /** The summary of a checkpoint of {@code length} bytes that has all nodes. */
    static ChainSummary ofWhole(CheckpointHeader header, long length) {
        return new ChainSummary(header, 1, length, length);
    }

    /** The summary when one of {@code length} bytes was added. */
    ChainSummary with(CheckpointHeader next, long length) {
        return new ChainSummary(next, files + 1, wholeBytes, bytes + length);
    }
}
