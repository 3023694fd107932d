package io.persist.bench;

/**
 * The measured loop: writes at the intended times, and measures each write.
 *
 * <ul>
 *   <li>"write", or "hand-off" if detached, is from the actual start of a write until append, and commit if it is due,
 *       have returned: what the thread that writes pays.
 *   <li>"response" is from the intended start, with a rate only: it includes the time that a write had to wait because
 *       those before it took too long, which the former series alone would hide (coordinated omission).
 *   <li>"durable", if detached, is from the actual start until the record has the durability that was asked for. The
 *       loop only notes where the record is; see {@link DurableLatencies}.
 * </ul>
 *
 * What is written is made before its start, so its making is in no series.
 *
 * <p><b>Threads:</b> any number, each with a target, a pacer and a ring of its own. <b>Allocation:</b> none while
 * writing.
 */
final class WriteLoop {

    private final LatencyRow row;
    private final long numPerCommit;
    private final NanoClock clock;
    private final long clockCostNs;
    private final Stop stop;

    WriteLoop(LatencyRow row, long numPerCommit, NanoClock clock, ClockCost clockCost, Stop stop) {
        this.row = row;
        this.numPerCommit = numPerCommit;
        this.clock = clock;
        this.clockCostNs = clockCost.ns();
        this.stop = stop;
    }

    /**
     * Writes from index 0 on, until there are {@code count}, the deadline has passed, or a stop is requested. If the
     * last one was not the last of a commit, it is committed in the end, unmeasured.
     */
    Written write(Target target, long count, long deadlineNs, Pacer pacer, LatencyRing ring) {
        boolean paced = pacer.isPaced();
        boolean detached = row.detached();
        int positionIndex = row.position();
        int startIndex = row.start();
        long untilCommit = numPerCommit;
        pacer.start();
        long startNs = pacer.intendedStart(0);
        long end = startNs;
        long position = 0;
        long index = 0;
        while (index < count && end - deadlineNs < 0 && !stop.requested()) {
            target.prepare(index);
            long start = pacer.awaitStart(index);
            position = target.write();
            if (--untilCommit == 0) {
                target.commit();
                untilCommit = numPerCommit;
            }
            end = clock.nanoTime();
            ring.put(LatencyRow.WRITE, Math.max(0, end - start - clockCostNs));
            if (paced) {
                ring.put(LatencyRow.RESPONSE, Math.max(0, end - pacer.intendedStart(index) - clockCostNs));
            }
            if (detached) {
                ring.put(positionIndex, position);
                ring.put(startIndex, start);
            }
            ring.publish();
            index++;
        }
        if (untilCommit != numPerCommit) {
            target.commit();
        }
        return new Written(index, startNs, end, position);
    }

    /**
     * What was written.
     *
     * @param messages how many
     * @param startNs when the first one was meant to start
     * @param endNs when the last one had returned
     * @param position the end of the last one, 0 if there is none
     */
    record Written(long messages, long startNs, long endNs, long position) {

        /** What was written by two threads. */
        Written and(Written other) {
            return new Written(
                    messages + other.messages,
                    startNs - other.startNs < 0 ? startNs : other.startNs,
                    endNs - other.endNs > 0 ? endNs : other.endNs,
                    Math.max(position, other.position));
        }

        long commits(long numPerCommit) {
            return (messages + numPerCommit - 1) / numPerCommit;
        }

        long perSecond() {
            return Rate.perSecond(messages, endNs - startNs);
        }
    }
}
