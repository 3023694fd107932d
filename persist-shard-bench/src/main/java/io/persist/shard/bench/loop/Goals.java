package io.persist.shard.bench.loop;

import io.persist.command.Text;
import io.persist.shard.bench.loop.Bounds.Sample;
import io.persist.shard.bench.place.BareDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Whether a run came to what is asked of shards, at a glance.
 *
 * @param askedMibs the rate that was asked for, MiB/s; 0 if nobody writes
 * @param rateMibs the rate of the records, MiB/s
 * @param batchesBehind how many whole batches the rate that was asked for is ahead of the records
 * @param bare what the disk takes bare; zeros if that was not measured
 * @param hasKeysAgain whether space has a bound
 * @param bounds what was seen now and then
 */
record Goals(
        double askedMibs,
        double rateMibs,
        double batchesBehind,
        BareDisk.Rates bare,
        boolean hasKeysAgain,
        Bounds bounds) {

    private static final double WHOLE_RATE = 0.99;
    private static final double SHARE_OF_BARE = 0.75;

    /** The last quarter may have so much more than the ones before, as nothing is the same all the time. */
    private static final double GROWTH = 1.5;

    /** What is below that is no sign of growth. */
    private static final double LITTLE_LAG_S = 1;

    private static final double LITTLE_BYTES = 256 << 20;

    /** A row for each goal that was asked for, and can be seen. */
    List<String> table() {
        List<String> lines = new ArrayList<>(List.of("| goal | measured | |", "|---|---|---|"));
        if (askedMibs > 0) {
            lines.add(row(
                    "the rate is held",
                    String.format(Locale.ROOT, "%.2f of %.2f MiB/s", rateMibs, askedMibs),
                    verdict(isRateHeld())));
        }
        if (bounds.isKnown(Sample::lagS)) {
            lines.add(row(
                    "the lag has a bound",
                    String.format(
                            Locale.ROOT,
                            "at most %.2f s before the last quarter, %.2f s in it",
                            bounds.mostBefore(Sample::lagS),
                            bounds.mostLast(Sample::lagS)),
                    lagVerdict()));
        }
        if (hasKeysAgain) {
            lines.add(row("space has a bound", bytes(Sample::objectBytes), bounded(Sample::objectBytes, LITTLE_BYTES)));
        }
        if (bounds.isKnown(Sample::residentBytes)) {
            lines.add(row(
                    "memory has a bound", bytes(Sample::residentBytes), bounded(Sample::residentBytes, LITTLE_BYTES)));
        }
        lines.add(shareRow("75 % of the disk bare, one file", bare.file()));
        lines.add(shareRow("75 % of the disk bare, objects", bare.objects()));
        return lines;
    }

    private static String row(String goal, String measured, String verdict) {
        return "| " + goal + " | " + measured + " | " + verdict + " |";
    }

    private static String verdict(boolean isMet) {
        return isMet ? "met" : "MISSED";
    }

    private String bytes(ToDoubleFunction<Sample> what) {
        return "at most " + Text.bytes((long) bounds.mostBefore(what)) + " before the last quarter, "
                + Text.bytes((long) bounds.mostLast(what)) + " in it";
    }

    private String bounded(ToDoubleFunction<Sample> what, double little) {
        if (!bounds.hasQuarters()) {
            return "too short to say";
        }
        return verdict(bounds.mostLast(what) <= Math.max(little, GROWTH * bounds.mostBefore(what)));
    }

    /** Also in a short run, of which the way of the last batch into the shard is more than a hundredth. */
    private boolean isRateHeld() {
        return rateMibs >= WHOLE_RATE * askedMibs || batchesBehind <= 1;
    }

    /** Behind a rate that is not held the lag grows as long as records come, whatever the samples say. */
    private String lagVerdict() {
        return isRateHeld() ? bounded(Sample::lagS, LITTLE_LAG_S) : "MISSED, as the rate";
    }

    /** What was not asked for cannot be held. */
    private String shareRow(String goal, double bareMibs) {
        if (bareMibs == 0) {
            return row(goal, "without --bare nobody knows", "not measured");
        }
        double wanted = SHARE_OF_BARE * bareMibs;
        return row(
                goal,
                String.format(Locale.ROOT, "%.1f %% of %.2f MiB/s", 100 * rateMibs / bareMibs, bareMibs),
                askedMibs >= wanted
                        ? verdict(rateMibs >= wanted)
                        : String.format(Locale.ROOT, "not asked: that is %.0f MiB/s", wanted));
    }
}
