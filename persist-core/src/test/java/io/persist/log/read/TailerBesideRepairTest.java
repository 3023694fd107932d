package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.log.TailerConfig;
import io.persist.log.control.WriterHold;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.recovery.LogRepair;
import io.persist.support.DeadLog;
import io.persist.support.Interposed;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** A tailer that is open, or stores its cursor, while a repair cuts the log and the next writer goes on from there. */
@ParameterizedClass
@MappedAndFile
class TailerBesideRepairTest extends NamedTailerFixture {

    /** What another process does at some moment; nothing afterwards. */
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    private void doMeanwhile() {
        meanwhile.getAndSet(() -> {}).run();
    }

    private void closeWith(int records) {
        open();
        Records.append(log, records);
        log.close();
    }

    private void damage(long record) {
        long damaged;
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            tailer.toSequence(record);
            damaged = tailer.nextPosition();
        }
        String name = LogFileName.segment(damaged / LENGTH * LENGTH);
        byte[] bytes = storage.content(name);
        bytes[(int) (damaged % LENGTH) + Frame.HEADER_LENGTH] ^= 1;
        storage.replace(name, bytes);
    }

    private void repair() {
        assertThat(new LogRepair(storage).repair().setAside()).isNotEmpty();
    }

    private static void assertCutOff(ThrowingCallable call) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(call)
                .withMessageContaining("a repair has cut the log before this tailer");
    }

    /** What was synced below the old cursor says nothing of the records that are there now. */
    @Test
    void shouldSyncWhatIsReadAnew() {
        closeWith(100);
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            tailer.store();
            damage(51);
            repair();
            open();
            Records.append(log, 30);
            log.flush();
            assertCutOff(tailer::next);
            tailer.toStart();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(81);
            long stored = tailer.store();
            CrashableStorage after = storage.crash(new Random(1), CrashableStorage.Loss.ALL_LOST);
            DeadLog.end(log);
            try (Log reopened = Log.open(config(), after)) {
                assertThat(reopened.position()).isEqualTo(stored);
            }
        }
    }

    /** Its mark in the cursor's file is overwritten, or comes before what it has to mark. */
    @Test
    void shouldBeCutOffByARepairBesideAStore() {
        closeWith(100);
        try (Tailer tailer = tailer()) {
            for (int i = 1; i <= 40; i++) {
                assertThat(tailer.next()).isTrue();
            }
            tailer.store();
            Records.readOn(tailer, 41);
            damage(51);
            meanwhile.set(this::repair);
            storage.hook((number, what) -> {
                if (what.equals("write billing.cursor")) {
                    doMeanwhile();
                }
            });
            assertCutOff(tailer::store);
            assertThat(stored().isCutOff()).isTrue();
        }
        open();
        Records.append(log, 100);
        log.sync();
        assertThatExceptionOfType(CorruptLogException.class).isThrownBy(this::tailer);
    }

    /** A writer that was killed leaves a log whose end a tailer looks for by a scan. */
    @Test
    void shouldNoticeARepairWhileItLooksForTheEnd() throws IOException {
        closeWith(100);
        byte[] control = storage.content(LogFileName.CONTROL);
        ByteBuffer.wrap(control)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(ControlBlock.STATE_OFFSET, ControlBlock.STATE_OPEN);
        storage.replace(LogFileName.CONTROL, control);
        Storage seen = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
            if (call.equals("open")
                    && LogFileName.basePosition((String) arguments[0]).isPresent()) {
                doMeanwhile();
            }
            return result;
        });
        try (Tailer tailer = Tailer.open(seen, TailerConfig.defaults())) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(101);
            damage(95);
            WriterHold.takeMarked(storage, "").close(); // so that it is scanned anew
            meanwhile.set(() -> {
                repair();
                open();
                Records.append(log, 100);
                log.sync();
            });
            assertCutOff(() -> Records.readOn(tailer, 101));
            tailer.toStart();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(195);
        }
    }

    /** A cut at the start of the first segment must not look like one that is not known. */
    @Test
    void shouldNoticeThatALogWithoutSegmentsBeginsAnew() throws IOException {
        closeWith(100);
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            tailer.store();
            for (String name : storage.list()) {
                if (LogFileName.basePosition(name).isPresent()) {
                    storage.delete(name);
                }
            }
            repair();
            open();
            Records.append(log, 10);
            log.sync();
            assertCutOff(tailer::next);
            assertThat(stored().isCutOff()).isTrue();
        }
        try (Tailer again = Tailer.open(storage, TailerConfig.defaults())) { // the one before is another log's
            assertThat(Records.readOn(again, 1)).isEqualTo(11);
        }
    }
}
