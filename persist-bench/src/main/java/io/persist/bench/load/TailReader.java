package io.persist.bench.load;

import io.persist.bench.host.WorkThread;
import io.persist.bench.latency.PositionTimes;
import io.persist.bench.load.ReadPass.VerificationException;
import io.persist.bench.record.Records;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log while it is being written: a thread that compares each record with what was written, notes when it had
 * it, and looks now and then how far it is behind. It never gives up the CPU.
 *
 * <p><b>Threads:</b> one starts, awaits and closes it.
 */
public final class TailReader implements Follower {

    /** So many records are read between two looks at the end of the log, which is in another thread's cache. */
    private static final int LOOK_EACH = 32;

    private final Journal journal;
    private final Tailer tailer;
    private final RecordCheck check;
    private final PositionTimes times;
    private final long startNs = System.nanoTime();
    private final WorkThread<@Nullable VerificationException> thread = new WorkThread<>("tail-reader", this::readAll);

    /** Where to end. Written by the thread that awaits. */
    private volatile long end = Long.MAX_VALUE;

    private volatile boolean closed;

    // Read when the thread has ended.
    private long read;
    private long readBytes;
    private long maxBehind;
    private long endNs = startNs;

    private TailReader(Journal journal, TailerConfig config, Records records, int producers, PositionTimes times) {
        this.journal = journal;
        this.tailer = journal.tailer(config);
        this.times = times;
        long firstSequence = journal.lastSequence() + 1;
        this.check = new RecordCheck(records, producers, firstSequence);
        tailer.toSequence(firstSequence);
    }

    /**
     * Starts to read the records that are appended from now on.
     *
     * @param config how they are read
     * @param producers how many threads write them in turn
     */
    public static TailReader start(
            Journal journal, TailerConfig config, Records records, int producers, PositionTimes times) {
        TailReader reader = new TailReader(journal, config, records, producers, times);
        reader.thread.start();
        return reader;
    }

    /** Returns where a record was not what was written; null if all were. */
    private @Nullable VerificationException readAll() {
        try {
            while (!closed && tailer.nextPosition() < end) {
                if (tailer.next()) {
                    times.onPosition(tailer.nextPosition());
                    check.check(tailer);
                    look();
                } else {
                    Thread.onSpinWait();
                }
            }
            return null;
        } catch (VerificationException e) {
            return e;
        } finally {
            endNs = System.nanoTime();
        }
    }

    private void look() {
        readBytes += tailer.nextPosition() - tailer.position();
        if (read++ % LOOK_EACH == 0) {
            maxBehind = Math.max(maxBehind, journal.reached(Durability.BUFFERED) - tailer.nextPosition());
        }
    }

    @Override
    public void await(WriteLoop.Written written) throws VerificationException {
        // In FILE mode the last ones may still be in the write buffer, which no reader sees.
        journal.flush();
        end = written.position();
        VerificationException mismatch = thread.await();
        if (mismatch != null) {
            throw mismatch;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.join();
        tailer.close();
    }

    /** What it read from its start until it had everything. The thread has ended. */
    public ReadPass.Read read() {
        return new ReadPass.Read(read, endNs - startNs);
    }

    /** The most bytes that it was seen to be behind the end of the log. */
    public long maxBehindBytes() {
        return maxBehind;
    }

    /** About how many records that is. */
    public long maxBehindRecords() {
        return read == 0 ? 0 : Math.round((double) maxBehind * read / readBytes);
    }
}
