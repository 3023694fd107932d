package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.format.LogFileName;
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
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The volume fails, or the power, and of all that was not synced it has one page of a segment that was prepared in a
 * file used before. The page begins a message that the next opening does not find. The next life appends messages of the
 * same length, and all but this page gets to the device before the power goes again: the old page and the new ones next
 * to it make no message.
 */
public final class RecycledAhead implements Exercise {

    private static final int PAGE = 4096;
    private static final int PAGES = 8;
    private static final int LENGTH = PAGES * PAGE;

    /** No page has the whole of one. */
    private static final int MESSAGE = 6000;

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
        for (int page = 0; page < PAGES; page++) {
            new Case(subject, page).fail(true);
            new Case(subject, page).fail(false);
            effort.tried(2);
        }
    }

    private static final class Case {

        private final Subject subject;
        private final int page;
        private final CrashableStorage storage = new CrashableStorage();

        /** Where the segment begins that is prepared. */
        private long base;

        Case(Subject subject, int page) {
            this.subject = subject;
            this.page = page;
        }

        private MessageLogger open(CrashableStorage of) {
            return MessageLogger.open(
                    subject.configuring(Path.of("memory")).segmentLength(LENGTH).build(), of);
        }

        void fail(boolean runsOn) {
            MessageLogger first = open(storage);
            prepareInAFileUsedBefore(first);
            first.sync();
            int count = appendUntilBehind(first);
            first.flush();
            byte[] written = storage.content(file());
            CrashableStorage left = runsOn
                    ? storage.afterRemount(new Random(page), Loss.ALL_LOST)
                    : storage.crash(new Random(page), Loss.ALL_LOST);
            SameLength.leave(storage, first);
            replacePage(left, written);

            MessageLogger second = open(left);
            for (int i = 0; i < count; i++) {
                second.append(message('c', 'z'));
            }
            second.flush();
            byte[] onTheDevice = left.durableContent(file());
            CrashableStorage last = left.crash(new Random(page), Loss.ALL_KEPT);
            SameLength.leave(left, second);
            replacePage(last, onTheDevice);
            assertThat(lives(last))
                    .as("page %d of the segment ahead was kept, and then it alone was not written", page)
                    .matches("a+c*");
        }

        private String file() {
            return LogFileName.segment(base);
        }

        private void replacePage(CrashableStorage of, byte[] other) {
            of.replace(file(), SameLength.with(of.content(file()), other, page * PAGE, (page + 1) * PAGE));
        }

        /** The begin tells lives apart; the rest of a message is the same in two of them. */
        private static byte[] message(char life, char rest) {
            byte[] message = new byte[MESSAGE];
            Arrays.fill(message, (byte) rest);
            message[0] = (byte) life;
            return message;
        }

        /** Appends until the next segment is prepared in a file that was used before. */
        private void prepareInAFileUsedBefore(MessageLogger logger) {
            boolean isReady = false;
            for (int i = 0; !isReady; i++) {
                assertThat(i)
                        .as("segments, and the next one in no file that was used before")
                        .isLessThan(MOST_SEGMENTS);
                long rolls = logger.statistics().rolls();
                while (logger.statistics().rolls() == rolls) {
                    logger.append(message('a', 'a'));
                }
                base = logger.position() / LENGTH * LENGTH + LENGTH;
                logger.retire(logger.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
                Await.filled(
                        "a segment is ahead",
                        () -> logger.statistics().segmentsFilled()
                                > logger.statistics().rolls());
                isReady = SameLength.isUsedBefore(storage, base);
            }
        }

        /** Appends until the segment is full; returns how many messages that took. */
        private int appendUntilBehind(MessageLogger logger) {
            int count = 0;
            while (logger.position() < base + LENGTH) {
                logger.append(message('b', 'z'));
                count++;
            }
            return count;
        }

        /** The lives of the messages that an opening finds, in their order. */
        private String lives(CrashableStorage of) {
            StringBuilder lives = new StringBuilder();
            try (MessageLogger logger = open(of);
                    Tailer tailer = logger.tailer()) {
                while (tailer.next()) {
                    lives.append((char) tailer.payload().get());
                }
            }
            return lives.toString();
        }
    }
}
