package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.format.Frame;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.StackEnd;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Appends deep in a recursion, for which there is too little stack. The application may catch that, and go on. */
class LittleStackTest {

    /** Wherever in an append there is no stack left. */
    @ParameterizedTest
    @MappedAndFile
    void shouldLoseNothingThatIsCommittedAfterTheStackWasFull(WriterKind kind) throws Exception {
        for (int round = 0; round < 10; round++) {
            CrashableStorage storage = new CrashableStorage();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            int depth = round;
            Thread thread = new Thread(null, () -> fillStack(kind, storage, depth), "deep", 256 << 10);
            thread.setUncaughtExceptionHandler((where, thrown) -> failure.set(thrown));
            thread.start();
            thread.join();
            assertThat(failure.get()).as("round %d", round).isNull();
        }
    }

    private static void fillStack(WriterKind kind, CrashableStorage storage, int start) {
        Log log = Log.open(kind.config().build(), storage);
        Throwable full = catchThrowable(() -> appendDeeper(log, start));
        assertThat(full).isInstanceOf(Throwable.class);
        Throwable after = catchThrowable(() -> {
            for (int i = 0; i < 50; i++) {
                log.append(new byte[200], 0, 200);
                log.commit(Durability.SYNCED);
            }
        });
        if (after == null) {
            assertThat(count(log)).isEqualTo(log.lastSequence());
        } else {
            assertThat(after).isInstanceOf(LogIOException.class);
        }
        assertThat(catchThrowable(log::close) != null).as("the end says so too").isEqualTo(after != null);
    }

    private static int appendDeeper(Log log, int depth) {
        log.append(new byte[100 + depth % 97], 0, 100 + depth % 97);
        return appendDeeper(log, depth + 1) + 1;
    }

    private static long count(Log log) {
        long last = 0;
        try (Tailer tailer = log.tailer()) {
            while (tailer.next()) {
                last = tailer.sequence();
            }
        }
        return last;
    }

    /** At every depth: interpreted, an append needs the same stack each time. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void shouldClearAwayARecordForWhichThereWasTooLittleStack(Way way) throws Exception {
        assertThat(StackEnd.hear(LittleStack.class, way)).isEqualTo("some were half there, and nothing is wrong");
    }

    /** How a record comes. */
    enum Way {
        ARRAY {
            @Override
            void append(Log log, byte[] record) {
                log.append(record, 0, record.length);
            }
        },
        BUFFER {
            @Override
            void append(Log log, byte[] record) {
                log.append(ByteBuffer.wrap(record));
            }
        },
        CLAIM {
            @Override
            void append(Log log, byte[] record) {
                Claim claim = log.claim(record.length);
                try {
                    claim.payload().put(record);
                    claim.publish();
                } finally {
                    claim.abort();
                }
            }
        };

        abstract void append(Log log, byte[] record);
    }

    static final class LittleStack {

        private static final int LENGTH = 20_000;
        private static final byte[] LONG = new byte[LENGTH];
        private static final byte[] SHORT = new byte[8];

        static {
            Arrays.fill(LONG, (byte) 1);
        }

        private final Way way;
        private int halfThere;
        private boolean ended = true;

        private LittleStack(Way way) {
            this.way = way;
        }

        public static void main(String[] arguments) throws InterruptedException {
            LittleStack test = new LittleStack(Way.valueOf(arguments[0]));
            StackEnd.print(test::run);
        }

        private String run() {
            String wrong = "";
            for (int levels = 0; ended && wrong.isEmpty(); levels++) {
                wrong = goOn(levels) + close(levels);
            }
            return (halfThere > 0 ? "some were" : "none was") + " half there, and "
                    + (wrong.isEmpty() ? "nothing is wrong" : wrong);
        }

        private String goOn(int levels) {
            CrashableStorage storage = new CrashableStorage();
            try (Log log = open(storage)) {
                appendAbove(levels, log);
                int end = (int) log.position();
                byte[] segment = storage.content("00000000000000000000.log");
                if (ended && segment[end + Frame.HEADER_LENGTH] != 0) {
                    halfThere++;
                }
                way.append(log, SHORT);
                log.commit(Durability.SYNCED);
                return count(log) == log.lastSequence() ? "" : levels + " calls above the end: a record is lost";
            } catch (RuntimeException | Error e) {
                return levels + " calls above the end: " + e;
            }
        }

        private String close(int levels) {
            CrashableStorage storage = new CrashableStorage();
            Log log = open(storage);
            appendAbove(levels, log);
            log.close();
            try (Log again = open(storage)) {
                return again.recovery().cut().bytes() == 0 && count(again) == again.lastSequence()
                        ? ""
                        : again.recovery().describe();
            }
        }

        private Log open(CrashableStorage storage) {
            Log log =
                    Log.open(WriterKind.MAPPED.config().segmentLength(64 << 10).build(), storage);
            way.append(log, SHORT);
            way.append(log, SHORT);
            return log;
        }

        /** Appends a long record from so many calls above the end of the stack. */
        private void appendAbove(int levels, Log log) {
            ended = StackEnd.isIn(() -> way.append(log, LONG), levels);
        }
    }
}
