package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.support.Records;
import io.persist.support.StackEnd;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a log does seldom, deep in a recursion, where there is too little stack for it. The application may catch that,
 * and go on. The JVMs interpret, so that a call needs the same stack each time.
 */
class LittleStackTest {

    /** From there on nothing of it went wrong, also when nobody looked how much stack there was. */
    private static final int MOST_LEVELS = 120;

    @Test
    void shouldCloseAllOrNothing() throws IOException {
        String right = ": some stayed open, and nothing is wrong";
        assertThat(StackEnd.hear(Closing.class, WriterKind.MAPPED, WriterKind.FILE_RW))
                .isEqualTo(WriterKind.MAPPED + right + ", " + WriterKind.FILE_RW + right);
    }

    static final class Closing {

        private final WriterKind kind;
        private int stayed;

        private Closing(WriterKind kind) {
            this.kind = kind;
        }

        public static void main(String[] arguments) throws InterruptedException {
            StackEnd.print(() -> Stream.of(arguments)
                    .map(kind -> kind + ": " + new Closing(WriterKind.valueOf(kind)).run())
                    .collect(Collectors.joining(", ")));
        }

        private String run() {
            String wrong = close(Integer.MAX_VALUE); // never: the classes are there from now on
            for (int levels = 0; levels < MOST_LEVELS && wrong.isEmpty(); levels += 8) {
                wrong = close(levels);
            }
            return (stayed > 0 ? "some" : "none") + " stayed open, and "
                    + (wrong.isEmpty() ? "nothing is wrong" : wrong);
        }

        private String close(int levels) {
            CrashableStorage storage = new CrashableStorage();
            Log log = Log.open(kind.config().build(), storage);
            if (StackEnd.isIn(log::close, levels)) {
                stayed++;
                try {
                    Records.append(log);
                } catch (IllegalStateException closed) {
                    return levels + " calls above the end: " + closed;
                }
            }
            log.close();
            int open = storage.openHandles();
            try (Log again = Log.open(kind.config().build(), storage)) {
                return open == 0 && again.recovery().start() == Left.CLOSED
                        ? ""
                        : levels + " calls above the end: " + open + " open, " + again.recovery();
            }
        }
    }

    /** It closes its log in the middle. */
    @Test
    void shouldCloseAStoreWholeOrNotAtAll() throws IOException {
        assertThat(StackEnd.hear(ClosingStore.class)).isEqualTo("some stayed open, and nothing is wrong");
    }

    static final class ClosingStore {

        private static final StoreConfig CONFIG =
                StoreConfig.builder(WriterKind.MAPPED.config().build()).build();

        public static void main(String[] arguments) throws InterruptedException {
            StackEnd.print(ClosingStore::run);
        }

        private static String run() {
            close(Integer.MAX_VALUE);
            int low = 0;
            int high = 1 << 14;
            while (high - low > 1) { // the least stack with which it begins
                int middle = low + (high - low) / 2;
                if (close(middle)) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            int stayed = 0;
            for (int levels = low - 10; levels < low + 10; levels++) {
                stayed += close(levels) ? 1 : 0;
            }
            return (stayed > 0 ? "some" : "none") + " stayed open, and nothing is wrong";
        }

        private static boolean close(int levels) {
            CrashableStorage storage = new CrashableStorage();
            StoreLogger store = StoreLogger.open(CONFIG, storage, storage);
            boolean stayed = StackEnd.isIn(store::close, levels);
            store.close();
            if (storage.openHandles() > 0) {
                throw new AssertionError(levels + " calls above the end: " + storage.openHandles() + " open");
            }
            return stayed;
        }
    }

    /** Else its cursor would be locked, and the log hold what it has not read, as long as the process lives. */
    @Test
    void shouldCloseATailerWholeOrNotAtAll() throws IOException {
        assertThat(StackEnd.hear(ClosingTailer.class)).isEqualTo("some stayed open, and nothing is wrong");
    }

    static final class ClosingTailer {

        private static final String NAME = "first";

        public static void main(String[] arguments) throws InterruptedException {
            StackEnd.print(ClosingTailer::run);
        }

        private static String run() {
            CrashableStorage storage = new CrashableStorage();
            int stayed = 0;
            int held;
            try (Log log = WriterKind.MAPPED.openWithRolls(storage, 3)) {
                close(log, Integer.MAX_VALUE); // never: the classes are there from now on
                for (int levels = 0; levels < MOST_LEVELS; levels++) {
                    stayed += close(log, levels) ? 1 : 0;
                }
                new LogCursors(storage).remove(NAME);
                held = log.planRetention(RetentionRule.keepBytes(0)).held().size();
            }
            return (stayed > 0 ? "some" : "none") + " stayed open, and "
                    + (held + storage.openHandles() == 0
                            ? "nothing is wrong"
                            : held + " segments are held, " + storage.openHandles() + " files are open");
        }

        /** Whether the end of the stack came first; then it is closed once more. */
        private static boolean close(Log log, int levels) {
            Tailer tailer = log.tailer(NAME);
            tailer.next();
            boolean stayed = StackEnd.isIn(tailer::close, levels);
            if (stayed) {
                tailer.next(); // it is as it was
            }
            tailer.close();
            return stayed;
        }
    }

    /** Else the JVM refuses a class for good whose first use was there. */
    @Test
    void shouldRetireWhenTheFirstAttemptsHadTooLittleStack() throws IOException {
        assertThat(StackEnd.hear(Retiring.class)).isEqualTo("attempts in vain, then 3 segments are gone");
    }

    static final class Retiring {

        public static void main(String[] arguments) throws InterruptedException {
            StackEnd.print(Retiring::run);
        }

        private static String run() {
            CrashableStorage storage = new CrashableStorage();
            try (Log log = WriterKind.MAPPED.openWithRolls(storage, 3)) {
                int inVain = 0;
                for (int levels = 0; levels < MOST_LEVELS; levels++) {
                    inVain += isInVain(() -> retire(log), levels) ? 1 : 0;
                    inVain += isInVain(() -> log.tailer("first").close(), levels) ? 1 : 0;
                }
                log.tailer().close();
                return (inVain > 0 ? "attempts in vain" : "none in vain") + ", then " + retire(log)
                        + " segments are gone";
            }
        }

        private static boolean isInVain(Runnable attempt, int levels) {
            boolean[] isRefused = {false};
            boolean ended = StackEnd.isIn(
                    () -> {
                        try {
                            attempt.run();
                        } catch (LinkageError e) {
                            isRefused[0] = true;
                        }
                    },
                    levels);
            return ended || isRefused[0];
        }

        private static int retire(Log log) {
            int before = log.planRetention(RetentionRule.keepBytes(0)).retired().size();
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.DELETE);
            return before;
        }
    }
}
