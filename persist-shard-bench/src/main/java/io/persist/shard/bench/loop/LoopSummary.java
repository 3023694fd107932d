package io.persist.shard.bench.loop;

import io.persist.shard.bench.place.BareDisk;
import io.persist.shard.bench.place.ShardRuns;
import io.persist.shard.bench.place.Traffic;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run came to.
 *
 * @param loop all is written and read
 * @param schedule of the run
 * @param traffic of the run
 * @param runNs how long all of it took
 * @param elapsedNs until the last record was in the shard, or was read by all if nobody writes; without what is behind
 *     that: readers that read on, merges, and the end of threads
 * @param rate of the records, MiB/s
 * @param written into blob and consensus, MiB/s
 */
record LoopSummary(
        OpenLoop loop, Schedule schedule, Traffic traffic, long runNs, long elapsedNs, double rate, double written) {

    private static final double MIB = 1 << 20;
    private static final double GIB = 1 << 30;

    /**
     * What the disk takes without a shard, MiB/s; zeros if nobody asks.
     *
     * @param before the run
     * @param behind the run
     * @param mean of both
     */
    record Bare(BareDisk.Rates before, BareDisk.Rates behind, BareDisk.Rates mean) {

        static Bare of(BareDisk.@Nullable Rates before, BareDisk.@Nullable Rates behind) {
            BareDisk.Rates unknown = new BareDisk.Rates(0, 0);
            return before == null || behind == null
                    ? new Bare(unknown, unknown, unknown)
                    : new Bare(before, behind, before.mean(behind));
        }

        boolean isKnown() {
            return mean.file() > 0;
        }
    }

    /** Of a run that has just ended. */
    static LoopSummary of(OpenLoop loop, Schedule schedule, Traffic traffic) {
        long elapsedNs = Math.max(1, elapsedNs(loop, schedule));
        return new LoopSummary(
                loop,
                schedule,
                traffic,
                schedule.elapsedNs(),
                elapsedNs,
                loop.done() * schedule.data().recordBytes() * 1e9 / elapsedNs / MIB,
                traffic.writtenBytes() * 1e9 / elapsedNs / MIB);
    }

    /** If not all was done, until the end. */
    private static long elapsedNs(OpenLoop loop, Schedule schedule) {
        if (loop.records() < schedule.data().records()) {
            return schedule.endNs();
        }
        return loop.writers().isEmpty()
                ? loop.readers().stream().mapToLong(LoopReader::readNs).max().orElse(0)
                : loop.writers().stream()
                        .filter(writer -> writer.records() == schedule.data().records())
                        .mapToLong(LoopWriter::writtenNs)
                        .min()
                        .orElse(0);
    }

    private boolean hasWriters() {
        return !loop.writers().isEmpty();
    }

    private boolean hasReaders() {
        return !loop.readers().isEmpty();
    }

    private long bytes() {
        return loop.done() * schedule.data().recordBytes();
    }

    private double asked() {
        return schedule.bytesPerSecond() / MIB;
    }

    private long maxLag() {
        return loop.readers().stream().mapToLong(LoopReader::maxLag).max().orElse(0);
    }

    /** For people; the goals last. */
    void print(Bare bare, PrintStream out) {
        out.println();
        LoopLines.table(loop.latencies()).forEach(out::println);
        out.println();
        out.println(String.format(
                Locale.ROOT,
                "%,d of %,d records in %.1f s: %.2f MiB/s of %.2f that were asked for.",
                loop.done(),
                schedule.data().records() - loop.begin(),
                elapsedNs / 1e9,
                rate,
                asked()));
        if (hasReaders()) {
            out.println(String.format(
                    Locale.ROOT,
                    "Largest lag of a reader: %,d records, %.2f s.",
                    maxLag(),
                    schedule.seconds(maxLag())));
        }
        loop.bounds().table().forEach(out::println);
        if (bare.isKnown()) {
            LoopLines.bare(bare, rate, written).forEach(out::println);
        }
        if (hasWriters()) {
            out.println(LoopLines.amplification(traffic, bytes()));
        }
        out.println();
        loop.cpu().table(bytes(), runNs).forEach(out::println);
        out.println();
        double askedOfWriters = hasWriters() ? asked() : 0;
        double behind = schedule.batchesBehind(loop.records(), elapsedNs);
        Goals goals = new Goals(
                askedOfWriters, rate, behind, bare.mean(), schedule.data().hasKeysAgain(), loop.bounds());
        goals.table().forEach(out::println);
    }

    /** For {@code bin/persist report}. */
    ShardRuns.Measured measured(String place, Map<String, String> parameters, Bare bare) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("MiB/s", rate);
        figures.put("asked for MiB/s", asked());
        if (hasReaders()) {
            figures.put("largest lag records", (double) maxLag());
        }
        if (bare.isKnown()) {
            figures.put("disk bare MiB/s", bare.mean().file());
            figures.put("disk bare in objects MiB/s", bare.mean().objects());
            figures.put("written MiB/s", written);
        }
        if (hasWriters()) {
            figures.put("written for each byte", LoopLines.amplificationOf(traffic, bytes()));
        }
        if (bytes() > 0) {
            figures.put("CPU s for each GiB", loop.cpu().processNs() / 1e9 * GIB / bytes());
        }
        return new ShardRuns.Measured(
                place, parameters, loop.done(), elapsedNs, figures, loop.intervals(), List.copyOf(loop.levels()));
    }
}
