package io.persist.peers.trial.read;

import io.persist.peers.engine.MessageReader;
import io.persist.peers.trial.Latencies;
import io.persist.peers.trial.load.Stamp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;

/** Takes the messages that another thread or process appends, checks their order, and measures how old each is. */
final class Listener implements MessageReader.Handler {

    private static final int MOST_AT_ONCE = 64;

    private final long warmup;
    private final long end;
    private final Histogram latencies = Latencies.empty();
    private long next;
    private long firstNs;
    private long lastNs;

    /** Measures {@code messages} after the first {@code warmup}. */
    Listener(long warmup, long messages) {
        this.warmup = warmup;
        this.end = warmup + messages;
    }

    /**
     * Polls until it has them all; returns how old they were, ns.
     *
     * @throws InterruptedIOException if the thread is interrupted: then nobody appends any more
     */
    Histogram run(MessageReader reader) throws IOException {
        while (next < end) {
            if (reader.poll(this, MOST_AT_ONCE) == 0) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("interrupted");
                }
                Thread.onSpinWait();
            }
        }
        return latencies;
    }

    /** How long it took from the first message that is measured to the last: without the wait for the appender. */
    long elapsedNs() {
        return lastNs - firstNs;
    }

    @Override
    public void onMessage(ByteBuffer buffer, int offset, int length) {
        long nowNs = System.nanoTime();
        long ageNs = nowNs - Stamp.time(buffer, offset);
        long sequence = Stamp.sequence(buffer, offset);
        if (sequence != next) {
            throw new IllegalStateException("read message " + sequence + " where " + next + " was expected");
        }
        if (next == warmup) {
            firstNs = nowNs;
        }
        if (next++ >= warmup) {
            lastNs = nowNs;
            Latencies.record(latencies, ageNs);
        }
    }
}
