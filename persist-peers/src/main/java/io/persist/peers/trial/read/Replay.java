package io.persist.peers.trial.read;

import io.persist.peers.engine.Engine;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.trial.Limits;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import io.persist.peers.trial.load.ProducerThreads;
import io.persist.peers.trial.load.Stamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Reads a closed log from its start. */
public final class Replay {

    private static final int MOST_AT_ONCE = 1024;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private Replay() {}

    public static TrialResult run(Trial trial, Logs logs, Sampling sampling) throws IOException, InterruptedException {
        warmUp(trial, logs);
        long count = fill(trial, logs, "replay", trial.limits());
        long elapsedNs = read(logs, "replay", count, sampling);
        return TrialResult.ofRate(count, elapsedNs, Map.of(Metric.LOG_MIB, mib(trial, count)));
    }

    /** Reads one log again and again. */
    private static void warmUp(Trial trial, Logs logs) throws IOException, InterruptedException {
        long leftNs = trial.warmupNs();
        if (leftNs <= 0) {
            return;
        }
        long count = fill(trial, logs, "warm-up", new Limits(trial.warmupMessages(), leftNs));
        while (leftNs > 0) {
            leftNs -= read(logs, "warm-up", count, Sampling.NONE);
        }
        logs.delete("warm-up");
    }

    /** Of the messages, without what an engine adds. */
    static double mib(Trial trial, long count) {
        return (double) count * trial.messageLength() / (1 << 20);
    }

    private static long fill(Trial trial, Logs logs, String name, Limits limits)
            throws IOException, InterruptedException {
        try (Engine engine = logs.create(name, limits.messages())) {
            return ProducerThreads.run(engine, trial.mode(), (loop, latencies) -> loop.run(limits))
                    .count();
        }
    }

    /** Opens the log and reads it; returns how long the reading took, ns. */
    private static long read(Logs logs, String name, long count, Sampling sampling) throws IOException {
        try (Engine engine = logs.open(name, 0, 0);
                MessageReader reader = engine.reader()) {
            Order order = new Order();
            sampling.begin();
            sampling.enter();
            long startNs = System.nanoTime();
            order.read(reader, count);
            long elapsedNs = System.nanoTime() - startNs;
            sampling.leave();
            sampling.end();
            return elapsedNs;
        }
    }

    /** Checks that messages come in their order, from number 0 on. */
    static final class Order implements MessageReader.Handler {

        private long next;

        /** Reads until it has had {@code count} messages, or more with the last poll. */
        void read(MessageReader reader, long count) throws IOException {
            long deadline = System.nanoTime() + PATIENCE_NS;
            while (next < count) {
                if (reader.poll(this, (int) Math.min(count - next, MOST_AT_ONCE)) > 0) {
                    deadline = System.nanoTime() + PATIENCE_NS;
                } else if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("only " + next + " of " + count + " messages can be read");
                } else {
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public void onMessage(ByteBuffer buffer, int offset, int length) {
            long sequence = Stamp.sequence(buffer, offset);
            if (sequence != next) {
                throw new IllegalStateException("read message " + sequence + " where " + next + " was expected");
            }
            next++;
        }
    }
}
