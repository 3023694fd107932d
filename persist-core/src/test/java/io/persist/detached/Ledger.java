package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.read.Tailer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What producers know of the records that were accepted, to be compared with what the log holds. A record tells who
 * appended it and as which one, and its other bytes follow from that.
 *
 * <p><b>Threads:</b> any.
 */
final class Ledger {

    static final int MIN_LENGTH = 8;

    private record Accepted(int producer, int number, int length) {}

    /** By the position right after it. */
    private final ConcurrentSkipListMap<Long, Accepted> accepted = new ConcurrentSkipListMap<>();

    private final ConcurrentSkipListSet<Long> commits = new ConcurrentSkipListSet<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private volatile boolean commitsAreUnknown;
    private volatile boolean retired;

    static byte[] record(int producer, int number, int length) {
        byte[] bytes = new byte[length];
        for (int i = MIN_LENGTH; i < length; i++) {
            bytes[i] = (byte) (producer * 31 + number * 7 + i);
        }
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(producer).putInt(number);
        return bytes;
    }

    /** A record was accepted, and {@code end} was returned. */
    void accept(int producer, int number, int length, long end) {
        Accepted other = accepted.put(end, new Accepted(producer, number, length));
        assertThat(other).as("another record with the end %d", end).isNull();
    }

    /** Where the last record ends that was accepted; 0 if none was. */
    long end() {
        return accepted.isEmpty() ? 0 : accepted.lastKey();
    }

    /** A commit was ended at {@code end}. */
    void commit(long end) {
        commits.add(end);
    }

    /** A commit failed, so nobody knows where it was ended, or whether. */
    void commitFailed() {
        commitsAreUnknown = true;
    }

    void retired() {
        retired = true;
    }

    /** Everything before {@code end} must be there after whatever stop. */
    void acknowledge(long end) {
        acknowledged.accumulateAndGet(end, Math::max);
    }

    int size() {
        return accepted.size();
    }

    /** Compares; returns how many of the accepted records are missing, which can be only the last ones. */
    int check(Tailer tailer) {
        tailer.toStart();
        Iterator<Map.Entry<Long, Accepted>> expected = accepted.entrySet().iterator();
        long last = -1;
        int rest = accepted.size();
        while (tailer.next()) {
            assertThat(expected).as("records, after position %d", last).hasNext();
            Map.Entry<Long, Accepted> next = expected.next();
            rest--;
            while (last < 0 && retired && next.getKey() < tailer.nextPosition()) {
                next = expected.next();
                rest--;
            }
            assertThat(tailer.nextPosition()).isEqualTo(next.getKey());
            checkPayload(tailer.payload(), next.getValue());
            checkBoundary(tailer, last);
            last = tailer.nextPosition();
        }
        if (rest > 0) {
            assertThat(expected.next().getKey())
                    .as("the end of the first record that is missing, after what was acknowledged")
                    .isGreaterThan(acknowledged.get());
        }
        return rest;
    }

    private void checkBoundary(Tailer tailer, long previousEnd) {
        if (previousEnd < 0) {
            return; // it may be any record, after retention
        }
        Long commit = commits.ceiling(previousEnd); // at the end of a record, or behind a segment that was ended there
        boolean isCommitted = commit != null && commit <= tailer.position();
        if (isCommitted || !commitsAreUnknown) {
            assertThat(tailer.startsCommit())
                    .as("a commit was called at %d, before %d", previousEnd, tailer.position())
                    .isEqualTo(isCommitted);
        }
    }

    private static void checkPayload(ByteBuffer payload, Accepted record) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(payload.position(), bytes);
        assertThat(bytes).isEqualTo(record(record.producer, record.number, record.length));
    }

    /** Whether each producer's records have the order in which it appended them. */
    void checkOrderOfEach() {
        Map<Integer, Integer> last = new ConcurrentHashMap<>();
        accepted.forEach((end, record) -> {
            Integer before = last.put(record.producer, record.number);
            assertThat(before == null || before < record.number)
                    .as("order of producer %d at %d", record.producer, end)
                    .isTrue();
        });
    }
}
