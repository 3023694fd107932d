package io.persist.peers.state.growth;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.persist.bench.host.SpaceWatch;
import io.persist.peers.state.workflow.WorkflowRun;
import io.persist.peers.state.workflow.WorkflowSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one engine did, as its process tells. Times of a moment are ns since the first round began.
 *
 * @param library the engine's, with its version
 * @param taskRuns in all rounds
 * @param elapsedNs of all rounds together
 * @param rounds one after the other
 * @param windows by the machine's clock
 * @param seconds of all rounds
 * @param scans that deleted timers
 * @param space how long the files were
 * @param end of the rounds
 * @param restored null if that was not wanted
 */
record GrowthResult(
        String library,
        long taskRuns,
        long elapsedNs,
        List<Round> rounds,
        List<MetricsWindow> windows,
        List<GrowthWatch.Second> seconds,
        List<GrowthWatch.TimerScan> scans,
        List<SpaceWatch.Sample> space,
        End end,
        Restored restored) {

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

    /** A round; percentiles and maxima are of its commands. */
    record Round(
            int number,
            long taskRuns,
            long elapsedNs,
            double p50Us,
            double p99Us,
            double p999Us,
            double longestMs,
            long timersDeleted,
            double timersS,
            long liveBytes,
            long fileBytes) {

        static Round of(
                int number, WorkflowRun run, WorkflowSize size, long elapsedNs, long liveBytes, long fileBytes) {
            Histogram command = run.times().command;
            return new Round(
                    number,
                    size.taskRuns(),
                    elapsedNs,
                    command.getValueAtPercentile(50) / 1e3,
                    command.getValueAtPercentile(99) / 1e3,
                    command.getValueAtPercentile(99.9) / 1e3,
                    command.getMaxValue() / 1e6,
                    run.deletedTimers(),
                    run.times().timerSeconds(),
                    liveBytes,
                    fileBytes);
        }

        double perSecond() {
            return elapsedNs == 0 ? 0 : taskRuns * 1e9 / elapsedNs;
        }

        double spaceRatio() {
            return (double) fileBytes / liveBytes;
        }
    }

    /**
     * What was found after the rounds.
     *
     * @param idleS until nothing was left to do in the background
     * @param idleFileBytes how long the files were then
     * @param closeS what closing took
     * @param putBytes keys and values of all puts
     * @param deviceBytes what the device wrote, whoever had it do that, until all was synced; negative if not known
     * @param openMs what opening the engine anew took
     * @param verifyS what reading everything took
     * @param entries what was read
     * @param checksum over all of it
     */
    record End(
            double idleS,
            long idleFileBytes,
            double closeS,
            long putBytes,
            long deviceBytes,
            double openMs,
            double verifyS,
            long entries,
            long liveBytes,
            String checksum) {}

    /** An empty engine that got all entries, in the order of their last change; ms since 1970. */
    record Restored(long startedMs, long finishedMs, double seconds, long entries, String checksum) {

        double perSecond() {
            return seconds == 0 ? 0 : entries / seconds;
        }
    }

    /** Task runs. */
    double perSecond() {
        return elapsedNs == 0 ? 0 : taskRuns * 1e9 / elapsedNs;
    }

    /** Of all commands the longest wait. */
    double longestMs() {
        return rounds.stream().mapToDouble(Round::longestMs).max().orElse(0);
    }

    double longestScanMs() {
        return scans.stream().mapToLong(GrowthWatch.TimerScan::tookNs).max().orElse(0) / 1e6;
    }

    void save(Path file) throws IOException {
        Files.writeString(file, GSON.toJson(this));
    }

    static GrowthResult load(Path file) throws IOException {
        return GSON.fromJson(Files.readString(file), GrowthResult.class);
    }
}
