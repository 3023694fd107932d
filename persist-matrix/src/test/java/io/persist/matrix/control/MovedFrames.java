package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.MessageLogger;
import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.List;
import java.util.Random;

/**
 * Whole frames stand behind the end of a log that are not its own: those of another log, of another place, or of
 * another life. No opening and no reader takes them for records.
 */
public final class MovedFrames implements Exercise {

    private static final int LENGTH = 104;
    private static final int FRAME_LENGTH = 128;
    private static final int SYNCED = 5;

    @Override
    public Row row() {
        return Row.MISDIRECTED;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attachedMessages();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        framesOfAnotherLog(subject);
        frameOfAnotherPlace(subject);
        frameOfAnotherLife(subject);
        segmentOfAnotherLog(subject);
        effort.tried(4);
    }

    /** What a power cut leaves of a log after {@code count} messages, all of them synced. */
    private static CrashableStorage log(Subject subject, char life, int count) {
        return goOn(subject, new CrashableStorage(), life, count, LENGTH);
    }

    private static CrashableStorage goOn(Subject subject, CrashableStorage storage, char life, int count, int length) {
        MessageLogger logger = SameLength.open(subject, storage);
        SameLength.append(logger, life, count, length);
        logger.sync();
        CrashableStorage left = storage.crash(new Random(0), Loss.ALL_KEPT);
        SameLength.leave(storage, logger);
        return left;
    }

    private static CrashableStorage copy(CrashableStorage storage) {
        return storage.crash(new Random(0), Loss.ALL_KEPT);
    }

    private static long end(int frames) {
        return 64 + (long) frames * FRAME_LENGTH;
    }

    /** In {@code log}, the frame at {@code at} is the one that {@code other} has there. */
    private static void check(Subject subject, CrashableStorage log, CrashableStorage other, long at, String expected) {
        byte[] bytes =
                SameLength.with(log.content(SameLength.FIRST), other.content(SameLength.FIRST), at, at + FRAME_LENGTH);
        log.replace(SameLength.FIRST, bytes);
        try (Tailer tailer = subject.tailer(log)) {
            assertThat(SameLength.read(tailer)).as("seen by a reader").isEqualTo(expected);
        } catch (CorruptLogException refused) {
            // A reader cannot tell the end of the log from damage, and may say so.
        }
        assertThat(SameLength.lives(subject, log)).as("found by an opening").isEqualTo(expected);
    }

    private static void framesOfAnotherLog(Subject subject) {
        CrashableStorage own = log(subject, 'a', SYNCED);
        CrashableStorage other = log(subject, 'b', SYNCED + 1);
        check(subject, own, other, end(SYNCED), "aaaaa");
    }

    private static void frameOfAnotherPlace(Subject subject) {
        CrashableStorage own = log(subject, 'a', SYNCED);
        CrashableStorage other = goOn(subject, copy(own), 'b', 2, LENGTH);
        CrashableStorage shorter = goOn(subject, copy(own), 'c', 1, LENGTH - 8);
        long end = end(SYNCED + 1) - 8;
        byte[] bytes = shorter.content(SameLength.FIRST);
        byte[] next = other.content(SameLength.FIRST);
        System.arraycopy(next, (int) end(SYNCED + 1), bytes, (int) end, FRAME_LENGTH);
        shorter.replace(SameLength.FIRST, bytes);
        assertThat(SameLength.lives(subject, shorter)).isEqualTo("aaaaac");
    }

    private static void frameOfAnotherLife(Subject subject) {
        CrashableStorage own = log(subject, 'a', SYNCED);
        CrashableStorage other = goOn(subject, copy(own), 'b', 3, LENGTH);
        CrashableStorage longer = goOn(subject, copy(own), 'c', 1, LENGTH + FRAME_LENGTH);
        check(subject, longer, other, end(SYNCED + 2), "aaaaac");
    }

    /** All of a segment, with its header, in the place of one that was acknowledged. */
    private static void segmentOfAnotherLog(Subject subject) {
        CrashableStorage own = log(subject, 'a', 2 * Subject.SEGMENT_LENGTH / FRAME_LENGTH);
        CrashableStorage other = log(subject, 'b', 2 * Subject.SEGMENT_LENGTH / FRAME_LENGTH);
        String second = LogFileName.segment(Subject.SEGMENT_LENGTH);
        own.replace(second, other.content(second));
        assertThatThrownBy(() -> SameLength.lives(subject, own))
                .as("an opening of a log with a segment of another one")
                .isInstanceOf(CorruptLogException.class);
    }
}
