package io.persist.bench.measure;

import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.Pinning;
import io.persist.bench.latency.LatencyRecorder;
import io.persist.bench.latency.LatencySeries;
import io.persist.bench.load.Journal;
import io.persist.bench.load.Producers;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stretch;
import io.persist.format.Frame;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the code that is going to be measured, on a scratch log beside the measured one, until the JIT compiler has
 * seen enough of it. The scratch log is deleted and begun anew after every 64 MiB, and is gone in the end.
 */
public final class WarmUp {

    /** Directories of this name are deleted, so nobody else should think of it. */
    private static final String PREFIX = "persist-warmup-";

    private static final int SEGMENT_LENGTH = 16 << 20;
    private static final long ROUND_BYTES = 64L << 20;
    private static final int FRAME_OVERHEAD = 32;

    /** At a low rate there are too few messages to compile anything, so a burst of this many goes ahead. */
    private static final long BURST_COUNT = 100_000;

    private static final long READ_COUNT = 100_000;

    private final Setup setup;
    private final LogConfig scratch;
    private final int maxLength;

    /**
     * @param scratch of {@link #directory} and {@link #segmentLength}
     * @param maxLength bytes of the longest record
     */
    public WarmUp(Setup setup, LogConfig scratch, int maxLength) {
        this.setup = setup;
        this.scratch = scratch;
        this.maxLength = maxLength;
    }

    /** Where this process's scratch log for the log in {@code logLocation} is. */
    public static Path directory(Path logLocation) {
        return logLocation.resolve(PREFIX + ProcessHandle.current().pid());
    }

    /** Short segments, unless those of the measured log are shorter still, or the longest message does not fit. */
    public static int segmentLength(int measured, int maxLength) {
        int length = Math.min(SEGMENT_LENGTH, measured);
        return maxLength <= Frame.maxPayload(length) ? length : measured;
    }

    /** Writes for {@code durationNs}, at {@code rate}, or as fast as possible if that is below 0. */
    public void run(long durationNs, long rate)
            throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        List<LatencySeries> series =
                setup.row().seriesNames().stream().map(LatencySeries::inMemory).toList();
        try {
            long endNs = System.nanoTime() + durationNs;
            // The burst may take half of the time: with a sync per commit it would take longer than that.
            round(BURST_COUNT, durationNs / 2, -1, series);
            while (!setup.stop().requested() && System.nanoTime() - endNs < 0) {
                round(Long.MAX_VALUE, endNs - System.nanoTime(), rate, series);
            }
        } finally {
            DirectoryTree.delete(scratch.directory());
        }
    }

    /** Writes up to 64 MiB, for so long at most once the log is open, reads the begin of it back, and deletes it. */
    private void round(long maxCount, long maxNs, long rate, List<LatencySeries> series)
            throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        long perRound = Math.max(1, ROUND_BYTES / (maxLength + FRAME_OVERHEAD));
        try (Journal journal = setup.open(scratch)) {
            long firstSequence = journal.lastSequence() + 1;
            long startPosition = journal.reached(Durability.BUFFERED);
            long deadlineNs = System.nanoTime() + maxNs;
            Producers.Result written = new Measurement(setup, journal, scratch)
                    .write(Math.min(maxCount, perRound), rate, deadlineNs, series, LatencyRecorder.Listener.NONE)
                    .result();
            journal.flush();
            if (written.written().count() > 0) {
                Stretch stretch = new Stretch(firstSequence, startPosition, written.perProducer());
                setup.warmUpReader().read(journal, stretch, READ_COUNT);
            }
        }
        DirectoryTree.delete(scratch.directory());
    }

    /** Deletes what processes that were killed could not, of all programs with this location. */
    public static void deleteLeftovers(Path logLocation) throws IOException {
        if (!Files.isDirectory(logLocation)) {
            return;
        }
        Path own = directory(logLocation);
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(logLocation, PREFIX + "*")) {
            for (Path leftover : leftovers) {
                String pid = leftover.getFileName().toString().substring(PREFIX.length());
                boolean hasEnded = pid.matches("\\d{1,10}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
                if (hasEnded || leftover.equals(own)) {
                    DirectoryTree.delete(leftover);
                }
            }
        }
    }
}
