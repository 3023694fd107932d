package io.persist.matrix.damage;

import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * In the place of each file of a log is something else: a file of another program, of another log or logger, of a newer
 * version, or nothing. It is refused and left as it is, or not needed; and then its bytes are kept, unless there are
 * none or nobody's.
 */
public final class ForeignFiles implements Exercise {

    private static final int UNKNOWN_REQUIRED_FLAG = 1 << 15;

    @Override
    public Row row() {
        return Row.FOREIGN_FILE;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        for (Ending ending : Ending.values()) {
            LeftLog log = LeftLog.of(subject, ending);
            LeftLog other = LeftLog.of(subject, ending, 2, LeftLog.ENTRIES);
            for (String name : log.names()) {
                Map<String, byte[]> contents = foreign(log, name);
                if (other.frames().isUsed(name)) { // one without records may go
                    contents.put("that of another log", other.bytes(name));
                }
                contents.forEach((what, content) -> {
                    if (effort.takesNext()) {
                        new Replacement(log, name, content, what).check();
                        effort.tried(1);
                    }
                });
            }
            temporaries(log, effort);
        }
        alone(subject, effort);
    }

    /** What can be in the place of the file {@code name}. */
    private static Map<String, byte[]> foreign(LeftLog log, String name) {
        byte[] whole = log.bytes(name);
        Map<String, byte[]> contents = new TreeMap<>(strange(whole.length));
        byte[] noMagic = whole.clone();
        noMagic[3] ^= 0x20;
        contents.put("no magic", noMagic);
        byte[] wrongChecksum = whole.clone();
        wrongChecksum[SegmentHeader.CHECKSUM_OFFSET] ^= 1;
        contents.put("wrong checksum", wrongChecksum);
        contents.put("newer version", signed(whole, SegmentHeader.VERSION_OFFSET, SegmentHeader.VERSION + 1));
        contents.put("unknown flags", signed(whole, SegmentHeader.FLAGS_OFFSET, UNKNOWN_REQUIRED_FLAG));
        contents.put("unknown content", signed(whole, SegmentHeader.CONTENT_OFFSET, 77));
        for (String another : log.names()) {
            if (!Arrays.equals(log.bytes(another), whole)) {
                contents.put("the file " + another, log.bytes(another));
            }
        }
        return contents;
    }

    private static Map<String, byte[]> strange(int length) {
        byte[] text = "This is somebody's diary.\n".repeat(400).getBytes(StandardCharsets.US_ASCII);
        return Map.of(
                "nothing", new byte[0],
                "one byte", new byte[] {'P'},
                "a zero", new byte[1],
                "zeros", new byte[length],
                "more zeros", new byte[length + 4096],
                "text", text,
                "text of the same length", Arrays.copyOf(text, length));
    }

    /** The header of a segment and that of a checkpoint have these fields, and their checksum, at the same places. */
    private static byte[] signed(byte[] whole, int offset, int value) {
        byte[] changed = whole.clone();
        ByteBuffer bytes = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
        if (offset == SegmentHeader.CONTENT_OFFSET) {
            bytes.put(offset, (byte) value);
        } else {
            bytes.putInt(offset, value);
        }
        CRC32C crc = new CRC32C();
        crc.update(changed, 0, SegmentHeader.CHECKSUM_OFFSET);
        bytes.putInt(SegmentHeader.CHECKSUM_OFFSET, (int) crc.getValue());
        return changed;
    }

    /** Files that somebody was making: whatever is in them, the log is whole without them, and they go. */
    private static void temporaries(LeftLog log, Effort effort) {
        for (String name : log.names()) {
            String temporary = name + LogFileName.TEMPORARY_SUFFIX;
            strange(log.bytes(name).length).forEach((what, content) -> {
                if (effort.takesNext()) {
                    new Replacement(log, temporary, content, what).checkTemporary();
                    effort.tried(1);
                }
            });
        }
    }

    /** A directory with nothing but such a file, and one with the log of another logger. */
    private static void alone(Subject subject, Effort effort) {
        strange(Subject.SEGMENT_LENGTH).forEach((what, content) -> {
            Replacement.checkRefused(subject, Map.of(LogFileName.segment(0), content), what + " alone");
            effort.tried(1);
        });
        for (Subject other : Subject.ofEachLogger()) {
            if (other.logger() != subject.logger()) {
                Replacement.checkRefused(
                        subject, LeftLog.of(other, Ending.CLOSED).files(), "the log of " + other);
                effort.tried(1);
            }
        }
    }
}
