package io.persist.archive;

import io.persist.format.LogFileName;
import java.util.HexFormat;
import java.util.List;

/**
 * A segment in an archive.
 *
 * @param basePosition its first position, which its name says
 * @param endPosition the position right after it
 * @param firstSequence the number of its first record
 * @param nextSequence the number of the record that follows its last one; {@code firstSequence} if it has none
 * @param checksum CRC32C of the whole file
 */
public record ArchivedSegment(
        long basePosition, long endPosition, long firstSequence, long nextSequence, int checksum) {

    private static final String WORD = "segment";
    private static final int WORDS = 7;

    /** The name of its file. */
    public String name() {
        return LogFileName.segment(basePosition);
    }

    /** The length of its file in bytes. */
    public long length() {
        return endPosition - basePosition;
    }

    String line() {
        return String.join(
                " ",
                WORD,
                name(),
                Long.toString(basePosition),
                Long.toString(endPosition),
                Long.toString(firstSequence),
                Long.toString(nextSequence),
                HexFormat.of().toHexDigits(checksum));
    }

    /** @throws IllegalArgumentException if {@code line} is not one that {@link #line} makes */
    static ArchivedSegment of(String line) {
        List<String> words = List.of(line.split(" ", WORDS + 1));
        if (words.size() != WORDS || !words.get(0).equals(WORD)) {
            throw new IllegalArgumentException("no segment: '" + line + "'");
        }
        ArchivedSegment segment = new ArchivedSegment(
                Long.parseLong(words.get(2)),
                Long.parseLong(words.get(3)),
                Long.parseLong(words.get(4)),
                Long.parseLong(words.get(5)),
                HexFormat.fromHexDigits(words.get(6)));
        if (!segment.line().equals(line)) {
            throw new IllegalArgumentException("no segment: '" + line + "'");
        }
        return segment;
    }
}
