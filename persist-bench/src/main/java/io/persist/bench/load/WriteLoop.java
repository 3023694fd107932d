package io.persist.bench.load;

import io.persist.bench.latency.ClockCost;
import io.persist.bench.latency.LatencyRing;
import io.persist.bench.latency.LatencyRow;
import io.persist.bench.latency.NanoClock;
import io.persist.bench.latency.Operation;
import io.persist.bench.latency.PositionLatencies;
import io.persist.bench.latency.Target;

/**
 * The measured loop: writes at the intended times, and measures each write.
 *
 * <ul>
 *   <li>"write", or "hand-off" if detached, is from the actual start of a write until append, and commit if it is due,
 *       have returned: what the thread that writes pays. {@link Operation} says which programs split it into parts; a
 *       part that is only the commit is measured only where one is due.
 *   <li>"response" is from the intended start, with a rate only: it includes the time that a write had to wait because
 *       those before it took too long, which the former series alone would hide (coordinated omission).
 *   <li>"durable", if detached, is until the record has the durability that was asked for; "tail" until a concurrent
 *       reader has it. Both are from the intended start if there is a rate, for the same reason, otherwise from the
 *       actual one. The loop only notes where the record is; see {@link PositionLatencies}.
 * </ul>
 *
 * Between two parts the clock is read once. What such a reading costs is taken off each latency that contains it.
 *
 * <p><b>Threads:</b> any number, each with a target, a pacer and a ring of its own. <b>Allocation:</b> none while
 * writing.
 */
public final class WriteLoop {

    private final LatencyRow row;
    // Of the row; NONE is below 0.
    private final boolean measuresPreparation;
    private final int afterPrepare;
    private final int afterWrite;
    private final int afterCommit;
    private final int total;
    private final int response;
    private final long numPerCommit;
    private final NanoClock clock;
    private final long clockCostNs;
    private final Stop stop;

    public WriteLoop(LatencyRow row, long numPerCommit, NanoClock clock, ClockCost clockCost, Stop stop) {
        this.row = row;
        this.measuresPreparation = row.measuresPreparation();
        this.afterPrepare = row.afterPrepare();
        this.afterWrite = row.afterWrite();
        this.afterCommit = row.afterCommit();
        this.total = row.total();
        this.response = row.response();
        this.numPerCommit = numPerCommit;
        this.clock = clock;
        this.clockCostNs = clockCost.ns();
        this.stop = stop;
    }

    /** Has all threads that write by it end. */
    void end() {
        stop.request();
    }

    /**
     * Writes from index 0 on, until there are {@code count}, the deadline has passed, or a stop is requested. If the
     * last one was not the last of a commit, it is committed in the end: no latency has that, but the time of all.
     */
    public Written write(Target target, long count, long deadlineNs, Pacer pacer, LatencyRing ring) {
        boolean followed = row.isFollowed();
        int positionIndex = row.position();
        int startIndex = row.start();
        long untilCommit = numPerCommit;
        pacer.start();
        long startNs = pacer.intendedStart(0);
        long end = startNs;
        long last = 0;
        long index = 0;
        while (index < count && end - deadlineNs < 0 && !stop.requested()) {
            if (!measuresPreparation) {
                target.prepare(index);
            }
            long start = pacer.awaitStart(index, deadlineNs, stop);
            if (!pacer.isDue(index, start)) {
                break;
            }
            long part = start;
            long readings = 1;
            if (measuresPreparation) {
                target.prepare(index);
            }
            if (afterPrepare >= 0) {
                part = measure(afterPrepare, part, ring);
                readings++;
            }
            long position = target.write();
            boolean due = --untilCommit == 0;
            if (afterWrite >= 0) {
                part = measure(afterWrite, part, ring);
                readings += due ? 1 : 0;
            }
            if (due) {
                long committed = target.commit();
                position = position == Target.UNKNOWN ? committed : position;
                untilCommit = numPerCommit;
            }
            if (due || afterWrite < 0) {
                part = measure(afterCommit, part, ring);
            } else {
                ring.put(afterCommit, LatencyRow.NONE);
            }
            end = part;
            if (total >= 0) {
                ring.put(total, Math.max(0, end - start - readings * clockCostNs));
            }
            if (response >= 0) {
                ring.put(response, Math.max(0, end - pacer.intendedStart(index) - readings * clockCostNs));
            }
            if (followed) {
                ring.put(positionIndex, position);
                ring.put(startIndex, pacer.isPaced() ? pacer.intendedStart(index) : start);
            }
            last = Math.max(last, position);
            ring.publish();
            index++;
        }
        if (untilCommit != numPerCommit) {
            last = Math.max(last, target.commit());
            end = clock.nanoTime();
        }
        return new Written(index, startNs, end, last);
    }

    /** Ends a part of the write; returns when. */
    private long measure(int part, long startNs, LatencyRing ring) {
        long now = clock.nanoTime();
        ring.put(part, Math.max(0, now - startNs - clockCostNs));
        return now;
    }

    /**
     * What was written.
     *
     * @param count how many
     * @param startNs when the first one was meant to start
     * @param endNs when the last one had returned, and the commit in the end; without any, {@code startNs}
     * @param position the end of the last one, 0 if there is none
     */
    public record Written(long count, long startNs, long endNs, long position) {

        /** What was written by two threads. One that wrote nothing says nothing of when: its turn may not have come. */
        Written and(Written other) {
            if (count == 0 || other.count == 0) {
                return count == 0 ? other : this;
            }
            return new Written(
                    count + other.count,
                    startNs - other.startNs < 0 ? startNs : other.startNs,
                    endNs - other.endNs > 0 ? endNs : other.endNs,
                    Math.max(position, other.position));
        }

        public long commits(long numPerCommit) {
            return (count + numPerCommit - 1) / numPerCommit;
        }

        public long perSecond() {
            return Rate.perSecond(count, endNs - startNs);
        }
    }
}
