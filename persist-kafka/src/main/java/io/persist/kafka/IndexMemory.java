package io.persist.kafka;

import io.persist.store.StoreStatistics;
import java.util.IdentityHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The direct memory that the indexes of all open stores of the process have together. It says so in the log once they
 * have four fifths of what there is for them, and again if they have once had less since.
 *
 * <p><b>Threads:</b> any.
 */
final class IndexMemory {

    /** That of this process: its stores share the direct memory of the JVM. */
    static final IndexMemory OF_PROCESS = new IndexMemory();

    private static final Logger LOG = LoggerFactory.getLogger(IndexMemory.class);
    private static final double NEARLY_FULL = 0.8;

    private final Map<OpenStore, Long> bytes = new IdentityHashMap<>();
    private long limitBytes = 1;
    private boolean isNearlyFull;

    /** A store has so much of it now. */
    synchronized void has(OpenStore store, StoreStatistics.Index index) {
        bytes.put(store, index.bytes());
        limitBytes = Math.max(1, index.limitBytes());
        look();
    }

    /** A store is closed. */
    synchronized void forget(OpenStore store) {
        bytes.remove(store);
        look();
    }

    private void look() {
        boolean wasNearlyFull = isNearlyFull;
        isNearlyFull = ratio() >= NEARLY_FULL;
        if (isNearlyFull && !wasNearlyFull) {
            LOG.warn(
                    "The indexes of {} state stores have {} of the {} bytes of direct memory that there are for them."
                            + " When it is used up keys are read from disk, and then writes are refused: raise"
                            + " -XX:MaxDirectMemorySize, or give some of the tasks to another instance",
                    bytes.size(),
                    total(),
                    limitBytes);
        }
    }

    /** Together they have no more than there is: one that was not looked at since has given some to another one. */
    private long total() {
        return Math.min(
                limitBytes, bytes.values().stream().mapToLong(Long::longValue).sum());
    }

    /** What the store had when it was last looked at, in bytes; 0 if it is closed. */
    synchronized long bytesOf(OpenStore store) {
        return bytes.getOrDefault(store, 0L);
    }

    /** The part of it that all stores have together. */
    synchronized double ratio() {
        return (double) total() / limitBytes;
    }
}
