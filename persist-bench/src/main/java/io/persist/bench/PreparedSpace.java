package io.persist.bench;

import io.persist.format.SegmentName;
import io.persist.log.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * How much room for records a log has in the segments that are there.
 *
 * @param bytes from the end of the last record on
 * @param how what was asked for
 */
record PreparedSpace(long bytes, String how) {

    static PreparedSpace of(LoggerParameters parameters, Journal journal) throws IOException {
        CommonParameters common = parameters.common();
        String length = "--initialLogLength " + Text.decimal((double) common.initialLength() / (1L << 30));
        String how = common.initialLength() == 0
                ? "--initialLogLength 0"
                : switch (common.prefill()) {
                    case BEFORE_OPEN -> length + ", --zeroOutInitial: before opening returned";
                    case BACKGROUND -> length + ": in the background, while it is being written";
                };
        long end = end(parameters.logDirectory());
        return new PreparedSpace(Math.max(0, end - journal.reached(Durability.BUFFERED)), how);
    }

    /** Where the last segment ends. */
    private static long end(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.mapToLong(file -> {
                        OptionalLong base =
                                SegmentName.basePosition(file.getFileName().toString());
                        return base.isEmpty()
                                ? 0
                                : base.getAsLong() + file.toFile().length();
                    })
                    .max()
                    .orElse(0);
        }
    }

    String describe() {
        return "Space that was prepared before the clock started: " + Text.bytes(bytes) + " (" + how + ").";
    }
}
