package io.persist.bench.doctor.diagnosis;

import io.persist.bench.doctor.disk.Measurement;
import io.persist.bench.doctor.disk.Measurements;
import io.persist.bench.doctor.disk.Operation;
import io.persist.bench.doctor.disk.Space;
import io.persist.bench.doctor.machine.Facts;
import io.persist.bench.doctor.machine.Figures;
import io.persist.command.Text;
import io.persist.log.LogConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What facts and measurements mean. Nothing here looks at anything else.
 *
 * @param belief whether a synced commit can be believed
 * @param verdict the answer in some sentences, the most important one first
 * @param choices settings to choose; none if a synced commit cannot be believed
 * @param findings the worst first
 */
public record Diagnosis(Belief belief, List<String> verdict, List<Choice> choices, List<Finding> findings) {

    /** Differences below are not worth a choice. */
    private static final double NOTICEABLE = 0.9;

    /** With fewer values of each the modes cannot be told apart. */
    private static final int ENOUGH_SAMPLES = 200;

    /** A sync that takes longer is worth not to be waited for. */
    private static final long SLOW_SYNC_NS = 1_000_000;

    /** How much dearer a growing file has to be to be spoken of. */
    private static final double MUCH_DEARER = 1.3;

    private static final int MIN_SYNC_INTERVAL_MS = 10;

    /** Seconds that opening a log may take to fill its first segment. */
    private static final double LONG_FILL = 2;

    private static final int SMALL_SEGMENT_LENGTH = 16 << 20;
    private static final double MIB = 1 << 20;

    /** @throws IllegalArgumentException if no synced write was measured */
    static Diagnosis of(Facts facts, Measurements measurements) {
        Measurement sync = measurements.find(Operation.FDATASYNC, Space.ZEROS);
        if (sync == null) {
            throw new IllegalArgumentException("no write + fdatasync in " + measurements);
        }
        Measurement file = measurements.find(Operation.DSYNC, Space.ZEROS);
        Modes modes = new Modes(file == null ? sync : file, measurements.find(Operation.MAPPED_FORCE, Space.ZEROS));
        Belief belief = Belief.of(facts, Math.min(sync.p50Ns(), modes.best().p50Ns()));
        List<Finding> findings = new ArrayList<>(belief.findings());
        findings.addAll(Hints.of(facts, measurements));
        findings.sort(Comparator.comparing(Finding::severity));
        return new Diagnosis(
                belief,
                List.copyOf(verdict(facts, modes, belief)),
                belief.level() == Belief.Level.NOT_BELIEVED ? List.of() : List.copyOf(choices(measurements, modes)),
                List.copyOf(findings));
    }

    public boolean isUsable() {
        return belief.level() != Belief.Level.NOT_BELIEVED;
    }

    private static List<String> verdict(Facts facts, Modes modes, Belief belief) {
        Measurement best = modes.best();
        List<String> verdict = new ArrayList<>();
        String cost = "about " + Figures.time(best.p50Ns()) + " here (p99 " + Figures.time(best.p99Ns())
                + ", the longest of " + Text.grouped(best.samples()) + " was " + Figures.time(best.maxNs())
                + ")";
        switch (belief.level()) {
            case BELIEVED -> {
                verdict.add("A SYNCED commit will cost " + cost + ", " + modes.describe() + ".");
                verdict.add("It can be believed, as far as a program can tell, because " + belief.reason() + ".");
            }
            case DOUBTFUL -> {
                verdict.add("A SYNCED commit will cost " + cost + ", " + modes.describe() + ".");
                verdict.add("Whether it can be believed is open. "
                        + belief.findings().get(0).what());
            }
            case NOT_BELIEVED -> {
                verdict.add("A SYNCED commit cannot be believed here. "
                        + belief.findings().get(0).what());
                verdict.add("It takes " + cost + ", and promises nothing.");
            }
        }
        if (belief.level() != Belief.Level.NOT_BELIEVED) {
            verdict.add("Expect about " + Figures.about(1e9 / best.meanNs())
                    + " SYNCED commits per second of one thread, and"
                    + " more of several threads, detached or awaiting positions: one sync serves all of them.");
            if (facts.host().isBusy()) {
                verdict.add("But the machine was busy meanwhile: measure again when it is quiet.");
            }
        }
        return verdict;
    }

