package io.persist.jmh.commit;

import io.persist.detached.DetachedLog;
import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.jmh.support.Producers;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogWriter;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Producers that append a message, commit it SYNCED, and wait for that, again and again: synced messages per second of
 * all of them together, and how many syncs that took for each commit.
 *
 * <p>To be read beside the figure of one producer in the same run, because devices drift.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(3)
public class GroupCommitBenchmark extends LogBenchmark {

    private static final int BATCH = 1 << 10;
    private static final int MAX_FRAME_OVERHEAD = 64;

    /** Counted exactly, by the log. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Counts {

        public long commits;

        /** How often the device was told to flush. */
        public long syncs;
    }

    @Param({"1", "2", "4", "8", "16"})
    public int producers;

    @Param("256")
    public int payload;

    @Param({"MAPPED", "FILE"})
    public WriteMode writeMode;

    @Param("BLOCKING")
    public WaitStrategy waitStrategy;

    private byte[] message;
    private Producers threads;
    private LogWriter log;

    @Setup(Level.Trial)
    public void start() {
        message = Payloads.random(payload);
        threads = new Producers(producers);
    }

    @Override
    protected void open(LogConfig.Builder config) {
        Log attached = Log.open(config.writeMode(writeMode).build());
        log = DetachedLog.over(
                attached, DetachedConfig.builder().waitStrategy(waitStrategy).build());
    }

    @Override
    protected long position() {
        return log.position();
    }

    @Override
    protected long invocationLength() {
        return (long) BATCH * (payload + MAX_FRAME_OVERHEAD);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long commitSynced(Counts counts) {
        int each = BATCH / producers;
        long before = log.statistics().syncs();
        threads.run(producer -> {
            for (int i = 0; i < each; i++) {
                log.append(message, 0, message.length);
                log.commit(Durability.SYNCED);
            }
        });
        counts.commits += BATCH;
        counts.syncs += log.statistics().syncs() - before;
        return log.syncedPosition();
    }

    @Override
    protected void close() {
        log.close();
    }

    @TearDown(Level.Trial)
    public void end() {
        threads.close();
    }
}
