package io.persist.bench.load;

import io.persist.bench.host.Pinning;
import io.persist.bench.host.WorkThread;
import io.persist.bench.latency.LatencyRecorder;
import io.persist.bench.latency.LatencyRing;
import io.persist.bench.latency.RetryingTarget;
import io.persist.bench.latency.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The threads that write to a journal: the calling one, and as many others as are wanted. The writes are dealt out in
 * turn, and so is the time between two of them if there is a rate.
 */
public final class Producers {

    private final WriteLoop loop;
    private final int count;
    private final boolean retries;
    private final Pinning pinning;

    /**
     * @param retries whether what the queue refuses is written again
     * @param pinning of the calling thread, while it writes
     */
    public Producers(WriteLoop loop, int count, boolean retries, Pinning pinning) {
        this.loop = loop;
        this.count = count;
        this.retries = retries;
        this.pinning = pinning;
    }

    public int count() {
        return count;
    }

    /**
     * Writes until all have written {@code writes} together, the deadline has passed, or a stop is requested.
     *
     * @param rate writes per second of all together, or below 0 for as many as possible
     */
    public Result write(Journal journal, long writes, long rate, long deadlineNs, LatencyRecorder recorder)
            throws Pinning.PinningException {
        List<Producer> producers = IntStream.range(0, count)
                .mapToObj(number -> new Producer(
                        journal,
                        number,
                        (writes + count - 1 - number) / count,
                        deadlineNs,
                        Pacer.share(rate, count, number, System::nanoTime),
                        recorder.ring(number)))
                .toList();
        List<WorkThread<WriteLoop.Written>> others = new ArrayList<>();
        List<WriteLoop.Written> written = new ArrayList<>();
        try {
            for (Producer producer : producers.subList(1, count)) {
                others.add(WorkThread.start("producer-" + producer.number, producer::write));
            }
            written.add(writePinned(producers.get(0)));
        } catch (Throwable e) {
            loop.end();
            throw e;
        } finally {
            others.forEach(WorkThread::join);
        }
        others.forEach(other -> written.add(other.await()));
        return Result.of(written, producers);
    }

    private WriteLoop.Written writePinned(Producer producer) throws Pinning.PinningException {
        Pinning.Pinned pinned = pinning.pin();
        try {
            return producer.write();
        } finally {
            pinned.close();
        }
    }

    /** What one of them does. */
    private final class Producer {

        private final int number;
        private final Target target;
        private final @Nullable RetryingTarget retrying;
        private final long writes;
        private final long deadlineNs;
        private final Pacer pacer;
        private final LatencyRing ring;

        Producer(Journal journal, int number, long writes, long deadlineNs, Pacer pacer, LatencyRing ring) {
            this.number = number;
            this.retrying = retries ? new RetryingTarget(journal.target(number)) : null;
            this.target = retrying != null ? retrying : journal.target(number);
            this.writes = writes;
            this.deadlineNs = deadlineNs;
            this.pacer = pacer;
            this.ring = ring;
        }

        /** If one fails, the others end too. */
        WriteLoop.Written write() {
            boolean isDone = false;
            try {
                WriteLoop.Written written = loop.write(target, writes, deadlineNs, pacer, ring);
                isDone = true;
                return written;
            } finally {
                if (!isDone) {
                    loop.end();
                }
            }
        }

        long refusals() {
            return retrying == null ? 0 : retrying.refusals();
        }
    }

    /**
     * What they have done.
     *
     * @param written all together
     * @param perProducer what each has written
     * @param refusals how often the queue had no place
     */
    public record Result(WriteLoop.Written written, List<WriteLoop.Written> perProducer, long refusals) {

        private static Result of(List<WriteLoop.Written> perProducer, List<Producer> producers) {
            return new Result(
                    perProducer.stream().reduce(WriteLoop.Written::and).orElseThrow(),
                    perProducer,
                    producers.stream().mapToLong(Producer::refusals).sum());
        }
    }
}
