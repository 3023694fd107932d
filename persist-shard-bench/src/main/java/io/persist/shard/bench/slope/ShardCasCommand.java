package io.persist.shard.bench.slope;

import io.persist.bench.result.ResultFile;
import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardWriter;
import io.persist.shard.bench.place.Place;
import io.persist.shard.bench.place.ShardCommand;
import io.persist.shard.bench.place.ShardRuns;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.Codec;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** {@code shard-cas}: whether an append costs more after more states. */
public final class ShardCasCommand extends ShardCommand {

    /** Its name. */
    public static final String NAME = "shard-cas";

    private static final byte[] ROW = {'k'};
    private final SlopeFlags flags = new SlopeFlags();

    /** At its defaults. */
    public ShardCasCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        NAME,
                        "",
                        "Measures a compare-and-append of one short row after more and more states of the shard.",
                        "It should cost the same: a version has what has changed, and the whole state is written now",
                        "and then.")
                .note("open: a new client reads the state; that is one measurement.")
                .example("memory", "--out slope.csv")
                .example("files and a journal", "--backend file --sizes 0,10000 --measurements 1000")
                .exits("it failed");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected int work(ShardCall call) throws IOException, InterruptedException {
        flags.validate();
        try (ShardRuns runs = ShardRuns.begin(NAME, call.command(), flags.place, flags.place.names())) {
            return measure(call, runs);
        }
    }

    private int measure(ShardCall call, ShardRuns runs) throws IOException, InterruptedException {
        List<Rung> rungs = new ArrayList<>();
        String backend;
        try (Place place = flags.place.one().open()) {
            backend = place.name();
            if (flags.warmup > 0) {
                rung(place, 0, flags.warmup, call.isStopped());
            }
            for (int states : flags.sizes()) {
                if (!call.isStopped().getAsBoolean()) {
                    call.err().println(backend + ": " + Text.grouped(states) + " states ...");
                    Rung rung = rung(place, states, flags.measurements, call.isStopped());
                    if (rung.appendNs().length == flags.measurements) {
                        rungs.add(rung);
                    }
                }
            }
        }
        Rung.print(rungs, call.out());
        Path csv = flags.out;
        if (csv != null) {
            writeCsv(csv, backend, rungs);
        }
        Path output = flags.place.output();
        if (output != null && !rungs.isEmpty()) {
            writeRun(runs, output, backend, rungs);
        }
        return OK;
    }

    private Rung rung(Place place, int states, int measurements, BooleanSupplier isStopped) {
        ShardConfig config = ShardConfig.builder()
                .rollupEvery(flags.rollup == 0 ? ShardConfig.builder().build().rollupEvery() : flags.rollup)
                .build();
        String id = ShardClient.newId();
        List<Long> taken = new ArrayList<>();
        long openNs;
        try (ShardClient client = place.client(config)) {
            try (ShardWriter<byte[], byte[]> writer =
                    client.shard(id, Codec.bytes(), Codec.bytes()).writer()) {
                for (long time = 0; time < states + (long) measurements && !isStopped.getAsBoolean(); time++) {
                    long tookNs = append(writer, time);
                    if (time >= states) {
                        taken.add(tookNs);
                    }
                }
            }
            try (ShardClient other = place.client(config)) {
                long startNs = System.nanoTime();
                Shard<byte[], byte[]> again = other.shard(id, Codec.bytes(), Codec.bytes());
                openNs = System.nanoTime() - startNs;
                if (!again.id().equals(id)) {
                    throw new IllegalStateException("another shard was opened");
                }
            }
        }
        place.bury(id);
        return new Rung(states, taken.stream().mapToLong(Long::longValue).toArray(), openNs);
    }

    private static long append(ShardWriter<byte[], byte[]> writer, long time) {
        List<Update<byte[], byte[]>> row = List.of(new Update<>(ROW, ROW, time, 1));
        long startNs = System.nanoTime();
        AppendResult result = writer.compareAndAppend(row, time, time + 1);
        long tookNs = System.nanoTime() - startNs;
        if (!result.isAppended()) {
            throw new IllegalStateException("somebody else writes this shard: upper=" + result.upper());
        }
        return tookNs;
    }

    private void writeCsv(Path csv, String backend, List<Rung> rungs) throws IOException {
        try (OutputStream file = ResultFile.create(csv);
                PrintStream lines = new PrintStream(file, false, StandardCharsets.UTF_8)) {
            lines.print("tag,backend,blob,size,rep,ms\n");
            for (Rung rung : rungs) {
                for (int i = 0; i < rung.appendNs().length; i++) {
                    lines.print(String.format(
                                    Locale.ROOT,
                                    "%s,%s,%s,%d,%d,%.6f",
                                    flags.tag,
                                    backend,
                                    backend,
                                    rung.states(),
                                    i,
                                    rung.appendNs()[i] / 1e6)
                            + "\n");
                }
            }
            if (lines.checkError()) {
                throw new IOException(csv + " cannot be written; look at the space of its disk");
            }
        }
    }

    private void writeRun(ShardRuns runs, Path output, String backend, List<Rung> rungs) throws IOException {
        Map<String, Histogram> latencies = new LinkedHashMap<>();
        Map<String, Double> figures = new LinkedHashMap<>();
        long count = 0;
        double elapsedNs = 0;
        for (Rung rung : rungs) {
            double tookNs = rung.meanNs() * rung.appendNs().length;
            latencies.put(rung.states() + " states", ShardRuns.during(rung.histogram(), Math.round(tookNs)));
            figures.put("open after " + rung.states() + " states µs", rung.openNs() / 1e3);
            count += rung.appendNs().length;
            elapsedNs += tookNs;
        }
        runs.write(
                new ShardRuns.Measured(
                        backend, flags.parameters(), count, Math.round(elapsedNs), figures, List.of(), List.of()),
                latencies,
                output);
    }
}
