package io.persist.bench;

import io.persist.MessageLogger;
import io.persist.format.Frame;
import io.persist.log.LogConfig;
import io.persist.log.Tailer;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the code that is going to be measured, on a scratch log beside the measured one, until the JIT compiler has
 * seen enough of it. The scratch log is deleted and begun anew after every 64 MiB, and is gone in the end.
 */
final class WarmUp {

    private static final String PREFIX = "warmup-";
    private static final int SEGMENT_LENGTH = 16 << 20;
    private static final long ROUND_BYTES = 64L << 20;
    private static final int FRAME_OVERHEAD = 32;

    /** At a low rate there are too few messages to compile anything, so a burst of this many goes ahead. */
    private static final long BURST_COUNT = 100_000;

    private static final long READ_COUNT = 100_000;

    private final MessageLoggerParameters parameters;
    private final Messages messages;
    private final WriteLoop loop;
    private final ReadPass readPass;
    private final Stop stop;
    private final Path directory;

    WarmUp(MessageLoggerParameters parameters, Messages messages, WriteLoop loop, ReadPass readPass, Stop stop) {
        this.parameters = parameters;
        this.messages = messages;
        this.loop = loop;
        this.readPass = readPass;
        this.stop = stop;
        this.directory = parameters
                .logLocation()
                .resolve(PREFIX + ProcessHandle.current().pid());
    }

    Path directory() {
        return directory;
    }

    void run() throws IOException, ReadPass.VerificationException {
        deleteLeftovers();
        long durationNs = parameters.common().warmupNs();
        long rate = parameters.common().rate();
        List<LatencySeries> series = MessageLoggerRun.seriesNames(rate).stream()
                .map(LatencySeries::inMemory)
                .toList();
        try (LatencyRecorder recorder = LatencyRecorder.start(series, LatencyRecorder.Listener.NONE)) {
            long endNs = System.nanoTime() + durationNs;
            // The burst may take half of the time: with a sync per commit it would take longer than that.
            round(BURST_COUNT, durationNs / 2, Pacer.unlimited(System::nanoTime), recorder.ring());
            while (!stop.requested() && System.nanoTime() - endNs < 0) {
                round(Long.MAX_VALUE, endNs - System.nanoTime(), Pacer.of(rate, System::nanoTime), recorder.ring());
            }
        } finally {
            deleteTree(directory);
        }
    }

    /** Writes up to 64 MiB, for so long at most once the log is open, reads the begin of it back, and deletes it. */
    private void round(long maxCount, long maxNs, Pacer pacer, LatencyRing ring)
            throws IOException, ReadPass.VerificationException {
        long perRound = Math.max(1, ROUND_BYTES / (messages.maxLength() + FRAME_OVERHEAD));
        LogConfig config = parameters.scratchConfig(directory, segmentLength());
        try (MessageLogger log = MessageLogger.open(config)) {
            long first = log.lastSequence() + 1;
            long deadlineNs = System.nanoTime() + maxNs;
            long written = loop.write(log, Math.min(maxCount, perRound), deadlineNs, pacer, ring)
                    .messages();
            log.flush();
            if (written > 0) {
                try (Tailer tailer = log.tailer()) {
                    readPass.read(tailer, first, Math.min(written, READ_COUNT));
                }
            }
        }
        deleteTree(directory);
    }

    /** Short segments, unless a message does not fit. */
    private int segmentLength() {
        int length = Math.min(SEGMENT_LENGTH, parameters.segmentLength());
        return messages.maxLength() <= Frame.maxPayload(length) ? length : parameters.segmentLength();
    }

    /** Deletes what a process that was killed could not. */
    private void deleteLeftovers() throws IOException {
        if (!Files.isDirectory(parameters.logLocation())) {
            return;
        }
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(parameters.logLocation(), PREFIX + "*")) {
            for (Path leftover : leftovers) {
                String pid = leftover.getFileName().toString().substring(PREFIX.length());
                boolean ours = leftover.equals(directory);
                if (ours
                        || pid.matches("\\d{1,10}")
                                && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    deleteTree(leftover);
                }
            }
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
