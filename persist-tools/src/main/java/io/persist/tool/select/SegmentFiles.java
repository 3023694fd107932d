package io.persist.tool.select;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogContent;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What the names and headers of a log's segments say. */
public final class SegmentFiles {

    private SegmentFiles() {}

    /** The base positions of the segments, ascending. */
    static List<Long> basePositions(Storage log) {
        try {
            return log.list().stream()
                    .map(SegmentName::basePosition)
                    .flatMapToLong(OptionalLong::stream)
                    .sorted()
                    .boxed()
                    .toList();
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** What the log's records are, by the first header that can be read; messages if there is none. */
    public static LogContent content(Storage log) {
        return headers(log).map(SegmentHeader::content).findFirst().orElse(LogContent.MESSAGES);
    }

    /**
     * Requires that there is a log, for tools that would find nothing to say where there is none.
     *
     * @throws LogIOException if no file has the name of a segment
     */
    public static void requireLog(Storage log) {
        if (basePositions(log).isEmpty()) {
            throw new LogIOException(
                    "not a log: no segments, directory=" + log.description()
                            + "; name the directory that a logger writes to",
                    null);
        }
    }

    /** How many segments have lost their records to compaction. */
    public static long vacated(Storage log) {
        return headers(log).filter(SegmentHeader::isVacated).count();
    }

    /** The headers that can be read, oldest first. */
    public static Stream<SegmentHeader> headers(Storage log) {
        return basePositions(log).stream().flatMap(base -> readable(log, base).stream());
    }

    private static Optional<SegmentHeader> readable(Storage log, long base) {
        try {
            return Optional.of(header(log, base));
        } catch (CorruptLogException | FileNotFoundException next) {
            // The tools say what is damaged; retention may take a segment away at any time.
            return Optional.empty();
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** Reads and checks the header of the segment at {@code base}. */
    static SegmentHeader header(Storage log, long base) throws IOException {
        String name = SegmentName.of(base);
        byte[] bytes = new byte[SegmentHeader.LENGTH];
        try (StorageFile file = log.open(name, Storage.Access.READ)) {
            int read = file.read(0, bytes, 0, bytes.length);
            return SegmentHeader.decode(ByteBuffer.wrap(bytes, 0, read).slice(), name, file.length(), base);
        }
    }
}
