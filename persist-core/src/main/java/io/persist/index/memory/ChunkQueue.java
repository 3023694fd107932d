package io.persist.index.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * The indexes that wait for a chunk; the one that has waited longest is the first.
 *
 * <p><b>Threads:</b> those of {@link ProcessChunks}, under its lock.
 */
final class ChunkQueue {

    private final List<ChunkShare> waiting = new ArrayList<>();

    int size() {
        return waiting.size();
    }

    void add(ChunkShare share) {
        waiting.add(share);
    }

    void remove(ChunkShare share) {
        waiting.remove(share);
    }

    /**
     * Lets go of those that have what they are due, and tells all shares what they have to know about the queue. Those
     * that have {@code least} chunks or more are to give some, and take only what none of the others needs.
     */
    void order(List<ChunkShare> shares, int least) {
        waiting.removeIf(share -> share.chunks >= share.due);
        for (ChunkShare share : shares) {
            share.isWaiting = false;
            share.before = waiting.size();
        }
        int before = 0;
        for (ChunkShare share : waiting) {
            share.isWaiting = true;
            if (share.isOpening || share.chunks < least) {
                share.before = before++;
            }
        }
    }
}
