package io.persist.shard.bench.slope;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.shard.bench.place.PlaceFlags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flags of {@link ShardCasCommand}: those of Materialize's benchmark. */
final class SlopeFlags {

    @ParametersDelegate
    final PlaceFlags place = new PlaceFlags("mem");

    private static final int MOST_STATES = 10_000_000;

    @Parameter(
            names = "--sizes",
            order = 10,
            placeholder = "LIST",
            description = "how many states a shard has before it is measured, each a new one")
    private String sizes = "0,500,1000,2500,5000,10000";

    @Parameter(
            names = "--measurements",
            order = 11,
            placeholder = "N",
            description = "appends that are measured at each size")
    int measurements = 200;

    @Parameter(
            names = "--rollup-threshold",
            order = 12,
            placeholder = "N",
            description = "states from one whole state to the next; 0: the default, 128")
    int rollup = 0;

    @Parameter(
            names = "--warmup",
            order = 13,
            placeholder = "N",
            description = "appends to a shard of their own before all, unmeasured")
    int warmup = 2_000;

    @Parameter(
            names = "--out",
            order = 14,
            placeholder = "FILE",
            defaultValueDescription = "none",
            description = "where to leave each measurement as CSV: tag,backend,blob,size,rep,ms")
    @Nullable
    Path out;

    @Parameter(names = "--tag", order = 15, placeholder = "TEXT", description = "the first column of the CSV")
    String tag = "persist";

    /** Throws {@link UsageException} if a value is of no use. */
    void validate() {
        sizes();
        Checks.range("--measurements", measurements, 1, 10_000_000);
        Checks.range("--rollup-threshold", rollup, 0, 100_000);
        Checks.range("--warmup", warmup, 0, 10_000_000);
        if (!tag.matches("[A-Za-z0-9._-]{1,100}")) {
            throw new UsageException("--tag " + tag + " is none; give letters, digits, dots, hyphens and underscores");
        }
        if (out != null) {
            Checks.file("--out", out);
        }
        place.one();
        place.validate();
    }

    List<Integer> sizes() {
        List<Integer> found = new ArrayList<>();
        for (String size : sizes.split(",", -1)) {
            if (!size.strip().matches("[0-9]{1,8}") || Integer.parseInt(size.strip()) > MOST_STATES) {
                throw new UsageException("--sizes " + sizes + " is no list of numbers from 0 to "
                        + Text.grouped(MOST_STATES) + "; give one such as 0,1000,10000");
            }
            found.add(Integer.parseInt(size.strip()));
        }
        return found;
    }

    /** For people and for files. */
    Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("backend", place.text());
        parameters.put("states", sizes);
        parameters.put("measurements", Text.grouped(measurements));
        parameters.put("rollup threshold", Integer.toString(rollup == 0 ? 128 : rollup));
        return parameters;
    }
}
