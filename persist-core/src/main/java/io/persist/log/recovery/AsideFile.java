package io.persist.log.recovery;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.OneFile;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.NewControlBlock;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes that recovery or repair took out of a log, to be read as a log of their own: one segment, all of which counts
 * as acknowledged, so that everything in it that is no whole record is damage. It needs no other file of its log.
 *
 * @param storage the one segment, and a control block that says where its data ends
 * @param position where in the log its first byte was
 */
public record AsideFile(Storage storage, long position) {

    /** As TailCut gives it; no position is too large for a long. */
    private static final Pattern NAME = Pattern.compile(
            "(\\d{20}\\.log)\\.at-(\\d{1,18}|[0-4]\\d{18})\\.\\d+" + Pattern.quote(LogFileName.ASIDE_SUFFIX));

    /** Whether {@code name} is that of something that was set aside. */
    public static boolean isName(String name) {
        return name.endsWith(LogFileName.ASIDE_SUFFIX);
    }

    /**
     * Opens the file {@code name} of {@code directory}, which may be a copy that has any name that ends as such.
     *
     * @throws CorruptLogException if nothing in it can be verified, because it does not begin with a segment's header
     * @throws UnsupportedFormatException if it is nothing of a log, or a newer version wrote it
     * @throws IOException if it cannot be read
     */
    public static AsideFile open(Storage directory, String name) throws IOException {
        try (StorageFile file = directory.open(name, Storage.Access.READ)) {
            long base = basePosition(file, directory, name);
            Matcher parts = NAME.matcher(name);
            long position = parts.matches() ? Long.parseLong(parts.group(2)) : base + SegmentHeader.LENGTH;
            Storage unbounded = alone(directory, name, base, base);
            Storage alone = alone(directory, name, base, base + endOfData(file, unbounded, base));
            return new AsideFile(alone, position);
        }
    }

    private static Storage alone(Storage directory, String name, long base, long end) {
        byte[] control = NewControlBlock.encodeSynced(0, end); // the one segment says which log it is
        return new OneFile(directory, name, LogFileName.segment(base), LogFileName.CONTROL, control);
    }

    /** As its header says; as its name does if that is damaged, and the file is a whole segment. */
    private static long basePosition(StorageFile file, Storage directory, String name) throws IOException {
        byte[] bytes = new byte[SegmentHeader.LENGTH];
        ByteBuffer header = ByteBuffer.wrap(bytes, 0, file.readFully(0, bytes, 0, bytes.length))
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
        try {
            boolean isWhole = header.capacity() >= SegmentHeader.LENGTH;
            long base = isWhole ? header.getLong(SegmentHeader.BASE_POSITION_OFFSET) : 0;
            long length = isWhole ? header.getLong(SegmentHeader.SEGMENT_LENGTH_OFFSET) : 0;
            SegmentHeader.decode(header, name, length, base);
            if (base < 0 || base >= LogFileName.BASE_LIMIT) {
                throw new CorruptLogException(name, base, "no segment begins there");
            }
            return base;
        } catch (CorruptLogException damage) {
            return basePositionOfName(directory, name);
        }
    }

    private static long basePositionOfName(Storage directory, String name) {
        Matcher parts = NAME.matcher(name);
        OptionalLong base = parts.matches() ? LogFileName.basePosition(parts.group(1)) : OptionalLong.empty();
        if (base.isEmpty()) {
            throw new UnsupportedFormatException("not cut off a log: file=" + name + ", directory="
                    + directory.description() + "; only what was a segment, or a part of one, has records to be read");
        }
        if (base.getAsLong() == Long.parseLong(parts.group(2))) {
            return base.getAsLong();
        }
        throw new CorruptLogException(
                name,
                Long.parseLong(parts.group(2)),
                "the file does not begin with a segment's header, without which none of its records can be verified",
                "it was copied in part, or set aside by a version that wrote none: look at its bytes with hexdump -C");
    }

    /**
     * The offset right after the last byte that was stored. The file's length if its header is damaged, so that nothing
     * in it can be verified.
     */
    private static long endOfData(StorageFile file, Storage alone, long base) throws IOException {
        try (SegmentView segment = SegmentView.openCut(alone, base)) {
            return segment.damage() == null ? segment.stored().endOfAside() : file.length();
        }
    }

    /**
     * What makes bytes that are cut out of a segment one of their own: they keep their positions behind its header.
     *
     * @param of the header of the segment that they are cut out of
     * @param from where they begin
     * @param length how many there are
     */
    static SegmentHeader header(SegmentHeader of, long from, long length) {
        // Behind the last record there is room for a seal, as in every segment; one that was full has one.
        long needed = Math.max(SegmentHeader.MIN_SEGMENT_LENGTH, SegmentHeader.LENGTH + length + Frame.SEAL_LENGTH);
        long aligned = (needed + Frame.ALIGNMENT - 1) / Frame.ALIGNMENT * Frame.ALIGNMENT;
        int whole = (int) Math.min(SegmentHeader.MAX_SEGMENT_LENGTH, aligned);
        return new SegmentHeader(
                from - SegmentHeader.LENGTH,
                whole,
                of.salt(),
                of.logId(),
                of.createdAtMs(),
                of.content(),
                0,
                of.writtenBy());
    }
}
