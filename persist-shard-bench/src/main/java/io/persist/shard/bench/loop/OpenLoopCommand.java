package io.persist.shard.bench.loop;

import com.sun.net.httpserver.HttpServer;
import io.persist.bench.Machine;
import io.persist.bench.result.ResultFile;
import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.shard.ShardClient;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.bench.place.RunFiles;
import io.persist.shard.bench.place.ShardCommand;
import io.persist.shard.model.Codec;
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
                .example(
                        "one of several processes; each writes the same",
                        "--blob-uri URI --consensus-uri URI --shard-id s1 --num-readers 0")
                .exits("it failed, or a reader was not given what was written");
    }

    @Override
    public CommandLine commandLine() {
        return CommandLine.of(flags);
    }

    @Override
    protected boolean isHelp() {
        return flags.isHelp();
    }

    @Override
    protected int work(Call call) throws IOException, InterruptedException {
        flags.validate();
        checkSpace(flags.data());
        RunFiles files = RunFiles.of(NAME, call.command(), flags.dir());
        String id = flags.shardId == null ? ShardClient.newId() : flags.shardId;
        call.out().print(Text.block(flags.parameters()));
        call.out().println(LoopLines.CAVEAT);
        try (Place place = flags.place().open()) {
            if (flags.shardId != null || flags.isOwnPlace()) {
                run(call, place, id, files);
            } else {
                runAndBury(call, place, id, files);
            }
        }
        return OK;
    }

    /** Whatever happens, also if nobody reads the output any more. */
    @SuppressWarnings("try") // the grave is closed, and nothing else
    private void runAndBury(Call call, Place place, String id, RunFiles files)
            throws IOException, InterruptedException {
        try (Place.Grave grave = place.grave(id)) {
            run(call, place, id, files);
        }
    }

    private void run(Call call, Place place, String id, RunFiles files) throws IOException, InterruptedException {
        Schedule schedule = new Schedule(flags.data(), flags.batchNs());
        try (ShardClient client = place.client();
                OpenLoop loop = new OpenLoop(
                        client.shard(id, Codec.bytes(), Codec.bytes()),
                        schedule,
                        flags.writers,
                        flags.readers,
                        flags.shardId == null)) {
            run(call, loop, schedule, place, files);
        }
    }

    private void checkSpace(DataSet data) throws IOException {
        long needed = (long) (SPACE_FACTOR * data.bytes());
        long usable = Machine.usableBytes(flags.dir());
        if (flags.placeText().equals("file") && usable < needed) {
            throw new IOException("about " + Text.bytes(needed) + " are needed, but only " + Text.bytes(usable)
                    + " are free in " + flags.dir() + "; give a shorter --runtime, or another --dir");
        }
    }

    private void run(Call call, OpenLoop loop, Schedule schedule, Place place, RunFiles files)
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
        summarize(call, loop, schedule, place, files);
    }

    private static void stop(@Nullable HttpServer server) {
        if (server != null) {
            server.stop(0);
        }
    }

    private void summarize(Call call, OpenLoop loop, Schedule schedule, Place place, RunFiles files)
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
                                + " %,d records.",
                        records,
                        schedule.data().records(),
                        elapsedNs / 1e9,
                        rate,
                        asked,
                        maxLag));
        call.out().println(LoopLines.amplification(place.traffic(), bytes));
        if (flags.output() != null) {
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("MiB/s", rate);
            figures.put("asked for MiB/s", asked);
            figures.put("largest lag records", (double) maxLag);
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
