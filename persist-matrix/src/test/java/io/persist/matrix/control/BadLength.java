package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.error.CorruptLogException;
import io.persist.format.Frame;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** A length that cannot be stands where the next frame would. It ends the log, for an opening and for a reader. */
public final class BadLength implements Exercise {

    private static final int[] LENGTHS = {
        1,
        Frame.HEADER_LENGTH - 1,
        Subject.SEGMENT_LENGTH,
        Subject.SEGMENT_LENGTH + 1,
        1 << 30,
        Integer.MAX_VALUE - 8,
        Integer.MAX_VALUE,
        -1,
        -Frame.HEADER_LENGTH,
        Integer.MIN_VALUE
    };

    @Override
    public Row row() {
        return Row.BAD_LENGTH;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(Subject.named("message-mapped-attached"));
    }

    @Override
    public void run(Subject subject, Effort effort) {
        CrashableStorage storage = new CrashableStorage();
        MessageLogger logger = SameLength.open(subject, storage);
        SameLength.append(logger, 'a', 5, 100);
        logger.sync();
        int end = (int) logger.position();
        for (int length : LENGTHS) { // as long as there is a writer, nothing but the length tells a reader
            put(storage, end, length);
            read(subject, storage, length);
            put(storage, end, 0);
        }
        for (int length : LENGTHS) {
            CrashableStorage cut = storage.crash(new Random(0), Loss.ALL_KEPT);
            put(cut, end, length);
            read(subject, cut, length);
            assertThat(SameLength.lives(subject, cut))
                    .as("found before length %d", length)
                    .isEqualTo("aaaaa");
            effort.tried(1);
        }
        SameLength.leave(storage, logger);
    }

    private static void put(CrashableStorage storage, int end, int length) {
        byte[] bytes = storage.content(SameLength.FIRST);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(end + Frame.LENGTH_OFFSET, length);
        storage.replace(SameLength.FIRST, bytes);
    }

    private static void read(Subject subject, CrashableStorage storage, int length) {
        try (Tailer tailer = subject.tailer(storage)) {
            assertThat(SameLength.read(tailer))
                    .as("read before length %d", length)
                    .isEqualTo("aaaaa");
        } catch (CorruptLogException refused) {
            // A reader cannot tell the end of the log from damage, and may say so.
        }
    }
}
