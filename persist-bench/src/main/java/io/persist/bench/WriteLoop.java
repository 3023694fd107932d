package io.persist.bench;

import io.persist.MessageLogger;

/**
 * The measured loop: writes messages at their times, and measures each write.
 *
 * <ul>
 *   <li>"write" is from the actual start of a write until append, and commit if it is due, have returned.
 *   <li>"response" is from the intended start, with a rate only: it includes the time that a write had to wait because
 *       those before it took too long, which the former series alone would hide (coordinated omission).
 * </ul>
 *
 * A message is made before its start, so its making is in neither series.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none while writing.
 */
final class WriteLoop {

    static final int WRITE = 0;
    static final int RESPONSE = 1;

    private final Messages messages;
    private final long numPerCommit;
    private final NanoClock clock;
    private final long clockCostNs;
    private final Stop stop;

    WriteLoop(Messages messages, long numPerCommit, NanoClock clock, ClockCost clockCost, Stop stop) {
        this.messages = messages;
        this.numPerCommit = numPerCommit;
        this.clock = clock;
        this.clockCostNs = clockCost.ns();
        this.stop = stop;
    }

    /**
     * Writes the messages from index 0 on, until there are {@code count}, the deadline has passed, or a stop is
     * requested. If the last one was not the last of a commit, it is committed in the end, unmeasured.
     */
    Written write(MessageLogger log, long count, long deadlineNs, Pacer pacer, LatencyRing ring) {
        boolean paced = pacer.isPaced();
        long untilCommit = numPerCommit;
        pacer.start();
        long startNs = pacer.intendedStart(0);
        long end = startNs;
        long index = 0;
        while (index < count && end - deadlineNs < 0 && !stop.requested()) {
            var message = messages.message(index);
            long start = pacer.awaitStart(index);
            log.append(message);
            if (--untilCommit == 0) {
                log.commit();
                untilCommit = numPerCommit;
            }
            end = clock.nanoTime();
            ring.put(WRITE, Math.max(0, end - start - clockCostNs));
            if (paced) {
                ring.put(RESPONSE, Math.max(0, end - pacer.intendedStart(index) - clockCostNs));
            }
            ring.publish();
            index++;
        }
        if (untilCommit != numPerCommit) {
            log.commit();
        }
        return new Written(index, end - startNs);
    }

    /** How many messages were written, in how long. */
    record Written(long messages, long elapsedNs) {

        long perSecond() {
            return Rate.perSecond(messages, elapsedNs);
        }
    }
}
