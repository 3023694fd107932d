package io.persist.bench;

import io.persist.bench.Program.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Parameters of tests that try the same with each of them: a night takes all, a build some, which are drawn for each.
 * All are taken where a flag is ignored: see {@link ShowsEffectOf}.
 */
final class Drawn {

    /** The name of {@link #kinds}. */
    static final String KINDS = "io.persist.bench.Drawn#kinds";

    private Drawn() {}

    /** One of the benchmarks. */
    static Stream<Kind> kinds() {
        return of(1, Kind.values());
    }

    /** As many of {@code all} as a build takes. */
    @SafeVarargs
    static <T> Stream<T> of(int count, T... all) {
        boolean takesAll = Boolean.getBoolean("persist.nightly") || System.getProperty("ignoredFlag") != null;
        List<T> drawn = new ArrayList<>(Arrays.asList(all));
        Collections.shuffle(drawn);
        return drawn.subList(0, takesAll ? all.length : count).stream();
    }
}
