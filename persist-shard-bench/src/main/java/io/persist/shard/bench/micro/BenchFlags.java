package io.persist.shard.bench.micro;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.PlaceFlags;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flags of {@link ShardBenchCommand}. */
final class BenchFlags {

    @ParametersDelegate
    final PlaceFlags place = new PlaceFlags("mem,file");

    static final String SMALL = "small";
    private static final Map<String, DataSet> SETS = new LinkedHashMap<>();

    static {
        SETS.put(SMALL, new DataSet(64, 1024, 8));
        SETS.put("throughput", new DataSet(819_200, 64, 131_072));
    }

    @Parameter(
            names = "--sizes",
            order = 10,
            placeholder = "LIST",
            description =
                    "small: 64 records of 1 KiB, batches of 8; throughput: 819,200 of 64 bytes, of 131,072; or both")
    private String sizes = SMALL;

    @Parameter(
            names = "--only",
            order = 11,
            placeholder = "LIST",
            defaultValueDescription = "all",
            description = "which benchmarks, parted by commas, in this order")
    private @Nullable String only;

    @Parameter(
            names = "--seconds",
            order = 12,
            placeholder = "S",
            description = "how long each is measured at least; 0: it runs once")
    double seconds = 3;

    @Parameter(
            names = "--warmup",
            order = 13,
            placeholder = "S",
            description = "how long each runs before, unmeasured; 0: not at all")
    double warmup = 2;

    /** Throws {@link UsageException} if a value is of no use. */
    void validate() {
        sets();
        benchmarks();
        Checks.range("--seconds", seconds, 0, 86_400);
        Checks.range("--warmup", warmup, 0, 86_400);
        place.validate();
    }

    Map<String, DataSet> sets() {
        Map<String, DataSet> found = new LinkedHashMap<>();
        for (String name : sizes.split(",", -1)) {
            DataSet set = SETS.get(name.strip());
            if (set == null) {
                throw new UsageException(
                        "--sizes " + name + " is none of " + String.join(", ", SETS.keySet()) + "; choose some");
            }
            found.put(name.strip(), set);
        }
        return found;
    }

    List<Benchmark> benchmarks() {
        return only == null ? List.of(Benchmark.values()) : Benchmark.list(only);
    }

    /** For people and for files. */
    Map<String, String> parameters(String set, DataSet data, String backend) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("backend", place.isOwn() ? backend : place.text());
        parameters.put(
                "sizes",
                set + ": " + Text.grouped(data.records()) + " records of " + data.recordBytes() + " bytes, batches of "
                        + Text.grouped(data.batchRecords()));
        parameters.put("seconds", Text.decimal(seconds));
        parameters.put("warm-up seconds", Text.decimal(warmup));
        return parameters;
    }
}
