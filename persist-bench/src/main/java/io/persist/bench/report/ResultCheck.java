package io.persist.bench.report;

import io.persist.bench.result.RunResult;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether a file that parses is a result: JSON may leave anything out, and say anything. */
final class ResultCheck {

    private ResultCheck() {}

    /** The parts that are not there, or make no sense; empty if all do. */
    static List<String> lacking(RunResult result) {
        List<String> lacking = new ArrayList<>();
        require("name", result.name() != null && !result.name().isBlank(), lacking);
        require("program", result.program() != null, lacking);
        require("command", isWhole(result.command()), lacking);
        require("startedAt", result.startedAt() != null, lacking);
        require("environment", isWhole(result.environment()), lacking);
        require("parameters", isWhole(result.parameters()), lacking);
        require("a count", result.count() >= 0, lacking);
        require("a time", result.elapsedNs() >= 0, lacking);
        require("figures", isWhole(result.figures()) && areFinite(result.figures()), lacking);
        require("series of names and of files beside it", isWhole(result.series()) && areSeries(result), lacking);
        require("intervals of times, counts and events", isWhole(result.intervals()) && areIntervals(result), lacking);
        require("levels of times and numbers", result.levels() == null || areLevels(result.levels()), lacking);
        return lacking;
    }

    private static boolean areLevels(List<RunResult.Level> levels) {
        long before = 0;
        for (RunResult.Level each : levels) {
            if (each == null || each.atNs() < before || !isWhole(each.values()) || !areFinite(each.values())) {
                return false;
            }
            before = each.atNs();
        }
        return true;
    }

    private static void require(String part, boolean isThere, List<String> lacking) {
        if (!isThere) {
            lacking.add(part);
        }
    }

    private static boolean isWhole(@Nullable List<?> list) {
        return list != null && list.stream().noneMatch(each -> each == null);
    }

    private static boolean isWhole(@Nullable Map<String, ?> map) {
        return map != null && map.values().stream().noneMatch(each -> each == null);
    }

    private static boolean areFinite(Map<String, Double> figures) {
        return figures.values().stream().allMatch(Double::isFinite);
    }

    private static boolean areSeries(RunResult result) {
        return result.series().stream().allMatch(each -> each.name() != null && isFileName(each.file()));
    }

    /** Nothing but a name leads nowhere else. */
    private static boolean isFileName(@Nullable String file) {
        if (file == null || file.isEmpty() || file.equals("..") || file.equals(".")) {
            return false;
        }
        try {
            Path path = Path.of(file);
            return !path.isAbsolute() && path.getNameCount() == 1;
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean areIntervals(RunResult result) {
        long before = 0;
        for (RunResult.Interval each : result.intervals()) {
            if (each.endNs() < before || each.count() < 0 || !isWhole(each.events())) {
                return false;
            }
            before = each.endNs();
        }
        return true;
    }
}
