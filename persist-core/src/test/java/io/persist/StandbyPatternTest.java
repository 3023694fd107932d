package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogLockedException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.Buffers;
import io.persist.support.ChildJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/patterns.md shows of a standby, run; {@link GuideSnippetsTest} compares the two texts. */
@Timeout(120)
class StandbyPatternTest {

    @TempDir
    private Path directory;

    // snippet: patterns-standby
    /** Keeps a state that follows the log of another process, and goes on as the writer once that process is gone. */
    static final class Standby implements AutoCloseable {

        private final LogConfig config;
        private final Consumer<ByteBuffer> state;
        private final Tailer tailer;

        /** The number of the last record that the state has. */
        private long applied;

        Standby(Path directory, Consumer<ByteBuffer> state) {
            this.config = LogConfig.builder(directory)
                    .lockTimeout(Duration.ofMillis(20)) // the pause between two looks at the log
                    .build();
            this.state = state;
            this.tailer = Tailer.open(
                    directory,
                    TailerConfig.builder().readScope(ReadScope.SYNCED).build());
            tailer.toSequence(1); // a state needs all events
        }

        /** Returns when this process is the writer, and the state has all that the log has. */
        MessageLogger takeOver() throws InterruptedException {
            while (true) {
                follow();
                MessageLogger logger;
                try {
                    logger = MessageLogger.open(config);
                } catch (LogLockedException held) { // the writer lives, or this thread was interrupted
                    if (Thread.interrupted()) {
                        throw new InterruptedException(held.getMessage());
                    }
                    continue;
                }
                return goOn(logger);
            }
        }

        private void follow() {
            while (tailer.next()) {
                state.accept(tailer.payloadUntilNext());
                applied = tailer.sequence();
            }
        }

        /** Nobody else writes any more. */
        private MessageLogger goOn(MessageLogger logger) {
            logger.sync(); // a kill leaves records that are not synced, and the tailer has not shown these
            follow();
            if (applied != logger.lastSequence()) {
                logger.close();
                throw new IllegalStateException("the state has the records up to " + applied + ", the log up to "
                        + logger.lastSequence() + ": make the state anew");
            }
            return logger;
        }

        @Override
        public void close() {
            tailer.close();
        }
    }
    // end

    /** Adds up what the records have. */
    private static final class Sum implements Consumer<ByteBuffer> {

        private volatile long count;
        private volatile long sum;

        @Override
        public void accept(ByteBuffer record) {
            sum += record.getLong();
            count++;
        }
    }

    /** Appends the numbers from 1 on, and says of each hundredth that it is synced, until it is told to end. */
    static final class Writer {

        private static volatile boolean isTold;

        public static void main(String[] arguments) throws IOException {
            LogConfig config = LogConfig.builder(Path.of(arguments[0]))
                    .segmentLength(64 << 10)
                    .build();
            Thread ear = new Thread(() -> {
                try {
                    ChildJvm.questions().readLine();
                } catch (IOException gone) {
                    // As if it was told.
                }
                isTold = true;
            });
            ear.start();
            try (MessageLogger logger = MessageLogger.open(config)) {
                for (long number = 1; !isTold; number++) {
                    logger.append(Buffers.longBytes(number));
                    logger.commit(number % 100 == 0 ? Durability.SYNCED : Durability.BUFFERED);
                    if (number % 100 == 0) {
                        System.out.println(number);
                    }
                }
            }
            System.out.println("closed");
        }
    }

    /** A standby that takes over on a thread of its own. */
    private static final class TakeOver {

        private final FutureTask<MessageLogger> task;
        private final Thread thread;

        TakeOver(Standby standby) {
            task = new FutureTask<>(standby::takeOver);
            thread = new Thread(task, "standby");
            thread.start();
        }

        /** The logger, whose owner has ended. */
        MessageLogger logger() throws Exception {
            thread.join();
            return task.get();
        }
    }

    /** The numbers are those from 1 on, each once, and all of them are safe. */
    private static void check(MessageLogger logger, Sum state, long acknowledged) {
        long last = logger.lastSequence();
        assertThat(last).isGreaterThanOrEqualTo(acknowledged);
        assertThat(logger.syncedPosition()).isEqualTo(logger.position());
        assertThat(state.count).isEqualTo(last);
        assertThat(state.sum).isEqualTo(last * (last + 1) / 2);
    }

    /** What the writer has said last, before it ended. */
    private static String last(ChildJvm writer, String heard) throws IOException {
        String last = heard;
        for (String more = heard; more != null; more = writer.hear()) {
            last = more;
        }
        return last;
    }

    @Test
    void shouldGoOnWhereAWriterWasKilled() throws Exception {
        Sum state = new Sum();
        try (ChildJvm writer = ChildJvm.startBriefly(Writer.class, directory)) {
            String heard = writer.hear(); // there is a log
            try (Standby standby = new Standby(directory, state)) {
                TakeOver next = new TakeOver(standby);
                Await.until("it follows", () -> state.count > 200);
                writer.kill();
                long acknowledged = Long.parseLong(last(writer, heard));
                try (MessageLogger logger = next.logger()) {
                    check(logger, state, acknowledged);
                    logger.append(Buffers.longBytes(state.count + 1));
                }
            }
        }
        Sum again = new Sum();
        try (Standby reader = new Standby(directory, again);
                MessageLogger logger = reader.takeOver()) {
            check(logger, again, state.count + 1);
        }
    }

    @Test
    void shouldGoOnWhereAWriterHasClosedTheLog() throws Exception {
        Sum state = new Sum();
        try (ChildJvm writer = ChildJvm.startBriefly(Writer.class, directory)) {
            String heard = writer.hear();
            try (Standby standby = new Standby(directory, state)) {
                TakeOver next = new TakeOver(standby);
                Await.until("it follows", () -> state.count > 200);
                writer.tell("end");
                assertThat(last(writer, heard)).isEqualTo("closed");
                try (MessageLogger logger = next.logger()) {
                    check(logger, state, state.count);
                }
            }
        }
    }

    @Test
    void shouldStandByNoMoreOnceItIsInterrupted() throws Exception {
        Sum state = new Sum();
        try (MessageLogger writer =
                        MessageLogger.open(LogConfig.builder(directory).build());
                Standby standby = new Standby(directory, state)) {
            writer.append(Buffers.longBytes(1));
            writer.sync();
            TakeOver next = new TakeOver(standby);
            Await.until("it follows", () -> state.count == 1);
            next.thread.interrupt();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(next::logger)
                    .withCauseInstanceOf(InterruptedException.class);
            writer.append(Buffers.longBytes(2));
        }
    }
}
