package io.persist.shard.bench.micro;

import io.persist.command.UsageException;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What is measured, each as Materialize's own benchmarks do. */
enum Benchmark {
    WRITES,
    BARE_WRITE,
    WRITE_TO_LISTEN,
    SNAPSHOT,
    BLOB_GET,
    BLOB_SET,
    CAS,
    CAS_PER_CPU,
    ENCODE;

    private static final Map<String, String> SOURCE_WRITES =
            Map.of("mem", "< 1 ms", "file", "5.5 ms with PostgreSQL", "postgres", "5.5 ms", "s3", "45 ms");
    private static final Map<String, String> SOURCE_HEARD =
            Map.of("mem", "5.1 ms", "file", "6.4 ms with PostgreSQL", "postgres", "6.4 ms", "s3", "79 ms");

    /** Where latencies go, in ns. */
    interface Sink {
        void took(long ns);
    }

    /** One that is ready to run. */
    interface Body extends AutoCloseable {

        /**
         * Runs it once.
         *
         * @return ns of what counts for the mean
         */
        long run(Sink sink) throws InterruptedException;

        @Override
        void close();
    }

    /** Makes it ready. */
    Body open(Place place, DataSet data) throws InterruptedException {
        return switch (this) {
            case WRITES -> Appends.writes(place, data);
            case BARE_WRITE -> CompareAndSets.bareWrite(place, data);
            case WRITE_TO_LISTEN -> Appends.heard(place, data);
            case SNAPSHOT -> new Snapshots(place, data);
            case BLOB_GET -> Blobs.gets(place, data);
            case BLOB_SET -> Blobs.sets(place, data);
            case CAS -> CompareAndSets.one(place, data);
            case CAS_PER_CPU -> CompareAndSets.perCpu(place, data);
            case ENCODE -> new Encoding(place, data);
        };
    }

    /** How it is typed. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What Materialize has published for the small sizes on a backend, or nothing. */
    String source(String backend) {
        return switch (this) {
            case WRITES -> SOURCE_WRITES.getOrDefault(backend, "");
            case WRITE_TO_LISTEN -> SOURCE_HEARD.getOrDefault(backend, "");
            default -> "";
        };
    }

    /** Those of a list, each once. */
    static List<Benchmark> list(String text) {
        List<Benchmark> found = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            Benchmark each = Arrays.stream(values())
                    .filter(benchmark -> benchmark.id().equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new UsageException("--only " + name + " is none of " + all() + "; choose some"));
            if (!found.contains(each)) {
                found.add(each);
            }
        }
        return found;
    }

    static String all() {
        return Arrays.stream(values()).map(Benchmark::id).collect(Collectors.joining(","));
    }
}
