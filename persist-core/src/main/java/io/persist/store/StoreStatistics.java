package io.persist.store;

/**
 * A store's numbers at one moment.
 *
 * @param keys how many keys there are
 * @param liveBytes bytes of the log that hold the keys and their values
 * @param spaceBytes bytes of the log's segments
 * @param index the numbers of the index's memory
 * @param openSnapshots snapshots and scans that are open, each of which keeps memory and segments
 * @param logBytes bytes of the log since the last checkpoint
 * @param checkpoint the numbers of the checkpoints
 * @param compaction the numbers of the compaction
 */
public record StoreStatistics(
        long keys,
        long liveBytes,
        long spaceBytes,
        Index index,
        int openSnapshots,
        long logBytes,
        Checkpoint checkpoint,
        Compaction compaction) {

    /**
     * The memory of the index. Its nodes have 4 KiB each.
     *
     * @param bytes how much memory off the heap it has
     * @param usedBytes how much of that is in use, by nodes and by copies for snapshots
     * @param limitBytes how much memory it may have
     * @param nodes how many nodes it has, in memory or not
     * @param nodesInMemory how many of these are in memory
     * @param changedNodes how many have to stay in memory until a checkpoint has them
     * @param readNodes how many were read since the store was opened, without what snapshots and scans have read
     * @param evictedNodes how many had to give their memory up since the store was opened
     * @param pendingChanges changes of a large transaction, or of the log when the store was opened, that the index has
     *     yet to get; all threads see them, but {@code keys} and {@code liveBytes} are without them
     */
    public record Index(
            long bytes,
            long usedBytes,
            long limitBytes,
            long nodes,
            long nodesInMemory,
            long changedNodes,
            long readNodes,
            long evictedNodes,
            long pendingChanges) {}

    /**
     * Checkpoints since the store was opened.
     *
     * @param inProgress whether one is being written
     * @param written how many were written
     * @param failures how many could not be
     * @param lastFailure why the last of these could not, empty if there was none
     * @param startedAtMs wall clock at which the last one began, before the opening too, ms since 1970; 0 if none did
     * @param elapsedNs how long the last one took
     * @param bytes length of the newest one, 0 if there is none
     * @param position where in the log recovery would begin
     */
    public record Checkpoint(
            boolean inProgress,
            long written,
            long failures,
            String lastFailure,
            long startedAtMs,
            long elapsedNs,
            long bytes,
            long position) {}

    /**
     * Compaction since the store was opened.
     *
     * @param movedBytes bytes that were copied to the end of the log
     * @param vacatedSegments segments that were taken away
     * @param waitingSegments segments that are empty, but that a snapshot, a tailer or a cursor still needs
     * @param damagedSegments segments that are left alone because something in them is damaged
     * @param unmovableSegments segments that stay because of a value that is longer than a new segment can hold
     * @param garbageBytesPerSecond bytes of the log that were made superfluous in a second, as it was lately
     * @param bytesPerSecond how many bytes it was to read and write in a second when it worked last
     * @param lastFailure why the last step failed, empty if none did
     */
    public record Compaction(
            long movedBytes,
            long vacatedSegments,
            int waitingSegments,
            int damagedSegments,
            int unmovableSegments,
            long garbageBytesPerSecond,
            long bytesPerSecond,
            String lastFailure) {}

    /** Bytes on disk per byte that is needed; 1 if nothing is. */
    public double spaceRatio() {
        return liveBytes == 0 ? 1 : (double) spaceBytes / liveBytes;
    }

    /** Bytes of index memory in use per key; 0 without keys. */
    public double indexBytesPerKey() {
        return keys == 0 ? 0 : (double) index.usedBytes() / keys;
    }
}
