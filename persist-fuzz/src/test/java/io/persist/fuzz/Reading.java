package io.persist.fuzz;

import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.packet.PacketReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * What somebody read of a log: records up to an end, or up to the exception that ended it.
 *
 * @param records each as a line
 * @param ending why it went no further; empty at the end of the log
 */
record Reading(List<String> records, String ending) {

    private static final int MAX_RECORDS = 100_000;

    /** What a tailer has that is opened so: if it is refused at once, no record. */
    static Reading of(Storage storage, TailerConfig config) {
        Use.Outcome<Tailer> opened = Use.attempt(() -> Tailer.open(storage, config));
        return opened.isRefused() ? new Reading(List.of(), String.valueOf(opened.refusal())) : of(opened.get());
    }

    /** Reads all that {@code tailer} has, as messages and as packets, and closes it. */
    static Reading of(Tailer tailer) {
        List<String> records = new ArrayList<>();
        PacketReader packets = new PacketReader();
        try (tailer) {
            while (tailer.next()) {
                Use.require(records.size() < MAX_RECORDS, "reading has no end");
                records.add(record(tailer) + packet(packets, tailer));
            }
            return new Reading(records, "");
        } catch (PersistException typed) {
            return new Reading(records, Use.refusal(typed));
        }
    }

    private static String record(Tailer tailer) {
        return tailer.position() + ":" + tailer.sequence() + ":" + hash(tailer.payload());
    }

    private static String hash(ByteBuffer bytes) {
        return bytes.remaining() + "/" + Integer.toHexString(bytes.hashCode());
    }

    private static String packet(PacketReader packets, Tailer tailer) {
        StringBuilder line = new StringBuilder();
        try {
            packets.wrap(tailer.payload(), tailer.position());
            while (packets.nextMessage()) {
                line.append(' ').append(hash(packets.message()));
            }
            if (packets.hasMetadata()) {
                line.append(' ').append(packets.metadata().operation());
            }
        } catch (PersistException typed) {
            line.append(' ').append(typed.getClass().getSimpleName());
        }
        return line.toString();
    }

    /** That both began with the same records, whichever got further. */
    void checkAgrees(Reading other) {
        int common = Math.min(records.size(), other.records.size());
        Use.requireSame(records.subList(0, common), other.records.subList(0, common), "the records differ");
    }

    /** That each record lies in the files where it says, with a checksum that fits. */
    void checkLiesIn(SortedMap<String, byte[]> files) {
        for (String line : records) {
            long position = Long.parseLong(line.substring(0, line.indexOf(':')));
            Use.require(isWhole(position, files), "there is no such record: " + line);
        }
    }

    private static boolean isWhole(long position, SortedMap<String, byte[]> files) {
        return files.entrySet().stream().anyMatch(file -> {
            ByteBuffer bytes = ByteBuffer.wrap(file.getValue()).order(ByteOrder.LITTLE_ENDIAN);
            long base = LogFileName.basePosition(file.getKey()).orElse(Long.MAX_VALUE);
            long at = position - base;
            return at >= SegmentHeader.LENGTH && at < bytes.capacity() && isWhole(bytes, (int) at, base);
        });
    }

    private static boolean isWhole(ByteBuffer segment, int at, long base) {
        if (at + Frame.HEADER_LENGTH > segment.capacity()) {
            return false;
        }
        int length = Frame.length(segment, at);
        return length >= Frame.HEADER_LENGTH
                && length <= segment.capacity() - at
                && Frame.type(segment, at) == Frame.TYPE_RECORD
                && Frame.checksum(segment, at)
                        == new FrameChecksum(segment)
                                .of(at, length, segment.getLong(SegmentHeader.SALT_OFFSET), base + at);
    }

    /** What the last segment says that the log holds. */
    static LogContent content(SortedMap<String, byte[]> files) {
        LogContent content = LogContent.MESSAGES;
        for (String name : files.keySet()) {
            long base = LogFileName.basePosition(name).orElse(-1);
            byte[] bytes = files.get(name);
            if (base >= 0) {
                try {
                    content = SegmentHeader.decode(ByteBuffer.wrap(bytes), name, bytes.length, base)
                            .content();
                } catch (PersistException damaged) {
                    // Another one says it.
                }
            }
        }
        return content;
    }
}
