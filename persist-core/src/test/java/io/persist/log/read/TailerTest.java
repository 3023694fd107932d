package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.CorruptLogException;
import io.persist.log.Durability;
import io.persist.log.RecordHandler;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.support.Records;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a tailer hands over, until it is closed or meets damage. */
@ParameterizedClass
@MethodSource("io.persist.log.read.TailedLog#modes")
class TailerTest extends TailedLogFixture {

    @Test
    void shouldPollUpToTheLimit() {
        openWith(100);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            long[] next = {1};
            RecordHandler handler = (position, sequence, payload) -> Records.check(sequence, payload, next[0]++);
            assertThat(tailer.poll(handler, 1)).isEqualTo(1);
            assertThat(tailer.poll(handler, 70)).isEqualTo(70);
            assertThat(tailer.sequence()).isEqualTo(71);
            assertThat(tailer.poll(handler, 70)).isEqualTo(29);
            assertThat(tailer.poll(handler, 70)).isZero();
            assertThat(next[0]).isEqualTo(101);
        }
    }

    @Test
    void shouldHandOverTheRecordAgainWhoseHandlerThrew() {
        openWith(100);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            List<Long> taken = new ArrayList<>();
            boolean[] refuses = {false};
            RecordHandler handler = (position, sequence, payload) -> {
                refuses[0] = !refuses[0];
                if (refuses[0]) {
                    throw new IllegalStateException("handler, sequence=" + sequence);
                }
                Records.check(sequence, payload, taken.size() + 1);
                taken.add(sequence);
            };
            for (long next = 1; next <= 100; next++) { // over the ends of segments too
                assertThatIllegalStateException()
                        .isThrownBy(() -> tailer.poll(handler, 10))
                        .withMessage("handler, sequence=" + next);
                assertThat(tailer.sequence()).isEqualTo(next);
                assertThat(tailer.position()).isEqualTo(tailer.nextPosition());
                assertThatIllegalStateException().isThrownBy(tailer::payload);
                assertThat(tailer.poll(handler, 1)).isEqualTo(1);
            }
            assertThat(tailer.poll(handler, 1)).isZero();
            assertThat(taken).hasSize(100);
        }
    }

    @Test
    void shouldStayWhereAHandlerWentBeforeItThrew() {
        openWith(100);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> tailer.poll(
                            (position, sequence, payload) -> {
                                tailer.toSequence(70);
                                throw new IllegalStateException("handler");
                            },
                            10))
                    .withMessage("handler");
            assertThat(Records.readOn(tailer, 70)).isEqualTo(101);
        }
    }

    @Test
    void shouldBeClosedByItsHandler() {
        openWith(10);
        Tailer tailer = log.tailer(TailedLog.reader(readMode));
        assertThatIllegalStateException()
                .isThrownBy(() -> tailer.poll((position, sequence, payload) -> tailer.close(), 10))
                .withMessage("tailer is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> tailer.poll((position, sequence, payload) -> {}, 10))
                .withMessage("tailer is closed");
    }

    @Test
    void shouldLeaveAHandlerItsRecordWhenAnotherThreadCloses() {
        openWith(10);
        Tailer tailer = log.tailer(TailedLog.reader(readMode));
        List<ByteBuffer> kept = new ArrayList<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> tailer.poll(
                        (position, sequence, payload) -> {
                            CompletableFuture.runAsync(tailer::close).join();
                            Records.check(sequence, payload, 1);
                            kept.add(payload.rewind());
                        },
                        10))
                .withMessage("tailer is closed");
        assertThat(kept).hasSize(1);
        assertThat(kept.get(0).remaining()).isZero();
    }

    @Test
    void shouldLeaveThePayloadAsItIsWhenItIsClosed() {
        openWith(3);
        Tailer tailer = log.tailer(TailedLog.reader(readMode));
        assertThat(tailer.next()).isTrue();
        ByteBuffer lent = tailer.payloadUntilNext();
        tailer.close();
        Records.check(1, lent, 1);
    }

    @Test
    void shouldShowAReadOnlyPayload() {
        openWith(3);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThatIllegalStateException().isThrownBy(tailer::payload).withMessageContaining("call next first");
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.payload().isReadOnly()).isTrue();
            assertThat(tailer.payload().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
            tailer.payload().position(tailer.payload().limit()).limit(0);
            assertThat(Records.readOn(tailer, 2)).isEqualTo(4);
        }
    }

    @Test
    void shouldReadRecordsLargerThanTheReadBuffer() {
        open();
        for (int i = 0; i < 20; i++) {
            log.append(Records.of(i, i * 190), 0, i * 190);
        }
        log.flush();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            for (int i = 0; i < 20; i++) {
                assertThat(tailer.next()).isTrue();
                byte[] record = new byte[tailer.payload().remaining()];
                tailer.payload().get(record);
                assertThat(record).isEqualTo(Records.of(i, i * 190));
            }
        }
    }

    /** They are verified many at once, and have to be taken with what is theirs; also after the tailer has gone back. */
    @Test
    void shouldShowRecordsFarBehindAsTheyAre() {
        int records = 3000;
        log = Log.open(TailedLog.config(writeMode, Path.of("memory"), 1 << 16), storage);
        for (int i = 1; i <= records; i++) {
            byte[] record = Records.of(i, 20 + i % 50);
            log.append(record, 0, record.length);
            if (i % 3 == 0) {
                log.commit(Durability.BUFFERED);
            }
        }
        log.commit(Durability.SYNCED);
        TailerConfig config = TailerConfig.builder().readMode(readMode).build();
        try (Tailer tailer = log.tailer(config)) {
            for (int first : new int[] {1, 2, 1500, 4, 2990}) {
                tailer.toSequence(first);
                long position = 0;
                for (long i = first; i <= records; i++) {
                    assertThat(tailer.next()).isTrue();
                    assertThat(tailer.sequence()).isEqualTo(i);
                    assertThat(tailer.position()).isGreaterThanOrEqualTo(position);
                    assertThat(tailer.startsCommit()).as("of %d", i).isEqualTo(i % 3 == 1);
                    assertThat(tailer.payloadUntilNext()).isEqualTo(ByteBuffer.wrap(Records.of(i, 20 + (int) i % 50)));
                    position = tailer.nextPosition();
                }
                assertThat(tailer.next()).isFalse();
            }
        }
    }

    /** A loop with a wrong limit would believe for ever that there is nothing new. */
    @Test
    void shouldNotTakeALimitOfNoneForAnAnswer() {
        openWith(3);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> tailer.poll((position, sequence, payload) -> {}, limit))
                        .withMessage("limit=" + limit + ", min=1");
            }
            assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
        }
    }

    @Test
    void shouldReportDamageAndStayBeforeIt() {
        openWith(20);
        long next;
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            tailer.toSequence(10);
            tailer.next();
            next = tailer.nextPosition();
            log.close();
            byte[] segment = storage.content("00000000000000000000.log");
            segment[(int) tailer.position() + 9] ^= 1;
            storage.replace("00000000000000000000.log", segment);
        }
        try (Tailer tailer = Tailer.open(storage, TailedLog.reader(readMode))) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .satisfies(e -> assertThat(e.position()).isEqualTo(tailer.nextPosition()))
                    .satisfies(e -> assertThat(e.file()).isEqualTo("00000000000000000000.log"));
            assertThat(tailer.sequence()).isEqualTo(9);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(tailer::next);
            tailer.toPosition(next);
            assertThat(Records.readOn(tailer, 11)).isEqualTo(21);
        }
    }

    @Test
    void shouldRefuseEverythingOnceClosed() {
        openWith(3);
        Tailer tailer = log.tailer(TailedLog.reader(readMode));
        tailer.next();
        tailer.close();
        tailer.close();
        assertThatIllegalStateException().isThrownBy(tailer::next).withMessage("tailer is closed");
        assertThatIllegalStateException().isThrownBy(() -> tailer.poll((p, s, b) -> {}, 1));
        assertThatIllegalStateException().isThrownBy(tailer::toStart);
        assertThatIllegalStateException().isThrownBy(tailer::toEnd);
        assertThatIllegalStateException().isThrownBy(() -> tailer.toPosition(64));
        assertThatIllegalStateException().isThrownBy(() -> tailer.toSequence(1));
    }
}
