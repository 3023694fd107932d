package io.persist.bench.latency;

import java.util.List;

/**
 * What one write of a program is, and into which latencies it is split. The points between two of them are after
 * {@link Target#prepare}, after {@link Target#write}, and after {@link Target#commit}.
 */
public enum Operation {

    /** The message is made before the write starts; append and commit are one latency. */
    MESSAGE,

    /** The same where the commit does something that takes time: append and commit are two latencies. */
    MESSAGE_AND_COMMIT,

    /** A packet is filled, appended and committed; detached, append and commit are one latency, the hand-off. */
    PACKET,

    /** A put is made and staged, and the transaction is committed if it is its last one. */
    PUT;

    static final String PREP = "prep";
    static final String WRITE = "write";
    static final String HAND_OFF = "hand-off";
    static final String FLUSH = "flush";
    static final String TOTAL = "total";

    /** The latencies of its parts, in their order, and the total if there are several. */
    List<String> parts(boolean detached) {
        String write = detached ? HAND_OFF : WRITE;
        return switch (this) {
            case MESSAGE -> List.of(write);
            case MESSAGE_AND_COMMIT -> detached ? List.of(write) : List.of(write, FLUSH, TOTAL);
            case PACKET -> detached ? List.of(PREP, write, TOTAL) : List.of(PREP, write, FLUSH, TOTAL);
            case PUT -> List.of(PREP, write, TOTAL);
        };
    }

    /** Whether what is written is made within the measured time. */
    boolean measuresPreparation() {
        return this == PACKET || this == PUT;
    }
}
