package io.persist.bench.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a benchmark found out, as {@code run.json} holds it. All maps keep their order.
 *
 * @param format of the file, {@link #FORMAT}
 * @param name what a legend calls it: "message MAPPED SYNCED"
 * @param program its command: "message", "compare-peers"
 * @param command the exact command line, one element per argument
 * @param startedAt when measuring began, as ISO 8601 in UTC
 * @param environment the machine, the JVM, the file system and the device
 * @param parameters what was asked for
 * @param count how many operations were measured
 * @param elapsedNs how long they took together, with whatever they had to wait for in the end
 * @param figures further numbers that belong to the run, by name with the unit: "allocated B/op"
 * @param series the latencies that were measured
 * @param intervals how the run went on, in order of time; empty if nobody watched
 * @param levels what was so at some times, in order of time; null in files that know none
 */
public record RunResult(
        int format,
        String name,
        String program,
        List<String> command,
        String startedAt,
        Map<String, String> environment,
        Map<String, String> parameters,
        long count,
        long elapsedNs,
        Map<String, Double> figures,
        List<Series> series,
        List<Interval> intervals,
        @Nullable List<Level> levels) {

    public static final int FORMAT = 1;

    /** The same with other figures. */
    RunResult withFigures(Map<String, Double> others) {
        return new RunResult(
                format,
                name,
                program,
                command,
                startedAt,
                environment,
                parameters,
                count,
                elapsedNs,
                others,
                series,
                intervals,
                levels);
    }

    public double perSecond() {
        return elapsedNs == 0 ? 0 : count * 1e9 / elapsedNs;
    }

    /**
     * The latencies of one kind.
     *
     * @param name "write", "durable", ...
     * @param file its histogram log, a file name in the directory of the run; values in ns
     */
    public record Series(String name, String file) {

        /** One whose log is called after it. */
        public static Series of(String name) {
            return new Series(name, HistogramLog.fileOf(name));
        }
    }

    /**
     * What happened from the end of the interval before to {@code endNs} after the start.
     *
     * @param count operations that were measured in it
     * @param events how often what happened that explains a latency: "rolls", "syncs", "stalls"; those at 0 may lack
     */
    public record Interval(long endNs, long count, Map<String, Long> events) {}

    /**
     * What was so at {@code atNs} after the start: nothing that can be counted in an interval.
     *
     * @param values by name with the unit: "file GB"; those that are not known may lack
     */
    public record Level(long atNs, Map<String, Double> values) {}
}
