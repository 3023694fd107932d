package io.persist.peers;

import io.persist.command.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * How much a sustained load appends.
 *
 * @param leastBytes however long that takes; they are the ones whose rate is told apart
 * @param mostBytes after which it ends, so that it does not fill the disk
 * @param usableBytes that were free
 */
record SustainedLimits(long leastBytes, long mostBytes, double leastSeconds, long usableBytes) {

    /** Engines that keep what they have logged in other files too take twice as much, and some more. */
    private static final double MOST_SHARE = 0.4;

    private static final double GB = 1e9;

    /** @throws UncheckedIOException if there is too little space */
    static SustainedLimits of(PeersParameters flags, long usableBytes) {
        long least = (long) (flags.sustainedGb() * GB);
        long most = Math.min((long) (flags.sustainedMaxGb() * GB), (long) (usableBytes * MOST_SHARE));
        if (most < least) {
            throw new UncheckedIOException(new IOException("a sustained load of " + gb(least) + " needs room for "
                    + gb(least / MOST_SHARE) + ", but only " + Text.bytes(usableBytes) + " are free in "
                    + flags.paths().dir() + "; give a smaller --sustained-gb, or another --dir"));
        }
        return new SustainedLimits(least, most, flags.sustainedSeconds(), usableBytes);
    }

    String describe(PeersParameters flags) {
        return "A sustained load appends at least " + gb(leastBytes) + ", for at least "
                + String.format(Locale.ROOT, "%.1f", leastSeconds) + " s, and at most " + gb(mostBytes) + ": "
                + Text.bytes(usableBytes) + " are free in " + flags.paths().dir()
                + ". Its files are deleted after each trial.";
    }

    private static String gb(double bytes) {
        return String.format(Locale.ROOT, bytes < GB ? "%.3f GB" : "%.1f GB", bytes / GB);
    }
}
