package io.persist.bench;

import io.persist.bench.Program.Kind;
import java.util.ArrayList;
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
        return some(1, List.of(Kind.values()));
    }

    /** As many of {@code all} as a build takes. */
    static Stream<String> of(int count, String... all) {
        return some(count, List.of(all));
    }

    private static <T> Stream<T> some(int count, List<T> all) {
        boolean takesAll = Boolean.getBoolean("persist.nightly") || System.getProperty("ignoredFlag") != null;
        List<T> drawn = new ArrayList<>(all);
        Collections.shuffle(drawn);
        return drawn.subList(0, takesAll ? all.size() : count).stream();
    }
}
