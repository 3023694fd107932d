package io.persist.archive;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.PersistVersion;
import io.persist.log.LogContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * What belongs to an archive. A text of lines, so that people can read it:
 *
 * <pre>
 *   persist-archive 1
 *   by 0.1.0
 *   log 1122334455667788 messages
 *   segment 00000000000000000000.log 0 4096 1 71 0a1b2c3d
 *   end 1 b5c81254
 * </pre>
 *
 * The numbers of a segment are its first position, the position after it, the number of its first record and of the
 * one after its last, and the CRC32C of its file. The last line has the number of segments and the CRC32C of all lines
 * before it, so that a part of a manifest is not taken for a whole one. The line {@code by} says which version of
 * Persist wrote it. It is a remark, as are lines that begin with {@code note} and a blank, which later versions may
 * add: people read them, and this skips them once it has verified the checksum.
 *
 * @param logId of the log
 * @param content what its records are
 * @param segments oldest first; each follows the one before it
 */
public record ArchiveManifest(long logId, LogContent content, List<ArchivedSegment> segments) {

    /** The manifest's name in an archive. */
    public static final String NAME = "MANIFEST";

    /** The lines of more segments than a process can map. */
    public static final int MAX_LENGTH = 16 << 20;

    /** What tells the manifest of an archive from that of a backup. */
    public static final String FIRST_LINE = "persist-archive 1";

    private static final String FIRST_OF_A_BACKUP = "persist-backup 1";

    private static final Pattern LATER = Pattern.compile(" ([2-9]|[1-9][0-9]{1,8})$");

    private static final Pattern LAST_LINE = Pattern.compile("end ([0-9]{1,9}) [0-9a-f]{8}\n");

    private static final Pattern BY = Pattern.compile("^[^\n]*\nby ([0-9.]+)\n");

    /** Longer than any line that is right. */
    private static final int MAX_QUOTED = 200;

    /** How many records the archive has at most: numbers jump where records were taken away. */
    public long records() {
        return segments.stream()
                .mapToLong(segment -> segment.nextSequence() - segment.firstSequence())
                .sum();
    }

    /** The length of all segments. */
    public long bytes() {
        return segments.stream().mapToLong(ArchivedSegment::length).sum();
    }

