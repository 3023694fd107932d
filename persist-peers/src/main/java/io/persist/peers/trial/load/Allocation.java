package io.persist.peers.trial.load;

import com.sun.management.ThreadMXBean;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.Producer;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.LongStream;

/** Counts the bytes that appends allocate on the heap. */
public final class Allocation {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    public static TrialResult run(Trial trial, Logs logs, Sampling sampling) throws IOException, InterruptedException {
        ClosedLoop.warmUp(trial, logs);
        long own = Thread.currentThread().getId();
        try (Engine engine = logs.create("allocation", 2 * trial.messages());
                Producer producer = engine.producer()) {
            AppendLoop loop = new AppendLoop(producer, trial.mode());
            loop.run(trial.limits().share(2)); // the caches and buffers of a log that has just been opened
            sampling.begin();
            sampling.enter();
            long allBefore = allThreads();
            long ownBefore = THREADS.getThreadAllocatedBytes(own);
            double count = loop.run(trial.limits());
            long ownBytes = THREADS.getThreadAllocatedBytes(own) - ownBefore;
            engine.drain();
            long allBytes = allThreads() - allBefore;
            sampling.leave();
            sampling.end();
            return TrialResult.ofFigures(
                    Map.of(Metric.THREAD_BYTES, ownBytes / count, Metric.JVM_BYTES, allBytes / count));
        }
    }

    /** Of the threads that are alive. */
    private static long allThreads() {
        long[] bytes = THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds());
        return LongStream.of(bytes).filter(each -> each > 0).sum();
    }
}
