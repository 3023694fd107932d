package io.persist.bench.report;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the report calls the runs. */
final class Labels {

    private Labels() {}

    /** The runs, those that have a name in common with their directories behind it. */
    static List<RunSummary> distinct(List<RunSummary> runs) {
        Map<String, Long> uses = runs.stream().collect(Collectors.groupingBy(RunSummary::label, Collectors.counting()));
        List<Path> directories = runs.stream().map(Labels::directory).toList();
        Path base = directories.stream().reduce(Labels::commonBase).orElseThrow();
        return runs.stream()
                .map(run -> uses.getOrDefault(run.label(), 0L) == 1
                        ? run
                        : run.withLabel(run.label() + " (" + below(base, directory(run)) + ")"))
                .toList();
    }

    private static Path directory(RunSummary run) {
        return Path.of(run.directory()).toAbsolutePath().normalize();
    }

    /** The one that both are below of, or one of them is. */
    private static Path commonBase(Path one, Path other) {
        Path base = one;
        while (!other.startsWith(base) && base.getParent() != null) {
            base = base.getParent();
        }
        return base;
    }

    private static Path below(Path base, Path directory) {
        Path below = base.relativize(directory);
        return below.toString().isEmpty() ? Path.of(".") : below;
    }
}