    /**
     * Where its last segment ends, in bytes from the beginning of the log: the next archive goes on there.
     *
     * @throws IllegalStateException if nothing was packed
     */
    public long endPosition() {
        if (segments.isEmpty()) {
            throw new IllegalStateException("nothing was packed: look at segments() before");
        }
        return segments.get(segments.size() - 1).endPosition();
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder(firstLines(FIRST_LINE));
        text.append("log ").append(HexFormat.of().toHexDigits(logId));
        text.append(' ').append(name(content)).append('\n');
        segments.forEach(segment -> text.append(segment.line()).append('\n'));
        return (text + lastLine(text.toString(), segments.size()) + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** What a manifest begins with that this version writes. */
    public static String firstLines(String firstLine) {
        return firstLine + "\nby " + PersistVersion.CURRENT + '\n';
    }

    private static String name(LogContent content) {
        return content.name().toLowerCase(Locale.ROOT);
    }

    public static String lastLine(String before, int count) {
        CRC32C crc = new CRC32C();
        crc.update(before.getBytes(StandardCharsets.UTF_8));
        return "end " + count + " " + HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /**
     * Throws if {@code text} is a whole manifest, and of a later version than the one that begins with {@code
     * firstLine}: in each version the first line ends with its number, the second one says which version of Persist
     * wrote it, and the last one is as in this one.
     */
    public static void checkVersion(String text, String firstLine) {
        String kind = firstLine.substring(0, firstLine.lastIndexOf(' ') + 1);
        String first = text.substring(0, Math.max(0, text.indexOf('\n')));
        if (first.startsWith(kind) && LATER.matcher(first).find() && isWhole(text)) {
            Matcher by = BY.matcher(text);
            PersistVersion writtenBy = PersistVersion.parse(by.find() ? by.group(1) : "");
            throw UnsupportedFormatException.newer(
                    NAME,
                    "unsupported manifest: '" + first + "' in place of '" + firstLine + "', file=" + NAME + "; use "
                            + writtenBy.orLater());
        }
    }

    private static int lastLineOf(String text) {
        return text.lastIndexOf('\n', text.length() - 2) + 1;
    }

    /** Whether the last line has the checksum of those before it. */
    private static boolean isWhole(String text) {
        int last = lastLineOf(text);
        Matcher end = LAST_LINE.matcher(text.substring(last));
        return end.matches()
                && end.group().equals(lastLine(text.substring(0, last), Integer.parseInt(end.group(1))) + '\n');
    }

    /** The lines that are no remarks. */
    public static Iterator<String> lines(String text) {
        return text.lines().filter(line -> !isRemark(line)).iterator();
    }

    private static boolean isRemark(String line) {
        return line.startsWith("by ") || line.startsWith("note ");
    }

    /** Whether {@code text} is whole and, but for remarks, a manifest as this version writes it: {@code encoded}. */
    public static boolean isSame(String text, byte[] encoded) {
        return isWhole(text)
                && withoutRemarks(text).equals(withoutRemarks(new String(encoded, StandardCharsets.UTF_8)));
    }

    /** Without the checksum, too, which is that of all lines. */
    private static String withoutRemarks(String text) {
        StringBuilder rest = new StringBuilder();
        lines(text).forEachRemaining(line -> rest.append(line).append('\n'));
        return rest.substring(0, rest.lastIndexOf(" "));
    }

    /**
     * Reads a manifest.
     *
     * @throws CorruptLogException if it is no whole one
     * @throws UnsupportedFormatException if it is that of a backup, or a newer version wrote it
     */
    static ArchiveManifest decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        checkVersion(text, FIRST_LINE);
        try {
            ArchiveManifest manifest = parse(text);
            if (isSame(text, manifest.encode())) {
                return manifest;
            }
        } catch (IllegalArgumentException e) {
            throw damaged("the manifest cannot be read: " + visible(String.valueOf(e.getMessage())));
        }
        throw damaged("the manifest is damaged");
    }

    private static ArchiveManifest parse(String text) {
        Iterator<String> lines = lines(text); // so that what is no manifest ends at its first line
        String first = nextLine(lines);
        if (first.equals(FIRST_OF_A_BACKUP)) {
            throw ofABackup();
        }
        if (!first.equals(FIRST_LINE)) {
            throw new IllegalArgumentException("it does not begin with '" + FIRST_LINE + "'");
        }
        String[] log = nextLine(lines).split(" ", 4);
        if (log.length != 3) {
            throw new IllegalArgumentException("no log in its second line");
        }
        List<ArchivedSegment> segments = new ArrayList<>();
        for (String line = nextLine(lines); lines.hasNext(); line = lines.next()) {
            ArchivedSegment segment = ArchivedSegment.of(line);
            if (!segments.isEmpty() && segments.get(segments.size() - 1).endPosition() != segment.basePosition()) {
                throw new IllegalArgumentException("a segment is missing before '" + line + "'");
            }
            segments.add(segment);
        }
        if (segments.isEmpty()) {
            throw new IllegalArgumentException("it names no segment");
        }
        LogContent content = LogContent.valueOf(log[2].toUpperCase(Locale.ROOT));
        return new ArchiveManifest(HexFormat.fromHexDigitsToLong(log[1]), content, List.copyOf(segments));
    }

    public static String nextLine(Iterator<String> lines) {
        if (!lines.hasNext()) {
            throw new IllegalArgumentException("it ends too early");
        }
        return lines.next();
    }

    /** A text of somebody's for a message of one line, which a terminal shows as it is. */
    public static String visible(String text) {
        String start = text.length() > MAX_QUOTED ? text.substring(0, MAX_QUOTED) + "..." : text;
        return start.replaceAll("[^ -~]", "?");
    }

    /** What is wrong with an archive; repair is for logs and of no use here. */
    static UnsupportedFormatException ofABackup() {
        return new UnsupportedFormatException(
                "not an archive but a backup, file=" + NAME + "; use restore, or backup --verify for it");
    }

    static CorruptLogException damaged(String what) {
        return damaged(NAME, 0, what);
    }

    static CorruptLogException damaged(String file, long position, String what) {
        return new CorruptLogException(file, position, what, "this archive is no good; take another copy of it");
    }
}
