package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.read.Tailer;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.PowerCut;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Logs of messages whose lengths are chosen, so that a frame of one fits where one of another was: what is left of an
 * earlier life would go on the log, if nothing but its place told it.
 */
final class SameLength {

    /** The file of the log's first segment. */
    static final String FIRST = LogFileName.segment(0);

    private SameLength() {}

    static MessageLogger open(Subject subject, Storage storage) {
        return MessageLogger.open(subject.config(Path.of("memory")), storage);
    }

    /**
     * Whether the segment that begins at {@code base} is in a file that was used before: as the file says, and not as a
     * build that may be broken has it.
     */
    static boolean isUsedBefore(CrashableStorage storage, long base) {
        ByteBuffer header =
                ByteBuffer.wrap(storage.content(LogFileName.segment(base))).order(ByteOrder.LITTLE_ENDIAN);
        return (header.getInt(SegmentHeader.FLAGS_OFFSET) & SegmentHeader.FLAG_REUSED) != 0;
    }

    /** Appends {@code count} messages of {@code length} bytes, all {@code life}; returns where each ends. */
    static List<Long> append(MessageLogger logger, char life, int count, int length) {
        byte[] message = new byte[length];
        Arrays.fill(message, (byte) life);
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ends.add(logger.append(message));
        }
        return ends;
    }

    /** The lives of the messages that an opening finds, in their order, like {@code aaab}. */
    static String lives(Subject subject, Storage storage) {
        try (MessageLogger logger = open(subject, storage);
                Tailer tailer = logger.tailer()) {
            return read(tailer);
        }
    }

    /** The same of what {@code tailer} still has. */
    static String read(Tailer tailer) {
        StringBuilder lives = new StringBuilder();
        while (tailer.next()) {
            ByteBuffer message = tailer.payload();
            byte life = message.get();
            while (message.hasRemaining()) {
                assertThat(message.get())
                        .as("a byte of message %d", tailer.sequence())
                        .isEqualTo(life);
            }
            lives.append((char) life);
        }
        return lives.toString();
    }

    /** Ends the threads of a logger whose storage is off, or is to be. */
    static void leave(CrashableStorage storage, MessageLogger logger) {
        storage.powerOff(new PowerCut("left"));
        try {
            logger.close();
        } catch (PersistException | PowerCut off) {
            // That is what became of it.
        }
    }

    /** A copy of {@code bytes} in which {@code [from, to)} is that of {@code other}. */
    static byte[] with(byte[] bytes, byte[] other, long from, long to) {
        byte[] changed = bytes.clone();
        System.arraycopy(other, (int) from, changed, (int) from, (int) (to - from));
        return changed;
    }
}
