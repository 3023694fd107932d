package io.persist.bench.load;

import io.persist.bench.latency.PositionTimes;
import io.persist.bench.record.Records;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.thread.LogThread;
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
    private final Thread thread = new Thread(this::run, "tail-reader");

    /** Where to end. Written by the thread that awaits. */
    private volatile long end = Long.MAX_VALUE;

    private volatile boolean closed;

    // Read when the thread has ended.
    private long read;
    private long readBytes;
    private long maxBehind;
    private long endNs = startNs;
    private ReadPass.@Nullable VerificationException mismatch;
    private @Nullable RuntimeException failure;
    private @Nullable Error error;

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
        reader.thread.setDaemon(true);
        reader.thread.start();
        return reader;
    }

    private void run() {
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
        } catch (ReadPass.VerificationException e) {
            mismatch = e;
        } catch (RuntimeException e) {
            failure = e;
        } catch (Error e) {
            error = e;
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
    public void await(WriteLoop.Written written) throws ReadPass.VerificationException {
        // In FILE mode the last ones may still be in the write buffer, which no reader sees.
        journal.flush();
        end = written.position();
        LogThread.join(thread);
        if (mismatch != null) {
            throw mismatch;
        }
        if (failure != null) {
            throw failure;
        }
        if (error != null) {
            throw error;
        }
    }

    @Override
    public void close() {
        closed = true;
        LogThread.join(thread);
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
