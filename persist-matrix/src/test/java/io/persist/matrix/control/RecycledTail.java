package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.RecoveryReport;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * A file that was used before has whole messages of its earlier life behind the end of the log, at the places where the
 * next ones come. For readers of the log and for an opening it ends before them all the same, and nothing is cut.
 */
public final class RecycledTail implements Exercise {

    private static final int PAGE = 4096;

    /** Of such a file only the first page is zeroed when it is used again. */
    private static final int LENGTH = 4 * PAGE;

    private static final int MESSAGE = 40;
    private static final int FRAME = 64;

    /** How many messages there are in such a file: on the first page, up to its end, and to that of the second one. */
    private static final List<Integer> COUNTS = List.of(1, 63, 100, 127);

    private static final int MOST_SEGMENTS = 20;

    @Override
    public Row row() {
        return Row.RECYCLED_FILE;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attachedMessages();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        for (int count : COUNTS) {
            Loss other = Loss.values()[count % Loss.values().length];
            for (Loss loss : effort.isNightly() ? List.of(Loss.values()) : List.of(Loss.ALL_LOST, other)) {
                new Case(subject, count).die(loss);
                new Case(subject, count).closeAndMountAnew(loss);
                effort.tried(2);
            }
        }
    }

    private static final class Case {

        private final Subject subject;
        private final int count;
        private final CrashableStorage storage = new CrashableStorage();
        private final String messages;

        /** Where the file begins. */
        private long base;

        Case(Subject subject, int count) {
            this.subject = subject;
            this.count = count;
            this.messages = "a" + "b".repeat(count - 1);
        }

        private MessageLogger open(CrashableStorage of) {
            return MessageLogger.open(
                    subject.configuring(Path.of("memory")).segmentLength(LENGTH).build(), of);
        }

        private MessageLogger fill() {
            MessageLogger logger = open(storage);
            rollIntoAFileUsedBefore(logger);
            SameLength.append(logger, 'b', count - 1, MESSAGE);
            logger.flush();
            checkReaders(storage, "of the living");
            logger.sync();
            return logger;
        }

        void die(Loss loss) {
            MessageLogger logger = fill();
            CrashableStorage killed = storage.afterKill();
            CrashableStorage cut = storage.crash(new Random(count), loss);
            SameLength.leave(storage, logger);
            checkLeft(killed);
            checkCut(cut, loss);
        }

        void closeAndMountAnew(Loss loss) {
            fill().close();
            checkCut(storage.afterRemount(new Random(count), loss), loss);
        }

        private void checkCut(CrashableStorage left, Loss loss) {
            int end = SegmentHeader.LENGTH + FRAME * count;
            if (loss == Loss.ALL_LOST && end % PAGE == 0) {
                assertThat(left.content(LogFileName.segment(base))[end])
                        .as("what an earlier life has left where the next message comes")
                        .isNotZero();
            }
            checkLeft(left);
        }

        /** Appends until the first message of a segment is in a file that was used before. */
        private void rollIntoAFileUsedBefore(MessageLogger logger) {
            for (int i = 0; !SameLength.isUsedBefore(storage, base); i++) {
                assertThat(i)
                        .as("segments, none in a file that was used before")
                        .isLessThan(MOST_SEGMENTS);
                Await.filled("segments are ahead", () -> segmentsAhead(logger) >= 2);
                long rolls = logger.statistics().rolls();
                while (logger.statistics().rolls() == rolls) {
                    SameLength.append(logger, 'a', 1, MESSAGE);
                }
                base = logger.position() / LENGTH * LENGTH;
                logger.retire(logger.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            }
        }

        private static long segmentsAhead(MessageLogger logger) {
            return logger.statistics().segmentsFilled() - logger.statistics().rolls();
        }

        private void checkReaders(CrashableStorage of, String writer) {
            for (ReadMode mode : ReadMode.values()) {
                try (Tailer tailer = subject.tailer(of, ReadScope.PUBLISHED, mode)) {
                    tailer.toPosition(base + SegmentHeader.LENGTH);
                    assertThat(SameLength.read(tailer))
                            .as("what a reader sees, %s, of a log %s", mode, writer)
                            .isEqualTo(messages);
                }
            }
        }

        private void checkLeft(CrashableStorage left) {
            checkReaders(left, "of the dead");
            try (MessageLogger logger = open(left)) {
                assertThat(logger.recovery().cut())
                        .as(logger.recovery().describe())
                        .isEqualTo(RecoveryReport.Cut.NOTHING);
                assertThat(messages(logger)).as("found by an opening").isEqualTo(messages);
                SameLength.append(logger, 'c', 3, MESSAGE);
            }
            try (MessageLogger logger = open(left)) {
                assertThat(messages(logger)).as("found by the next opening").isEqualTo(messages + "ccc");
            }
        }

        private String messages(MessageLogger logger) {
            try (Tailer tailer = logger.tailer()) {
                tailer.toPosition(base + SegmentHeader.LENGTH);
                return SameLength.read(tailer);
            }
        }
    }
}
