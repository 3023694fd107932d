package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.ReadMode;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.support.DeadLog;
import io.persist.support.OwnThreads;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The n-th call of each kind fails, for n up to the first run in which none did: at night for every n, in a build for
 * each fifth one, of which the seed says the first.
 */
@ParameterizedClass
@EnumSource(WriterKind.class)
class FailStopTest {

    private static final int RECORDS_BEFORE = 50;
    private static final int RECORDS = 80;
    private static final int STRIDE = Seeds.isNightly() ? 1 : 5;
    private static final int FIRST = 1 + (int) (Seeds.seed() % STRIDE);

    @Parameter
    WriterKind kind;

    /** A log whose writer was killed, so that opening it has something to do. */
    private CrashableStorage past;

    @BeforeEach
    void writeThePast() {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(kind.config().build(), storage);
        Records.append(log, RECORDS_BEFORE);
        log.commit(Durability.SYNCED);
        past = storage.afterKill();
        DeadLog.end(log);
    }

    /** A run of a writer, and what it was told. */
    private final class Run {

        final Storage storage;
        long appended = RECORDS_BEFORE;
        long flushed = RECORDS_BEFORE;
        long synced = RECORDS_BEFORE;
        PersistException failure;

        Run(Storage storage) {
            this.storage = storage;
        }

        void run() {
            Log log;
            try {
                log = Log.open(kind.config().build(), storage);
            } catch (PersistException refused) {
                return;
            }
            for (int i = 0; i < RECORDS && failure == null; i++) {
                write(log, i);
            }
            if (failure != null) {
                checkThatEveryCallThrowsIt(log);
            }
            PersistException atClose = catchThrowableOfType(PersistException.class, log::close);
            if (failure != null) {
                assertThat(atClose).isNotNull().hasRootCause(root(failure));
            } else if (atClose == null) {
                flushed = appended;
                synced = appended;
            }
        }

        private void write(Log log, int i) {
            try {
                Records.append(log);
                appended = log.lastSequence();
                if (i % 3 == 2) {
                    Durability level = Durability.values()[i / 3 % 3];
                    log.commit(level);
                    flushed = level == Durability.BUFFERED ? flushed : appended;
                    synced = level == Durability.SYNCED ? appended : synced;
                }
                if (i == RECORDS / 2) {
                    log.retire(log.planRetention(RetentionRule.keepBytes(8192)), Retirement.RECYCLE);
                }
                if (i == RECORDS / 4) {
                    log.retire(log.planRetention(RetentionRule.keepBytes(8192)), Retirement.DELETE);
                }
            } catch (PersistException refused) {
                // Either the log has failed, or only this call: then the log goes on.
                failure = catchThrowableOfType(PersistException.class, () -> log.commit(Durability.BUFFERED));
                appended = Math.max(appended, log.lastSequence());
                if (failure != null) {
                    assertThat(failure).isSameAs(refused);
                }
            }
        }

        private Throwable root(Throwable failed) {
            Throwable root = failed;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            return root;
        }

        private void checkThatEveryCallThrowsIt(Log log) {
            assertThat(failure).isInstanceOf(LogIOException.class);
            long syncedPosition = log.syncedPosition();
            for (int i = 0; i < 2; i++) {
                assertThat(catchThrowable(() -> Records.append(log))).isSameAs(failure);
                assertThat(catchThrowable(() -> log.append(ByteBuffer.allocate(3))))
                        .isSameAs(failure);
                assertThat(catchThrowable(() -> log.claim(3))).isSameAs(failure);
                for (Durability level : Durability.values()) {
                    assertThat(catchThrowable(() -> log.commit(level))).isSameAs(failure);
                    assertThat(catchThrowable(() -> log.await(1, level, Duration.ZERO)))
                            .isSameAs(failure);
                }
                assertThat(catchThrowable(log::flush)).isSameAs(failure);
                assertThat(catchThrowable(log::sync)).isSameAs(failure);
                assertThat(catchThrowable(log::handOver)).isSameAs(failure);
            }
            assertThat(log.syncedPosition()).isEqualTo(syncedPosition);
        }
    }

    /** Runs it, and sees to it that neither a thread nor a handle is left. */
    private static void runAndLeaveNothing(CrashableStorage disk, OwnThreads.Task task) throws Exception {
        OwnThreads.run(task);
        assertThat(disk.openHandles()).as("open handles").isZero();
    }

    /** Opens the log again: it has at least {@code acknowledged} records, all of them right, and takes more. */
    private long checkLog(Storage disk, long acknowledged, long appended) {
        try (Log log = Log.open(kind.config().build(), disk);
                Tailer tailer = log.tailer()) {
            long last = log.lastSequence();
            assertThat(last).isBetween(acknowledged, appended);
            assertThat(tailer.next()).isTrue();
            Records.check(tailer.sequence(), tailer.payload(), tailer.sequence());
            long next = Records.readOn(tailer, tailer.sequence() + 1);
            assertThat(next).isEqualTo(last + 1);
            Records.append(log, 40);
            log.commit(Durability.SYNCED);
            assertThat(Records.readOn(tailer, next)).isEqualTo(last + 41);
            return last + 40;
        }
    }

