package io.persist.bench.cache;

import com.beust.jcommander.Parameter;
import io.persist.bench.flags.Checks;
import org.jspecify.annotations.Nullable;

/** The flags of {@link CacheCommand} that say what has its turn, how often, how long, and what comes before. */
final class CacheTurns {

    private static final double MATRIX_SECONDS = 5;
    private static final int MATRIX_ROUNDS = 3;

    @Parameter(
            names = "--seconds",
            order = 17,
            placeholder = "SECONDS",
            defaultValueDescription = "5 with --all, else 0",
            description = "how long a run goes on at least, beyond --requests; an insert ends with its --requests")
    private @Nullable Double seconds;

    @Parameter(
            names = "--rounds",
            order = 18,
            placeholder = "N",
            defaultValueDescription = "3 with --all, else 1",
            description =
                    "how often each run has its turn; the modes of a test take turns, and the tables have medians")
    private @Nullable Integer rounds;

    @Parameter(
            names = "--warmup",
            order = 19,
            placeholder = "N",
            description = "requests of a test in each mode, on a small engine of its own, before the test is measured")
    long warmup = 200_000;

    @Parameter(
            names = "--all",
            arity = 1,
            order = 20,
            description = "ARCUS's matrix: insert, retrieve, 1:9, 3:7, 5:5, each in the modes off, async, sync; some"
                    + " seven minutes")
    boolean all = false;

    void validate() {
        Checks.range("--seconds", seconds(), 0, 86_400);
        Checks.range("--rounds", rounds(), 1, 1000);
        Checks.range("--warmup", warmup, 0, 1e9);
    }

    int rounds() {
        return rounds != null ? rounds : all ? MATRIX_ROUNDS : 1;
    }

    double seconds() {
        return seconds != null ? seconds : all ? MATRIX_SECONDS : 0;
    }

    /** How long a run of this test goes on at least: an insert that did so would replace what it has put. */
    long leastNs(CacheTest test) {
        return test.isInsert() ? 0 : (long) (seconds() * 1e9);
    }
}
