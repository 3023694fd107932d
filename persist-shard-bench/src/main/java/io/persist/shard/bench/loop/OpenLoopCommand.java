package io.persist.shard.bench.loop;

import com.sun.net.httpserver.HttpServer;
import io.persist.bench.Machine;
import io.persist.bench.result.ResultFile;
import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.bench.place.BareDisk;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.bench.place.RunFiles;
import io.persist.shard.bench.place.ShardCommand;
import io.persist.shard.model.Codec;
import io.persist.shard.model.ShardConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** {@code shard}: writers and readers of one shard at a rate, as Materialize's open loop has them. */
public final class OpenLoopCommand extends ShardCommand {

    /** Its name. */
    public static final String NAME = "shard";

    /** What a byte of a record takes on the disk, with what is merged meanwhile. */
    private static final double SPACE_FACTOR = 2;

    /** The same of a record that is kept, if keys come again. */
    private static final double KEPT_FACTOR = 8;

    /** What is being merged, or waits for it, and the journal, bytes. */
    private static final double SPACE_OF_MERGES = 2e9;

    private final LoopFlags flags = new LoopFlags();

    /** At its defaults. */
    public OpenLoopCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        NAME,
                        "",
                        "Writes records into a shard at a rate that does not wait for it, and reads them back.",
                        "It prints what each writer and reader does, as Materialize's open loop.")
                .note("Flags may have underscores in place of dashes.")
                .note(LoopLines.CAVEAT)
                .example(
                        "64 MiB/s for ten minutes, on files and a journal",
                        "--backend file --runtime 10m --records-per-second 65536 --record-size-bytes 1024"
                                + " --batch-size 8192")
                .note("With --distinct-keys the space has a bound. Give the JVM one, too: PERSIST_JAVA_OPTS=-Xmx256m.")
                .example(
                        "the same in bounded space, beside what the disk takes bare",
                        "--backend file --runtime 10m --records-per-second 65536 --record-size-bytes 1024"
                                + " --batch-size 8192 --distinct-keys 65536 --bare 10s")
                .example(
                        "one of several processes; each writes the same",
                        "--blob-uri URI --consensus-uri URI --shard-id s1 --num-readers 0")
                .exits("it failed, or a reader was not given what was written");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected int work(Call call) throws IOException, InterruptedException {
        flags.validate();
        checkSpace(flags.data());
        RunFiles files = RunFiles.of(NAME, call.command(), flags.dir());
        String id = flags.shardId == null ? ShardClient.newId() : flags.shardId;
        call.out().print(Text.block(flags.parameters()));
        call.out().println(LoopLines.CAVEAT);
        double bareBefore = bare(call);
        try (Place place = flags.place().open()) {
            if (flags.shardId != null || flags.isOwnPlace()) {
                run(call, place, id, files, bareBefore);
            } else {
                runAndBury(call, place, id, files, bareBefore);
            }
        }
        return OK;
    }

    /** MiB/s that the disk takes bare, in writes as long as the objects; 0 if nobody asks. */
    private double bare(Call call) throws IOException {
        if (flags.bareNs() == 0) {
            return 0;
        }
        long batchBytes = (long) flags.data().recordBytes() * flags.data().batchRecords();
        int bytes = (int) Math.min(batchBytes, ShardConfig.builder().build().partBytes());
        call.err().println("the disk bare ...");
        return BareDisk.bytesPerSecond(flags.dir(), bytes, flags.bareNs(), call.isStopped()) / (1 << 20);
    }

    /** Whatever happens, also if nobody reads the output any more. */
    @SuppressWarnings("try") // the grave is closed, and nothing else
    private void runAndBury(Call call, Place place, String id, RunFiles files, double bareBefore)
            throws IOException, InterruptedException {
        try (Place.Grave grave = place.grave(id)) {
            run(call, place, id, files, bareBefore);
        }
    }

    private void run(Call call, Place place, String id, RunFiles files, double bareBefore)
            throws IOException, InterruptedException {
        Schedule schedule = new Schedule(flags.data(), flags.batchNs());
        try (ShardClient client = place.client()) {
            Shard<byte[], byte[]> shard = client.shard(id, Codec.bytes(), Codec.bytes());
            try (OpenLoop loop =
                    new OpenLoop(place, shard, schedule, flags.writers, flags.readers, flags.shardId == null)) {
                run(call, loop, schedule, place, files, bareBefore);
                boolean isBounded =
                        schedule.data().distinctKeys() < schedule.data().records();
                if (isBounded && loop.isAllRead()) {
                    call.out()
                            .println("The contents in the end: " + Text.grouped(LoopContents.check(shard, flags.data()))
                                    + " keys, each as often as it was written.");
                }
            }
        }
    }

    private void checkSpace(DataSet data) throws IOException {
        long kept = data.distinctKeys() * data.recordBytes();
        long needed = (long) Math.min(SPACE_FACTOR * data.bytes(), KEPT_FACTOR * kept + SPACE_OF_MERGES);
        long usable = Machine.usableBytes(flags.dir());
        if (flags.placeText().equals("file") && usable < needed) {
            throw new IOException("about " + Text.bytes(needed) + " are needed, but only " + Text.bytes(usable)
                    + " are free in " + flags.dir() + "; give a shorter --runtime, or another --dir");
        }
    }

    private void run(Call call, OpenLoop loop, Schedule schedule, Place place, RunFiles files, double bareBefore)
            throws IOException, InterruptedException {
        LoopMetrics metrics = new LoopMetrics(loop.writers(), loop.readers(), place.traffic());
        HttpServer server = flags.metricsPort() < 0 ? null : metrics.serve(flags.metricsPort());
        try {
            if (server != null) {
                call.err()
                        .println("metrics: http://127.0.0.1:"
                                + server.getAddress().getPort() + "/metrics");
            }
            loop.run(flags.granularityNs(), call.out(), call.isStopped());
        } finally {
            stop(server);
        }
        if (flags.metricsFile != null) {
            try (OutputStream file = ResultFile.create(flags.metricsFile)) {
                file.write(metrics.text().getBytes(StandardCharsets.UTF_8));
            }
        }
        summarize(call, loop, schedule, place, files, bareBefore);
    }

    private static void stop(@Nullable HttpServer server) {
        if (server != null) {
            server.stop(0);
        }
    }

    private void summarize(Call call, OpenLoop loop, Schedule schedule, Place place, RunFiles files, double bareBefore)
            throws IOException {
        long elapsedNs = schedule.elapsedNs();
        long records =
                loop.writers().stream().mapToLong(LoopWriter::records).max().orElse(0);
        long bytes = records * schedule.data().recordBytes();
        double rate = bytes * 1e9 / elapsedNs / (1 << 20);
        double asked = schedule.data().batchRecords()
                * 1e9
                / flags.batchNs()
                * schedule.data().recordBytes()
                / (1 << 20);
        long maxLag =
                loop.readers().stream().mapToLong(LoopReader::maxLag).max().orElse(0);
        Map<String, Histogram> latencies = loop.latencies();
        call.out().println();
        LoopLines.table(latencies).forEach(call.out()::println);
        call.out().println();
        call.out()
                .println(String.format(
                        Locale.ROOT,
                        "%,d of %,d records in %.1f s: %.2f MiB/s of %.2f that were asked for. Largest lag of a reader:"
                                + " %,d records, %.2f s.",
                        records,
                        schedule.data().records(),
                        elapsedNs / 1e9,
                        rate,
                        asked,
                        maxLag,
                        schedule.seconds(maxLag)));
        loop.bounds().table().forEach(call.out()::println);
        double written = place.traffic().writtenBytes() * 1e9 / elapsedNs / (1 << 20);
        double bareBehind = bare(call);
        if (bareBehind > 0) {
            call.out().println(LoopLines.bare(bareBefore, bareBehind, rate, written));
        }
        call.out().println(LoopLines.amplification(place.traffic(), bytes));
        if (flags.output() != null) {
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("MiB/s", rate);
            figures.put("asked for MiB/s", asked);
            figures.put("largest lag records", (double) maxLag);
            if (bareBehind > 0) {
                figures.put("disk bare MiB/s", (bareBefore + bareBehind) / 2);
                figures.put("written MiB/s", written);
            }
            figures.put("written for each byte", LoopLines.amplificationOf(place.traffic(), bytes));
            files.write(
                    new RunFiles.Measured(
                            place.name(),
                            flags.parameters(),
                            records,
                            elapsedNs,
                            figures,
                            loop.history(),
                            loop.intervals(),
                            List.copyOf(loop.levels())),
                    flags.output());
        }
    }
}
