package io.persist.shard.bench.micro;

import io.persist.command.Manual;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.bench.place.PlaceFlags;
import io.persist.shard.bench.place.ShardCommand;
import io.persist.shard.bench.place.ShardRuns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** {@code shard-bench}: what each operation on a shard costs. */
public final class ShardBenchCommand extends ShardCommand {

    /** Its name. */
    public static final String NAME = "shard-bench";

    private static final int DIGITS = 3;
    private final BenchFlags flags = new BenchFlags();

    /** At its defaults. */
    public ShardBenchCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        NAME,
                        "",
                        "Measures shards: writes, writes until a listener was told, snapshots, and the blob, the",
                        "compare-and-set and the encoding below them, in the sizes of Materialize's benchmarks.")
                .note("--only knows " + Benchmark.all() + ".")
                .note("bare-write: bytes of the same records at the same places, without a shard.")
                .note("cas-per-cpu: a version of as many keys as there are CPUs at the same time.")
                .note("cas has versions as long as all records, but at most 64 KiB.")
                .example("memory, and files with a journal on the disk of this directory", "--output results")
                .example("PostgreSQL and S3, by servers that are started for it", "--backend postgres,s3")
                .example("writes of 8 MiB", "--backend file --sizes throughput --only writes,write-to-listen")
                .exits("it failed");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected int work(ShardCall call) throws IOException, InterruptedException {
        flags.validate();
        List<String> names = flags.place.names().stream()
                .flatMap(place -> flags.sets().keySet().stream().map(set -> name(place, set)))
                .toList();
        try (ShardRuns runs = ShardRuns.begin(NAME, call.command(), flags.place, names)) {
            List<Measured> all = new ArrayList<>();
            try {
                measureAll(call, runs, all);
            } finally { // also if a place has failed
                BenchTable.print(all, call.out());
            }
        }
        return OK;
    }

    private void measureAll(ShardCall call, ShardRuns runs, List<Measured> all)
            throws IOException, InterruptedException {
        for (PlaceFlags.Opener opener : flags.place.all()) {
            for (Map.Entry<String, DataSet> set : flags.sets().entrySet()) {
                if (!call.isStopped().getAsBoolean()) {
                    try (Place place = opener.open()) {
                        List<Measured> results = measure(call, place, set.getKey(), set.getValue());
                        all.addAll(results);
                        write(runs, set.getKey(), set.getValue(), results);
                    }
                }
            }
        }
    }

    private List<Measured> measure(ShardCall call, Place place, String set, DataSet data) throws InterruptedException {
        List<Measured> results = new ArrayList<>();
        int number = 0;
        for (Benchmark benchmark : flags.benchmarks()) {
            number++;
            if (call.isStopped().getAsBoolean()) {
                return results;
            }
            call.err()
                    .println("[" + number + "/" + flags.benchmarks().size() + "] " + place.name() + " " + set + " "
                            + benchmark.id() + " ...");
            Measured measured = measure(benchmark, place, set, data, call.isStopped());
            if (measured.count() > 0) {
                results.add(measured);
            }
        }
        return results;
    }

    private Measured measure(Benchmark benchmark, Place place, String set, DataSet data, BooleanSupplier isStopped)
            throws InterruptedException {
        Histogram latencies = new Histogram(DIGITS);
        long countedNs = 0;
        try (Benchmark.Body body = benchmark.open(place, data)) {
            long startNs = System.nanoTime();
            while (seconds(startNs) < flags.warmup && !isStopped.getAsBoolean()) {
                body.run(unused -> {});
            }
            startNs = System.nanoTime();
            while ((latencies.getTotalCount() == 0 || seconds(startNs) < flags.seconds) && !isStopped.getAsBoolean()) {
                countedNs += body.run(latencies::recordValue);
            }
        }
        return new Measured(set, benchmark, place.name(), latencies, countedNs);
    }

    private static String name(String place, String set) {
        return place + " " + set;
    }

    private static double seconds(long startNs) {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private void write(ShardRuns runs, String set, DataSet data, List<Measured> results) throws IOException {
        if (flags.place.output() == null || results.isEmpty()) {
            return;
        }
        Map<String, Histogram> latencies = new LinkedHashMap<>();
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Measured each : results) {
            latencies.put(each.benchmark().id(), ShardRuns.during(each.latencies(), each.countedNs()));
            figures.put(each.benchmark().id() + " mean µs", each.meanNs() / 1e3);
        }
        Measured first = results.get(0);
        boolean isOne = results.size() == 1;
        String backend = first.backend();
        runs.write(
                new ShardRuns.Measured(
                        name(backend, set),
                        flags.parameters(set, data, backend),
                        results.stream().mapToLong(Measured::count).sum(),
                        isOne ? first.countedNs() : 0, // one rate of all would say nothing
                        figures,
                        List.of(),
                        List.of()),
                latencies,
                flags.place.output());
    }
}
