package io.persist.log.read;

import static io.persist.log.read.BillingCursor.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.read.BillingCursor.From;
import io.persist.log.recovery.LogRepair;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.FailedOnce;
import io.persist.support.HeldFailure;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tailer stores its cursor only once the records before it are synced, and never again after a failure. */
@ParameterizedClass
@MappedAndFile
class CursorSyncTest extends NamedTailerFixture {

    /** What this thread has the storage do from now on. */
    private List<String> operationsOfThisThread() {
        List<String> operations = new ArrayList<>();
        Thread thread = Thread.currentThread();
        storage.hook((number, what) -> {
            if (Thread.currentThread() == thread) {
                operations.add(what);
            }
        });
        return operations;
    }

    @ParameterizedTest
    @EnumSource(From.class)
    void shouldSyncTheRecordsBeforeItWritesTheCursor(From from) {
        open();
        Records.appendUntilRolled(log, 2);
        log.flush();
        try (Tailer tailer = tailer(from)) {
            Records.readOn(tailer, 1);
            List<String> operations = operationsOfThisThread();
            tailer.store();
            assertThat(operations).last().isEqualTo("write billing.cursor");
            assertThat(String.join(",", operations)).contains(LogFileName.segment(2 * LENGTH));
            CrashableStorage after = storage.crash(new Random(1), CrashableStorage.Loss.ALL_LOST);
            DeadLog.end(log);
            try (Log reopened = Log.open(config(), after);
                    Tailer again = Tailer.open(after, NAME, TailerConfig.defaults())) {
                assertThat(again.next()).isFalse();
                assertThat(again.nextPosition()).isEqualTo(tailer.nextPosition());
                assertThat(reopened.position()).isEqualTo(tailer.nextPosition());
            }
        }
    }

    @Test
    void shouldAdvanceTheSyncedPositionInTheWritersProcess() {
        open();
        Records.append(log, 3);
        log.flush();
        try (Tailer tailer = log.tailer(NAME)) {
            Records.readOn(tailer, 1);
            if (kind.isMapped()) {
                assertThat(log.syncedPosition()).isLessThan(log.position());
            }
            tailer.store();
            assertThat(log.syncedPosition()).isEqualTo(log.position());
        }
    }

    /** The thread that closes the log has not heard of it yet when the tailer stores its place. */
    @Test
    void shouldStoreNothingThatTheLastSyncOfTheWriterHasLost() throws InterruptedException {
        HeldFailure failure = new HeldFailure(storage);
        log = Log.open(config(), failure);
        Records.append(log, 3);
        log.flush();
        try (Tailer tailer = log.tailer(NAME)) {
            Records.readOn(tailer, 1);
            log.handOver();
            storage.hook((number, what) -> {
                if (what.matches("(force|sync) \\d+\\.log")) {
                    storage.hook((later, other) -> {});
                    throw new IOException("Input/output error");
                }
            });
            Thread closing = new Thread(() -> DeadLog.end(log));
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread storing = new Thread(() -> thrown.set(catchThrowable(tailer::store)));
            closing.start();
            try {
                failure.await();
                storing.start();
                Await.until("it has stored, or waits", () -> storing.getState() != Thread.State.RUNNABLE);
            } finally {
                failure.release();
            }
            closing.join();
            storing.join();
            assertThat(thrown.get()).isInstanceOf(LogIOException.class).hasMessageContaining("Input/output error");
        }
        assertThat(stored().position()).isEqualTo(64);
    }

    /** What was synced of the log before says nothing of the records that take the place of those cut off. */
    @Test
    void shouldSyncWhatIsAppendedAfterARepair() {
        open();
        Records.append(log, 100);
        log.close();
        try (Tailer tailer = tailer()) {
            for (int i = 1; i <= 50; i++) {
                assertThat(tailer.next()).isTrue();
            }
            tailer.store();
            long damaged = tailer.nextPosition();
            String name = LogFileName.segment(damaged / LENGTH * LENGTH);
            byte[] bytes = storage.content(name);
            bytes[(int) (damaged % LENGTH) + Frame.HEADER_LENGTH] ^= 1;
            storage.replace(name, bytes);
            new LogRepair(storage).repair();
            open();
            Records.append(log, 20);
            log.flush();
            assertThat(Records.readOn(tailer, 51)).isEqualTo(71);
            long stored = tailer.store();
            CrashableStorage after = storage.crash(new Random(1), CrashableStorage.Loss.ALL_LOST);
            DeadLog.end(log);
            try (Log reopened = Log.open(config(), after)) {
                assertThat(reopened.position()).isEqualTo(stored);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(From.class)
    void shouldNotSyncAgainWhatIsSynced(From from) {
        open();
        Records.appendUntilRolled(log, 2);
        log.sync();
        try (Tailer tailer = tailer(from)) {
            Records.readOn(tailer, 1);
            List<String> operations = operationsOfThisThread();
            tailer.store();
            tailer.store();
            storage.hook((number, what) -> {});
            assertThat(operations).containsExactly("write billing.cursor", "write billing.cursor");
        }
    }

    @Test
    void shouldStoreAfterTheWriterHasClosedTheLogAndAnotherOneGoesOn() {
        open();
        Records.append(log, 3);
        Tailer tailer = log.tailer(NAME);
        log.close();
        assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
        tailer.store();
        open();
        Records.append(log, 3);
        log.flush();
        assertThat(Records.readOn(tailer, 4)).isEqualTo(7);
        tailer.store();
        assertThat(stored().sequence()).isEqualTo(7);
        tailer.close();
    }

    @ParameterizedTest
    @EnumSource(From.class)
    void shouldStoreNothingMoreAfterAFailedSync(From from) {
        open();
        Records.append(log, 3);
        log.flush();
        Tailer tailer = tailer(from);
        Records.readOn(tailer, 1);
        storage.hook((number, what) -> {
            if (what.startsWith("sync 0") || what.startsWith("force 0")) {
                throw new IOException("Input/output error");
            }
        });
        LogIOException first = (LogIOException) catchThrowable(tailer::store);
        assertThat(first).hasMessageContaining("Input/output error");
        storage.hook((number, what) -> {});
        assertThat(catchThrowable(tailer::store)).isSameAs(first);
        assertThat(stored().position()).isEqualTo(64);
        tailer.close();
    }

    @Test
    void shouldStoreNothingMoreAfterAFailedWriteOfTheCursor() {
        open();
        Records.append(log, 3);
        log.sync();
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            FailedOnce.of(storage, "write billing.cursor");
            Throwable first = catchThrowable(tailer::store);
            assertThat(first).isInstanceOf(LogIOException.class).hasMessageContaining("cursor billing was not stored");
            storage.hook((number, what) -> {});
            assertThat(catchThrowable(tailer::store)).isSameAs(first);
            assertThat(stored().position()).isEqualTo(64);
        }
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(4);
        }
    }

    /** After the writer's failed sync another one succeeds without the data. */
    @Test
    void shouldNotBelieveASyncAfterTheWritersFailed() {
        open();
        Records.append(log, 3);
        log.flush();
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            storage.hook((number, what) -> {
                if (what.startsWith("sync 0") || what.startsWith("force 0")) {
                    throw new IOException("Input/output error");
                }
            });
            assertThat(catchThrowable(log::sync)).isInstanceOf(LogIOException.class);
            storage.hook((number, what) -> {});
            assertThat(catchThrowable(tailer::store))
                    .isInstanceOf(LogIOException.class)
                    .hasMessageContaining("the log's writer met an I/O error");
            assertThat(stored().position()).isEqualTo(64);
        }
        DeadLog.end(log);
        open();
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(4);
        }
    }
}
