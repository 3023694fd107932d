package io.persist.peers.trial.load;

import io.persist.bench.host.WorkThreads;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.Producer;
import io.persist.peers.trial.Latencies;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.process.ChildMain;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;

/** Threads that append to one engine at the same time, each with a producer of its own. */
public final class ProducerThreads {

    /**
     * What they did.
     *
     * @param count messages, of all together
     * @param elapsedNs from their common start until the log had everything
     * @param latencies of all together
     */
    public record Pass(long count, long elapsedNs, Histogram latencies) {

        /** Both, one after the other. */
        Pass plus(Pass other) {
            Histogram both = latencies.copy();
            both.add(other.latencies);
            return new Pass(count + other.count, elapsedNs + other.elapsedNs, both);
        }
    }

    /** What each of them does. */
    public @FunctionalInterface interface Work {
        /** Appends, and may record latencies; returns how many messages. */
        long run(AppendLoop loop, Histogram latencies) throws IOException;
    }

    private final Engine engine;
    private final Mode mode;
    private final Sampling sampling;
    private final CountDownLatch ready;
    private final CountDownLatch start = new CountDownLatch(1);

    private ProducerThreads(Engine engine, Mode mode, Sampling sampling) {
        this.engine = engine;
        this.mode = mode;
        this.sampling = sampling;
        this.ready = new CountDownLatch(mode.producers());
    }

    /** Has as many threads as the mode has producers do {@code work}, and drains the engine. */
    public static Pass run(Engine engine, Mode mode, Work work) throws IOException, InterruptedException {
        return run(engine, mode, Sampling.NONE, work);
    }

    /** The same, where all of it is what the trial measures. */
    public static Pass run(Engine engine, Mode mode, Sampling sampling, Work work)
            throws IOException, InterruptedException {
        return new ProducerThreads(engine, mode, sampling).run(work);
    }

    private Pass run(Work work) throws IOException, InterruptedException {
        List<Callable<Pass>> parts = Collections.nCopies(mode.producers(), () -> one(work));
        try (WorkThreads<Pass> threads = WorkThreads.start("producer", parts)) {
            ready.await();
            sampling.begin();
            long startNs = System.nanoTime();
            start.countDown();
            List<Pass> done = threads.results();
            sampling.enter();
            engine.drain();
            long elapsedNs = System.nanoTime() - startNs;
            sampling.leave();
            sampling.end();
            Histogram all = Latencies.empty();
            done.forEach(each -> all.add(each.latencies()));
            return new Pass(done.stream().mapToLong(Pass::count).sum(), elapsedNs, all);
        } catch (ExecutionException e) {
            throw new IOException(ChildMain.describe(Objects.requireNonNull(e.getCause())), e);
        }
    }

    private Pass one(Work work) throws IOException, InterruptedException {
        Producer producer;
        try {
            producer = engine.producer();
        } finally {
            ready.countDown();
        }
        start.await();
        Histogram latencies = Latencies.empty();
        sampling.enter();
        long startNs = System.nanoTime();
        long count = work.run(new AppendLoop(producer, mode), latencies);
        long elapsedNs = System.nanoTime() - startNs;
        sampling.leave();
        producer.close();
        return new Pass(count, elapsedNs, latencies);
    }
}
