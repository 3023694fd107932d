package io.persist.bench.report;

import java.util.List;
import java.util.Map;

/**
 * A run as the report shows it; the page's data has it under these names.
 *
 * @param label its name, with the directory if there are several of that name
 * @param directory where it was found, as that was given
 * @param program the command that made it; empty if that is not known, as all of these: there may be latencies only
 * @param command the command line, as it can be typed into a shell
 * @param startedAt ISO 8601 in UTC
 * @param count how many operations were measured; 0 if that is not known, and so the rate
 * @param elapsedNs how long they took together
 * @param environment of the run, and so the parameters and the figures
 * @param eventNames what is counted in the slices
 * @param slices how the run went on: the start and the end, ns since the run's start, the number of operations, and
 *     each event's
 * @param levels what was so at some times, by name: the time, ns since the run's start, and the value
 */
record RunSummary(
        String label,
        String directory,
        String program,
        String command,
        String startedAt,
        long count,
        long elapsedNs,
        double perSecond,
        Map<String, String> environment,
        Map<String, String> parameters,
        Map<String, Double> figures,
        List<String> eventNames,
        List<List<Long>> slices,
        List<SeriesSummary> series,
        Map<String, List<List<Double>>> levels) {

    RunSummary withLabel(String other) {
        return new RunSummary(
                other,
                directory,
                program,
                command,
                startedAt,
                count,
                elapsedNs,
                perSecond,
                environment,
                parameters,
                figures,
                eventNames,
                slices,
                series,
                levels);
    }
}
