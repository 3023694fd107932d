package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.control.HolderBlock;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.control.ControlFile;
import io.persist.log.engine.Log;
import io.persist.log.recovery.LogRepair;
import io.persist.support.Await;
import io.persist.support.Interposed;
import io.persist.support.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A tailer that is open before the log exists, or after its writer has closed it, reads what the next writer appends. */
@ParameterizedClass
@MethodSource("io.persist.log.read.TailedLog#modes")
class TailerAcrossLivesTest extends TailedLogFixture {

    @Test
    void shouldReadALogThatIsMadeLater() {
        try (Tailer tailer = Tailer.open(storage, TailedLog.reader(readMode))) {
            assertThat(tailer.next()).isFalse();
            tailer.toStart();
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
            tailer.toSequence(1); // as a copy of a log does that has nothing yet
            tailer.toPosition(tailer.nextPosition());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tailer.toSequence(2))
                    .withMessageContaining("not written yet");
            for (long none : new long[] {-1, 0, 63, 72, 1 << 20}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> tailer.toPosition(none))
                        .withMessageStartingWith("no record begins here: position=" + none);
            }
            assertThat(tailer.next()).isFalse();
            open();
            assertThat(tailer.next()).isFalse();
            Records.append(log, 200);
            log.flush();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(201);
        }
    }

    @Test
    void shouldOutliveTheWriterAndSeeTheNextOne() {
        openWith(50);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(51);
            log.close();
            assertThat(tailer.next()).isFalse();
            for (int life = 1; life < 5; life++) {
                openWith(50);
                long expected = 50 * (life + 1) + 1;
                assertThat(Records.readOn(tailer, 50 * life + 1)).isEqualTo(expected);
                log.close();
            }
            assertThat(Records.readAll(tailer)).isEqualTo(250);
        }
    }

    @Test
    void shouldFollowAWriterOfAnotherModeAfterReopening() {
        openWith(50);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(51);
            log.close();
            WriteMode other = writeMode == WriteMode.MAPPED ? WriteMode.FILE : WriteMode.MAPPED;
            log = Log.open(
                    LogConfig.builder(Path.of("memory"))
                            .segmentLength(8192)
                            .writeBufferLength(8192)
                            .writeMode(other)
                            .build(),
                    storage);
            Records.append(log, 10);
            assertThat(tailer.next()).isEqualTo(other == WriteMode.MAPPED);
            Records.append(log, 90);
            log.flush();
            tailer.toSequence(51);
            assertThat(Records.readOn(tailer, 51)).isEqualTo(151);
        }
    }

    /** It ends while the tailer asks how far it may look, because what it has loaded is not whole. */
    @Test
    void shouldTakeARecordWhoseWriteEndsWhileItLooks() throws IOException {
        if (writeMode == WriteMode.MAPPED) {
            return; // there a length says that the frame is whole
        }
        log = Log.open(TailedLog.config(WriteMode.MAPPED), storage);
        Records.append(log, 2);
        log.close();
        AtomicReference<WriteUnderWay> write = new AtomicReference<>();
        Storage asTheTailerSeesIt = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
            WriteUnderWay underWay = call.equals("bootId") ? write.getAndSet(null) : null;
            if (underWay != null) {
                underWay.end();
            }
            return result;
        });
        try (Tailer tailer = Tailer.open(asTheTailerSeesIt, TailedLog.reader(readMode))) {
            assertThat(tailer.next()).isTrue(); // of a mapped writer, whose records may be looked at without a limit
            open();
            long start = log.position();
            Records.append(log);
            log.flush();
            WriteUnderWay underWay = new WriteUnderWay(start, log.position());
            write.set(underWay);
            assertThat(Records.readOn(tailer, 2)).isEqualTo(4);
            assertThat(write).as("it has looked").hasValue(null);
            underWay.control.close();
        }
    }

    /** The write of the record from {@code start} to {@code end} in the middle: what is behind its header is to come. */
    private final class WriteUnderWay {

        private final ControlFile control = ControlFile.open(storage, Storage.Access.WRITE);
        private final byte[] rest;
        private final long from;
        private final long end;

        WriteUnderWay(long start, long end) throws IOException {
            this.from = start + Frame.HEADER_LENGTH;
            this.end = end;
            this.rest = Arrays.copyOfRange(storage.content(LogFileName.segment(0)), (int) from, (int) end);
            control.block().visible(start);
            write(new byte[rest.length]);
        }

        void end() throws IOException {
            write(rest);
            control.block().visible(end);
        }

        private void write(byte[] bytes) throws IOException {
            try (StorageFile file = storage.open(LogFileName.segment(0), Storage.Access.WRITE)) {
                file.write(from, bytes, 0, bytes.length, StorageFile.WriteThrough.NONE);
            }
        }
    }

    private TailerConfig reader(ReadScope scope) {
        return TailerConfig.builder()
                .readBufferLength(700)
                .readMode(readMode)
                .readScope(scope)
                .build();
    }

    /** Damages record 51 of 100. */
    private void damage() {
        long damaged;
        try (Tailer tailer = Tailer.open(storage, reader(ReadScope.PUBLISHED))) {
            tailer.toSequence(51);
            damaged = tailer.nextPosition();
        }
        String name = LogFileName.segment(damaged / 4096 * 4096);
        byte[] bytes = storage.content(name);
        bytes[(int) (damaged % 4096) + Frame.HEADER_LENGTH] ^= 1;
        storage.replace(name, bytes);
    }

    /** Cuts the log where it is damaged. */
    private void repair() {
        assertThat(new LogRepair(storage).repair().setAside()).isNotEmpty();
    }

    /** Reads on until all up to {@code last} was there; the first polls may find less. */
    private static void readUpTo(Tailer tailer, long first, long last) {
        long[] next = {first};
        Await.until("record " + last + " is read", () -> {
            next[0] = Records.readOn(tailer, next[0]);
            return next[0] > last;
        });
        assertThat(next[0]).isEqualTo(last + 1);
    }

    @ParameterizedTest
    @EnumSource(ReadScope.class)
    void shouldFollowTheWriterAfterARepair(ReadScope scope) {
        openWith(100);
        log.close();
        try (Tailer behind = Tailer.open(storage, reader(scope));
                Tailer before = Tailer.open(storage, reader(scope))) {
            for (int i = 1; i <= 20; i++) {
                assertThat(before.next()).isTrue();
            }
            damage();
            repair();
            assertThat(Records.readOn(before, 21)).isLessThanOrEqualTo(51);
            open();
            Records.append(log, 300);
            log.commit(Durability.SYNCED);
            readUpTo(before, before.sequence() + 1, 350);
            readUpTo(behind, 1, 350);
        }
    }

    /** What it was told of the log that was there before does not hold for what takes its place. */
    @Test
    void shouldShowNothingUnsyncedAfterARepair() {
        openWith(100);
        log.close();
        try (Tailer tailer = Tailer.open(storage, reader(ReadScope.SYNCED))) {
            for (int i = 1; i <= 50; i++) {
                assertThat(tailer.next()).isTrue();
            }
            damage();
            repair();
            open();
            Records.append(log, 20);
            log.flush();
            for (int poll = 0; poll < 5; poll++) {
                assertThat(tailer.next()).isFalse();
            }
            log.sync();
            readUpTo(tailer, 51, 70);
        }
    }

    /** There is no control block that would tell of it. */
    @Test
    void shouldSayNoMoreOfDamageThatARepairHasCut() throws IOException {
        openWith(100);
        log.sync();
        Records.append(log); // which tells that those before are synced
        log.close();
        storage.delete(LogFileName.CONTROL);
        damage();
        try (Tailer tailer = Tailer.open(storage, TailedLog.reader(readMode))) {
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> Records.readOn(tailer, 1));
            repair();
            assertThat(tailer.next()).isFalse();
        }
    }

    /** What was appended since would be left out: the new record 91 is where the old one was. */
    @ParameterizedTest
    @EnumSource(ReadScope.class)
    void shouldNotGoOnBehindARepair(ReadScope scope) throws IOException {
        openWith(100);
        log.close();
        try (Tailer tailer = Tailer.open(storage, reader(scope));
                Tailer named = Tailer.open(storage, "named", reader(scope))) {
            for (int i = 1; i <= 90; i++) {
                assertThat(tailer.next()).isTrue();
                assertThat(named.next()).isTrue();
            }
            damage();
            repair();
            open();
            Records.append(log, 50);
            log.commit(Durability.SYNCED);
            assertCutOff(named::store);
            for (Tailer behind : List.of(tailer, named)) {
                assertCutOff(() -> Records.readOn(behind, behind.sequence() + 1)); // what was read before the repair
                assertCutOff(behind::next);
                assertThatIllegalArgumentException().isThrownBy(() -> behind.toSequence(200));
                assertCutOff(() -> behind.poll((position, sequence, payload) -> {}, 1));
                behind.toSequence(51);
                readUpTo(behind, 51, 100);
            }
            assertThat(named.store()).isEqualTo(log.position());
        }
        Tailer.open(storage, "named", reader(scope)).close();
    }

    private static void assertCutOff(ThrowingCallable call) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(call)
                .withMessageContaining("a repair has cut the log before this tailer");
    }

    /** Behind the end there is nothing to go on from. */
    @Test
    void shouldGoToTheEndOfALogThatWasCutBeforeIt() {
        openWith(100);
        log.close();
        try (Tailer tailer = Tailer.open(storage, reader(ReadScope.PUBLISHED))) {
            tailer.toEnd();
            damage();
            repair();
            open();
            Records.append(log, 10);
            log.flush();
            assertCutOff(() -> Records.readOn(tailer, 101));
            tailer.toEnd();
            assertThat(tailer.nextPosition()).isEqualTo(log.position());
            Records.append(log, 90);
            log.flush();
            readUpTo(tailer, 61, 150);
        }
    }

    /** The control block may be lost; the next writer makes another one. */
    @ParameterizedTest
    @EnumSource(ReadScope.class)
    void shouldFollowTheWriterThoughTheControlBlockWasLost(ReadScope scope) throws IOException {
        openWith(100);
        log.close();
        try (Tailer tailer = Tailer.open(storage, reader(scope))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(101);
            storage.delete(LogFileName.CONTROL);
            open();
            Records.append(log, 300);
            log.sync();
            readUpTo(tailer, 101, 400);
        }
    }

    /** It was killed, and had the number of this process in another container, where that cannot be seen. */
    @Test
    void shouldNotTakeAnotherWriterForThisProcess() throws IOException {
        openWith(100);
        byte[] control = storage.content(LogFileName.CONTROL);
        log.close();
        ByteBuffer mark = ByteBuffer.wrap(control).order(ByteOrder.LITTLE_ENDIAN);
        mark.putLong(HolderBlock.NAMESPACE_OFFSET, mark.getLong(HolderBlock.NAMESPACE_OFFSET) + 1);
        mark.putLong(HolderBlock.START_OFFSET, mark.getLong(HolderBlock.START_OFFSET) + 1);
        mark.putLong(HolderBlock.FILE_OFFSET, 0);
        storage.replace(LogFileName.CONTROL, control);
        try (Tailer tailer = Tailer.open(storage, TailedLog.reader(readMode))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(101);
            storage.delete(LogFileName.CONTROL);
            open();
            Records.append(log, 10);
            log.flush();
            readUpTo(tailer, 101, 110);
        }
    }

    /** Its writer takes the block out again. */
    @Test
    void shouldReadALogWhoseRepairWasInterrupted() throws IOException {
        openWith(100);
        log.close();
        try (ControlFile control = ControlFile.open(storage, Storage.Access.WRITE);
                Tailer tailer = Tailer.open(storage, reader(ReadScope.SYNCED))) {
            control.block().setAside(Long.MAX_VALUE);
            assertThat(tailer.next()).as("nothing says what is synced").isFalse();
            open();
            readUpTo(tailer, 1, 100);
        }
    }
}