    private static List<Choice> choices(Measurements measurements, Modes modes) {
        List<Choice> choices = new ArrayList<>();
        choices.add(modes.choice());
        Measurement zeros = measurements.find(Operation.FDATASYNC, Space.ZEROS);
        Measurement growing = measurements.find(Operation.FDATASYNC, Space.GROWING);
        if (zeros != null && growing != null && growing.p50Ns() > MUCH_DEARER * zeros.p50Ns()) {
            choices.add(new Choice(
                    "Retirement",
                    "RECYCLE",
                    "a synced write to a growing file takes " + Figures.time(growing.p50Ns()) + ", into space that was"
                            + " written before " + Figures.time(zeros.p50Ns())
                            + "; Persist fills segments ahead, and recycled ones keep their blocks"));
        }
        long half = (long) (measurements.sequentialBytesPerSecond() / 2 / MIB) << 20;
        if (half >= MIB && half < LogConfig.DEFAULT_FILL_BYTES_PER_SECOND) {
            choices.add(new Choice(
                    "fillBytesPerSecond",
                    (half >> 20) + " << 20",
                    "half of what this disk writes, so that filling segments leaves the other half to commits"));
        }
        double fillSeconds = LogConfig.DEFAULT_SEGMENT_LENGTH / measurements.sequentialBytesPerSecond();
        if (fillSeconds > LONG_FILL) {
            choices.add(new Choice(
                    "segmentLength",
                    (SMALL_SEGMENT_LENGTH >> 20) + " << 20",
                    "a new log fills its first segment before it opens, and 64 MiB take "
                            + Figures.decimal(Math.round(fillSeconds)) + " s here"));
        }
        long syncNs = modes.best().p50Ns();
        if (syncNs >= SLOW_SYNC_NS) {
            long intervalMs = Math.max(MIN_SYNC_INTERVAL_MS, Math.round(4 * syncNs / 1e6));
            choices.add(new Choice(
                    "syncInterval",
                    "Duration.ofMillis(" + intervalMs + ")",
                    "instead of waiting in each commit, if a power cut may take the commits of the last " + intervalMs
                            + " ms and of one sync"));
        }
        return choices;
    }

    /** What a synced commit costs in each mode; null where mappings are refused. */
    private record Modes(Measurement file, @Nullable Measurement mapped) {

        Measurement best() {
            return mapped != null && isMappedFaster(mapped) ? mapped : file;
        }

        private boolean isMappedFaster(Measurement mapping) {
            return isCertain() && mapping.p50Ns() < NOTICEABLE * file.p50Ns();
        }

        private boolean isCertain() {
            return mapped == null || Math.min(file.samples(), mapped.samples()) >= ENOUGH_SAMPLES;
        }

        String describe() {
            if (mapped == null) {
                return "in mode FILE; this file system refuses mappings";
            }
            boolean isMappedFaster = isMappedFaster(mapped);
            Measurement other = isMappedFaster ? file : mapped;
            return "in mode " + (isMappedFaster ? "MAPPED" : "FILE") + "; in mode "
                    + (isMappedFaster ? "FILE" : "MAPPED") + " about " + Figures.time(other.p50Ns());
        }

        Choice choice() {
            if (mapped == null) {
                return new Choice("writeMode", "FILE", "and readMode FILE: this file system refuses mappings");
            }
            if (isMappedFaster(mapped)) {
                return new Choice(
                        "writeMode",
                        "MAPPED",
                        "it syncs faster here than FILE, which is the default where durability is SYNCED");
            }
            String why = isCertain()
                    ? "MAPPED does not sync noticeably faster here"
                    : "too few values here to tell whether MAPPED syncs faster";
            return new Choice(
                    "writeMode", "FILE", "the default where durability is SYNCED; elsewhere it is MAPPED; " + why);
        }
    }
}
