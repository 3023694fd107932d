package io.persist.bench.record;

import io.persist.packet.PacketMetadata;
import io.persist.packet.PacketOperation;
import org.jspecify.annotations.Nullable;

/**
 * Metadata as a transactional system would fill it in, made from a packet's index: objects are created, updated, sent
 * and removed; each commit is a transaction, the one before it is stable; each message that comes in has two go out;
 * now and then one may be a duplicate.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none, unless something differs.
 */
public final class MetadataPattern {

    private static final PacketOperation[] OPERATIONS = {
        PacketOperation.CREATE, PacketOperation.UPDATE, PacketOperation.SEND, PacketOperation.REMOVE
    };

    private static final int TYPES = 16;
    private static final int DUPLICATE_EACH = 1000;
    private static final int PACKETS_PER_CHECKPOINT = 10_000;

    private final int producers;
    private final long numPerCommit;

    /**
     * @param producers how many threads write the packets in turn
     * @param numPerCommit how many packets each of them commits together
     */
    public MetadataPattern(int producers, long numPerCommit) {
        this.producers = producers;
        this.numPerCommit = numPerCommit;
    }

    void fill(PacketMetadata metadata, long index) {
        metadata.operation(operation(index))
                .type(type(index))
                .objectId(objectIdHigh(index), objectIdLow(index))
                .transactionId(transactionId(index))
                .stableTransactionId(transactionId(index) - 1)
                .inSequence(index + 1)
                .outSequence(2 * index + 1)
                .checkpoint(checkpoint(index));
        if (isPossibleDuplicate(index)) {
            metadata.markPossibleDuplicate();
        }
        if (isCommitStart(index)) {
            metadata.markCommitStart();
        }
        if (isCommitEnd(index)) {
            metadata.markCommitEnd();
        }
    }

    /** The first field that is not as it was filled in, or null if there is none. */
    @Nullable
    String difference(PacketMetadata actual, long index) {
        if (actual.operation() != operation(index)) {
            return describe("operation", actual.operation(), operation(index));
        }
        if (actual.objectIdHigh() != objectIdHigh(index) || actual.objectIdLow() != objectIdLow(index)) {
            return "has another objectId than was written";
        }
        String number = first(
                differs("type", actual.type(), type(index)),
                differs("transactionId", actual.transactionId(), transactionId(index)),
                differs("stableTransactionId", actual.stableTransactionId(), transactionId(index) - 1),
                differs("inSequence", actual.inSequence(), index + 1));
        return first(
                number,
                differs("outSequence", actual.outSequence(), 2 * index + 1),
                differs("checkpoint", actual.checkpoint(), checkpoint(index)),
                flagDifference(actual, index));
    }

    private @Nullable String flagDifference(PacketMetadata actual, long index) {
        if (actual.isPossibleDuplicate() != isPossibleDuplicate(index)) {
            return describe("possibleDuplicate", actual.isPossibleDuplicate(), isPossibleDuplicate(index));
        }
        if (actual.isCommitStart() != isCommitStart(index)) {
            return describe("commitStart", actual.isCommitStart(), isCommitStart(index));
        }
        if (actual.isCommitEnd() != isCommitEnd(index)) {
            return describe("commitEnd", actual.isCommitEnd(), isCommitEnd(index));
        }
        return null;
    }

    private static @Nullable String differs(String field, long actual, long expected) {
        return actual == expected ? null : describe(field, actual, expected);
    }

    private static String describe(String field, Object actual, Object expected) {
        return "has " + field + "=" + actual + ", but " + field + "=" + expected + " was written";
    }

    private static @Nullable String first(
            @Nullable String a, @Nullable String b, @Nullable String c, @Nullable String d) {
        return a != null ? a : b != null ? b : c != null ? c : d;
    }

    private static PacketOperation operation(long index) {
        return OPERATIONS[(int) (index % OPERATIONS.length)];
    }

    private static int type(long index) {
        return (int) (index % TYPES) + 1;
    }

    /** Four operations on each object. */
    private static long objectIdLow(long index) {
        return index / OPERATIONS.length + 1;
    }

    private static long objectIdHigh(long index) {
        return objectIdLow(index) * 0x9E3779B97F4A7C15L;
    }

    /** Numbers of their own for each producer: its n-th commit is number n times the producers, and its own number. */
    private long transactionId(long index) {
        long producer = index % producers;
        return index / producers / numPerCommit * producers + producer + 1;
    }

    private static long checkpoint(long index) {
        return index / PACKETS_PER_CHECKPOINT;
    }

    private static boolean isPossibleDuplicate(long index) {
        return index % DUPLICATE_EACH == DUPLICATE_EACH - 1;
    }

    private boolean isCommitStart(long index) {
        return index / producers % numPerCommit == 0;
    }

    private boolean isCommitEnd(long index) {
        return index / producers % numPerCommit == numPerCommit - 1;
    }
}
