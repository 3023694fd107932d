package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import io.persist.command.Checks;
import org.jspecify.annotations.Nullable;

/** The flags of the program cache that say what of its matrix is run, how often, how long, and what comes before. */
public final class MatrixParameters {

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
    private long warmup = 200_000;

    @Parameter(
            names = "--all",
            arity = 1,
            order = 20,
            description = "ARCUS's matrix: insert, retrieve, 1:9, 3:7, 5:5, each in the modes off, async, sync; some"
                    + " seven minutes")
    private boolean all = false;

    public void validate() {
        Checks.range("--seconds", seconds(), 0, 86_400);
        Checks.range("--rounds", rounds(), 1, 1000);
        Checks.range("--warmup", warmup, 0, 1e9);
    }

    /** Whether all of it is run, and not one test in one mode. */
    public boolean isWhole() {
        return all;
    }

    public int rounds() {
        return rounds != null ? rounds : all ? MATRIX_ROUNDS : 1;
    }

    /** How long a run goes on at least. */
    public double seconds() {
        return seconds != null ? seconds : all ? MATRIX_SECONDS : 0;
    }

    /** Requests before that, of each test in each mode. */
    public long warmup() {
        return warmup;
    }
}
