package io.persist.shard.bench.loop;

import com.sun.net.httpserver.HttpServer;
import io.persist.bench.result.ResultFile;
import io.persist.command.Text;
import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.bench.place.BareDisk;
import io.persist.shard.bench.place.LatencyLogs;
import io.persist.shard.bench.place.Place;
import io.persist.shard.bench.place.ShardCommand.ShardCall;
import io.persist.shard.bench.place.ShardRuns;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One run: from the disk that is measured bare before it to what is said and written behind it. One thread. */
final class LoopRun {

    private final LoopFlags flags;
    private final ShardCall call;
    private final ShardRuns runs;

    /** Null if nobody asks. */
    private final BareDisk.@Nullable Rates bareBefore;

    private LoopRun(LoopFlags flags, ShardCall call, ShardRuns runs) throws IOException, InterruptedException {
        this.flags = flags;
        this.call = call;
        this.runs = runs;
        this.bareBefore = bare();
    }

    /** Says what will be done, and measures the disk bare if that is asked for. */
    static LoopRun begin(LoopFlags flags, ShardCall call, ShardRuns runs) throws IOException, InterruptedException {
        call.out().print(Text.block(flags.parameters()));
        call.out().println(LoopLines.CAVEAT);
        return new LoopRun(flags, call, runs);
    }

    /** What the disk takes bare, in writes as long as the objects; null if nobody asks. */
    private BareDisk.@Nullable Rates bare() throws IOException, InterruptedException {
        if (flags.bareNs() == 0) {
            return null;
        }
        long batchBytes = (long) flags.data().recordBytes() * flags.data().batchRecords();
        int bytes = (int) Math.min(batchBytes, ShardConfig.builder().build().partBytes());
        call.err().println("the disk bare ...");
        return BareDisk.measure(flags.place.dir(), bytes, flags.bareNs(), call.isStopped());
    }

    /** Runs with the shard {@code id} of {@code place}. */
    void at(Place place, String id) throws IOException, InterruptedException {
        Path output = flags.place.output();
        if (output == null) {
            at(place, id, null);
            return;
        }
        try (LatencyLogs logs = runs.logs(place.name(), output)) {
            ShardRuns.Measured measured = at(place, id, logs);
            runs.write(measured, logs, output);
        }
    }

    private ShardRuns.Measured at(Place place, String id, @Nullable LatencyLogs logs)
            throws IOException, InterruptedException {
        try (ShardClient client = place.client()) {
            Shard<byte[], byte[]> shard = client.shard(id, Codec.bytes(), Codec.bytes());
            Schedule schedule = new Schedule(flags.data(), flags.recordNs(), there(shard));
            try (OpenLoop loop =
                    new OpenLoop(place, shard, schedule, flags.writers, flags.readers, flags.shardId == null)) {
                LoopMetrics metrics = new LoopMetrics(loop.writers(), loop.readers(), place.traffic());
                measured(loop, metrics, logs);
                LoopSummary summary = LoopSummary.of(loop, schedule, place.traffic());
                LoopSummary.Bare bare = LoopSummary.Bare.of(bareBefore, bare());
                summary.print(bare, call.out());
                if (flags.data().hasKeysAgain() && loop.isAllRead()) {
                    call.out()
                            .println("The contents in the end: " + Text.grouped(LoopContents.check(shard, flags.data()))
                                    + " keys, each as often as it was written.");
                }
                write(metrics); // when all is said: it may have no space
                return summary.measured(place.name(), flags.parameters(), bare);
            }
        }
    }

    /** How many of the records an earlier run, or another process, has written. */
    private long there(Shard<byte[], byte[]> shard) throws IOException {
        Frontier upper = shard.upper();
        if (upper.isEmpty()) {
            throw new IOException("the shard was ended, and takes no records; take another --shard-id");
        }
        long all = flags.data().records();
        long there = Math.min(all, upper.time());
        if (there == all && flags.writers > 0) {
            throw new IOException("the shard has all of these " + Text.grouped(all) + " records already; take another"
                    + " --shard-id, a longer --runtime, or --num-writers 0 to read them");
        }
        if (there > 0 && flags.writers > 0) {
            call.out()
                    .println("The shard has " + Text.grouped(there) + " of " + Text.grouped(all)
                            + " records already; this run goes on after them.");
        }
        return there;
    }

    private void measured(OpenLoop loop, LoopMetrics metrics, @Nullable LatencyLogs logs)
            throws IOException, InterruptedException {
        HttpServer server = flags.metricsPort() < 0 ? null : metrics.serve(flags.metricsPort());
        try {
            if (server != null) {
                call.err()
                        .println("metrics: http://127.0.0.1:"
                                + server.getAddress().getPort() + "/metrics");
            }
            loop.run(flags.granularityNs(), call.out(), logs, call.isStopped());
        } finally {
            stop(server);
        }
    }

    private void write(LoopMetrics metrics) throws IOException {
        if (flags.metricsFile != null) {
            try (OutputStream file = ResultFile.create(flags.metricsFile)) {
                file.write(metrics.text().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void stop(@Nullable HttpServer server) {
        if (server != null) {
            server.stop(0);
        }
    }
}