    @ParameterizedTest
    @EnumSource(Verb.class)
    void shouldKeepWhatWasAcknowledgedWhenTheNthCallFails(Verb verb) {
        for (int n = FIRST; ; n += STRIDE) {
            CrashableStorage disk = past.afterKill();
            FaultyStorage faulty = new FaultyStorage(disk).fail(verb, n);
            Run run = new Run(faulty);
            check(disk, run, verb + " " + n);
            if (faulty.injected() == 0) {
                assertThat(run.failure).isNull();
                return;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Verb.class,
            names = {"CREATE", "WRITE", "SYNC", "FORCE", "MAP", "RENAME", "SYNC_DIRECTORY"})
    void shouldKeepWhatWasAcknowledgedWhenAllCallsFailFromTheNthOn(Verb verb) {
        for (int n = FIRST; ; n += STRIDE) {
            CrashableStorage disk = past.afterKill();
            FaultyStorage faulty = new FaultyStorage(disk).failFrom(verb, n);
            Run run = new Run(faulty);
            check(disk, run, verb + " from " + n);
            if (faulty.injected() == 0) {
                return;
            }
        }
    }

    @Test
    void shouldKeepWhatWasAcknowledgedWhenTheNthWriteIsShort() {
        for (int n = FIRST; ; n += STRIDE) {
            CrashableStorage disk = past.afterKill();
            FaultyStorage faulty = new FaultyStorage(disk).shortWrite(n);
            Run run = new Run(faulty);
            check(disk, run, "short write " + n);
            if (faulty.injected() == 0) {
                return;
            }
        }
    }

    private void check(CrashableStorage disk, Run run, String fault) {
        try {
            runAndLeaveNothing(disk, run::run);
            checkLog(disk.afterKill(), run.flushed, run.appended);
            checkLog(disk.crash(new Random(1), Loss.ALL_LOST), run.synced, run.appended);
            checkLog(disk.crash(new Random(2), Loss.RANDOM), run.synced, run.appended);
        } catch (Throwable e) {
            throw new AssertionError("after " + fault + ": " + e, e);
        }
    }

    /**
     * As the kernel has it: what a failed sync should have written is clean in memory and not on the device. What the log
     * shows after it was opened again must not vanish in a power cut.
     */
    @Test
    void shouldNotTrustThePagesThatAFailedSyncLeft() {
        for (int n = FIRST; ; n += STRIDE) {
            CrashableStorage disk = past.afterKill();
            int failing = disk.operations() + n;
            boolean[] failed = {false};
            disk.hook((number, what) -> {
                if (number == failing) {
                    failed[0] = true;
                    throw new IOException("Input/output error: " + what);
                }
            });
            Run run = new Run(disk);
            try {
                runAndLeaveNothing(disk, run::run);
                disk.hook((number, what) -> {});
                long last = checkLog(disk, run.flushed, run.appended);
                checkLog(disk.crash(new Random(n), Loss.ALL_LOST), last, last);
            } catch (Throwable e) {
                throw new AssertionError("after operation " + n + ": " + e, e);
            }
            if (!failed[0]) {
                assertThat(n).as("operations of a run").isGreaterThan(RECORDS / 2);
                return;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Verb.class,
            names = {"OPEN", "READ", "MAP", "LIST"})
    void shouldReadOnAfterAReadThatFailed(Verb verb) {
        CrashableStorage disk = past.afterKill();
        try (Log log = Log.open(kind.config().build(), disk)) {
            Records.append(log, 200);
        }
        for (ReadMode mode : ReadMode.values()) {
            TailerConfig config =
                    TailerConfig.builder().readMode(mode).readBufferLength(500).build();
            for (int n = 1; ; n++) {
                FaultyStorage faulty = new FaultyStorage(disk);
                try (Tailer tailer = Tailer.open(faulty, config)) {
                    faulty.fail(verb, n);
                    boolean failed = false;
                    long next = 1;
                    while (next <= RECORDS_BEFORE + 200) {
                        try {
                            if (tailer.next()) {
                                Records.check(tailer.sequence(), tailer.payload(), next);
                                next++;
                            }
                        } catch (LogIOException e) {
                            assertThat(e).hasMessageContaining("injected");
                            assertThat(failed).as("fails once").isFalse();
                            failed = true;
                        }
                    }
                    assertThat(failed).isEqualTo(faulty.injected() > 0);
                }
                assertThat(disk.openHandles()).isZero();
                if (faulty.injected() == 0) {
                    break;
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Verb.class)
    void shouldBeginALogOrSayWhyNot(Verb verb) {
        for (int n = 1; ; n++) {
            CrashableStorage disk = new CrashableStorage();
            FaultyStorage faulty = new FaultyStorage(disk).fail(verb, n);
            try {
                runAndLeaveNothing(disk, () -> begin(faulty));
                checkNewLog(disk.crash(new Random(n), Loss.RANDOM));
            } catch (Throwable e) {
                throw new AssertionError("after " + verb + " " + n + ": " + e, e);
            }
            if (faulty.injected() == 0) {
                return;
            }
        }
    }

    private void begin(Storage faulty) {
        try (Log log = Log.open(kind.config().build(), faulty)) {
            assertThat(log.lastSequence()).isZero();
        } catch (PersistException refused) {
            assertThat(refused).hasMessageContaining("injected").isInstanceOf(LogIOException.class);
        }
    }

    private void checkNewLog(CrashableStorage disk) throws Exception {
        runAndLeaveNothing(disk, () -> {
            try (Log log = Log.open(kind.config().build(), disk)) {
                Records.append(log, 40);
                log.flush();
                assertThat(Records.readAll(log)).isEqualTo(40);
            }
        });
    }

    @Test
    void shouldSayWhenATailerCannotBeOpened() {
        for (Verb verb : List.of(Verb.LIST, Verb.MAP, Verb.OPEN)) {
            CrashableStorage disk = past.afterKill();
            FaultyStorage faulty = new FaultyStorage(disk).failFrom(verb, 1);
            LogIOException e =
                    catchThrowableOfType(LogIOException.class, () -> Tailer.open(faulty, TailerConfig.defaults()));
            assertThat(e).hasMessageContaining("cannot read the log");
            assertThat(disk.openHandles()).isZero();
        }
    }
}
