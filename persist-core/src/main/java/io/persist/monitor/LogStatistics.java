package io.persist.monitor;

import java.util.Arrays;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a log has done since it was opened: all its counters at one moment, and what follows from them. {@link Counter}
 * says what each one means. Times are in nanoseconds, lengths in bytes.
 *
 * <p>The appender updates its counters with each commit, flush, sync and roll, and at the latest after 1 MiB, so that
 * an append has nothing to do for them. Counters of different threads may differ by what happened while they were read.
 * For another process the queue is as the writer thread saw it when it took its last batch or began its last sync.
 *
 * <p><b>Threads:</b> any; the object does not change.
 */
public final class LogStatistics {

    private final long[] values;

    private LogStatistics(long[] values) {
        this.values = values;
    }

    /** Reads the counters that {@code counters} knows, all of them, now. */
    public static LogStatistics of(ToLongFunction<Counter> counters) {
        return new LogStatistics(Stream.of(Counter.values()).mapToLong(counters).toArray());
    }

    /** The value of {@code counter}. */
    public long get(Counter counter) {
        return values[counter.ordinal()];
    }

    /** When the log was opened, ms since 1970; 0 if that is not known. */
    public long openedAtMs() {
        return get(Counter.OPENED_AT_MS);
    }

    /** How many records were appended. */
    public long records() {
        return get(Counter.RECORDS);
    }

    /** How many bytes of payload were appended. */
    public long bytes() {
        return get(Counter.BYTES);
    }

    /** How many commits ended at least one record. */
    public long commits() {
        return get(Counter.COMMITS);
    }

    /** How often the appender went to a new segment. */
    public long rolls() {
        return get(Counter.ROLLS);
    }

    /** How many bytes were filled ahead of the appender. */
    public long filledBytes() {
        return get(Counter.FILLED_BYTES);
    }

    /** How often the appender had to wait because no filled space was left. */
    public long stalls() {
        return get(Counter.STALLS);
    }

    /** How long the appender waited for filled space in all, in nanoseconds. */
    public long stallNs() {
        return get(Counter.STALL_NS);
    }

    /** How long the longest wait for filled space took, in nanoseconds. */
    public long stallMaxNs() {
        return get(Counter.STALL_MAX_NS);
    }

    /**
     * How many of these waits ended without space, since the disk was full or no segment could be made: so many times
     * the log refused a record. Of a detached log each new attempt of its writer thread counts too.
     */
    public long refusals() {
        return get(Counter.REFUSALS);
    }

    /** How often the appender was slowed down to the speed at which space is filled. */
    public long paces() {
        return get(Counter.PACES);
    }

    /** How long the appender was slowed down in all, in nanoseconds. */
    public long paceNs() {
        return get(Counter.PACE_NS);
    }

    /** How often the device was told to flush. */
    public long syncs() {
        return get(Counter.SYNCS);
    }

    /** How long all syncs took together, in nanoseconds. */
    public long syncNs() {
        return get(Counter.SYNC_NS);
    }

    /** How long the longest sync took, in nanoseconds. */
    public long syncMaxNs() {
        return get(Counter.SYNC_MAX_NS);
    }

    /** When the sync that is under way began, ms since 1970; 0 if there is none. */
    public long syncBeganAtMs() {
        return get(Counter.SYNC_BEGAN_AT_MS);
    }

    /** How many commits a thread waited for until they were synced. */
    public long syncedCommits() {
        return get(Counter.SYNCED_COMMITS);
    }

    /** How many segments were filled to their end. */
    public long segmentsFilled() {
        return get(Counter.SEGMENTS_FILLED);
    }

    /** Entries that the queue has room for; 0 if there is no queue. */
    public long queueCapacity() {
        return get(Counter.QUEUE_CAPACITY);
    }

    /** Entries in the queue now. */
    public long queueDepth() {
        return get(Counter.QUEUE_DEPTH);
    }

    /** The most entries that were in the queue at one moment. */
    public long queueMaxDepth() {
        return get(Counter.QUEUE_MAX_DEPTH);
    }

    /** How often entries were taken out of the queue together. */
    public long batches() {
        return get(Counter.BATCHES);
    }

    /** How many entries all batches had together. */
    public long batchEntries() {
        return get(Counter.BATCH_ENTRIES);
    }

    /** How many entries the largest batch had. */
    public long batchMax() {
        return get(Counter.BATCH_MAX);
    }

    /** How often a producer found the queue full. */
    public long queueFull() {
        return get(Counter.QUEUE_FULL);
    }

    /** How long producers waited for room in the queue in all, in nanoseconds. */
    public long queueWaitNs() {
        return get(Counter.QUEUE_WAIT_NS);
    }

    /** Payload bytes per record; like all averages 0 if there was nothing to count. */
    public double averageRecord() {
        return ratio(bytes(), records());
    }

    /** The mean time of a sync, in nanoseconds. */
    public double averageSyncNs() {
        return ratio(syncNs(), syncs());
    }

    /** Syncs per synced commit; less than 1 if commits share syncs. */
    public double syncsPerCommit() {
        return ratio(syncs(), syncedCommits());
    }

    /** The mean time of a stall, in nanoseconds. */
    public double averageStallNs() {
        return ratio(stallNs(), stalls());
    }

    /** Entries per batch. */
    public double averageBatch() {
        return ratio(batchEntries(), batches());
    }

    private static double ratio(long sum, long count) {
        return count == 0 ? 0 : (double) sum / count;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogStatistics that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** All counters that are not 0, such as {@code records=3, bytes=210}. */
    @Override
    public String toString() {
        return Stream.of(Counter.values())
                .filter(counter -> get(counter) != 0)
                .map(counter -> counter.label() + "=" + get(counter))
                .collect(Collectors.joining(", ", "LogStatistics[", "]"));
    }
}
