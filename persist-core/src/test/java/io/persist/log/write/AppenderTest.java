package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(WriterKind.class)
class AppenderTest {

    private static final int MAX_PAYLOAD = 3976;

    @Parameter
    WriterKind kind;

    private final CrashableStorage storage = new CrashableStorage();
    private Log log;

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    private Log open() {
        log = Log.open(kind.config().build(), storage);
        return log;
    }

    private List<byte[]> records() {
        List<byte[]> records = new ArrayList<>();
        log.flush();
        try (Tailer tailer = log.tailer()) {
            while (tailer.next()) {
                byte[] record = new byte[tailer.payload().remaining()];
                tailer.payload().get(record);
                records.add(record);
            }
        }
        return records;
    }

    private byte[] fill(byte value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, value);
        return bytes;
    }

    // ---- records and their limits

    @Test
    void shouldKeepRecordsOfEveryLengthAndAlignment() {
        open();
        for (int length = 0; length < 300; length++) {
            byte[] padded = new byte[length + 5];
            System.arraycopy(Records.of(length, length), 0, padded, 3, length);
            log.append(padded, 3, length);
        }
        List<byte[]> records = records();
        assertThat(records).hasSize(300);
        for (int length = 0; length < 300; length++) {
            assertThat(records.get(length)).isEqualTo(Records.of(length, length));
        }
    }

    @Test
    void shouldTakeAnEmptyRecord() {
        open();
        long end = log.append(new byte[0], 0, 0);
        assertThat(end).isEqualTo(SegmentHeader.LENGTH + Frame.HEADER_LENGTH);
        assertThat(log.append(ByteBuffer.allocate(0))).isEqualTo(end + Frame.HEADER_LENGTH);
        assertThat(records()).containsExactly(new byte[0], new byte[0]);
    }

    @Test
    void shouldTakeTheLargestRecord() {
        open();
        byte[] largest = Records.of(7, MAX_PAYLOAD);
        log.append(largest, 0, MAX_PAYLOAD);
        log.append(ByteBuffer.wrap(largest));
        Claim claim = log.claim(MAX_PAYLOAD);
        claim.payload().put(largest);
        claim.publish();
        assertThat(records()).containsExactly(largest, largest, largest);
        assertThat(log.statistics().rolls()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {MAX_PAYLOAD + 1, 4096, 1 << 20, Integer.MAX_VALUE - 40, Integer.MAX_VALUE - 24, Integer.MAX_VALUE})
    void shouldRefuseARecordThatIsTooLong(int length) {
        open();
        Records.append(log, 3);
        long position = log.position();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.claim(length))
                .withMessageContaining("length=" + length)
                .withMessageContaining("max=" + MAX_PAYLOAD);
        assertThat(log.position()).isEqualTo(position);
        Records.append(log, 3);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(6);
    }

    @Test
    void shouldRefuseOneByteMoreThanTheLargestRecord() {
        assertThat(Frame.maxPayload(WriterKind.SEGMENT_LENGTH)).isEqualTo(MAX_PAYLOAD);
        open();
        byte[] longer = new byte[MAX_PAYLOAD + 1];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.append(longer, 0, longer.length))
                .withMessageContaining("length=3977, max=3976");
        assertThatIllegalArgumentException().isThrownBy(() -> log.append(ByteBuffer.wrap(longer)));
        assertThat(log.append(longer, 0, MAX_PAYLOAD)).isEqualTo(log.position());
        assertThat(records()).hasSize(1);
    }

    @Test
    void shouldStayIntactWhenArgumentsAreOutOfRange() {
        open();
        Records.append(log, 2);
        long position = log.position();
        byte[] ten = new byte[10];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.append(ten, 0, -1))
                .withMessageContaining("length=-1, min=0");
        assertThatIllegalArgumentException().isThrownBy(() -> log.claim(-1)).withMessageContaining("length=-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.claim(Integer.MIN_VALUE))
                .withMessageContaining("min=0");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> log.append(ten, 0, 11));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> log.append(ten, 1, 10));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> log.append(ten, -1, 5));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> log.append(ten, Integer.MAX_VALUE, 5));
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> log.append((byte[]) null, 0, 1));
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> log.append(null));
        assertThat(log.position()).isEqualTo(position);
        assertThat(log.lastSequence()).isEqualTo(2);
        Records.append(log, 100);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(102);
    }

    // ---- sources

    @Test
    void shouldLeaveAByteBufferAsItWas() {
        open();
        byte[] record = Records.of(1, 50);
        ByteBuffer heap = ByteBuffer.allocate(70).put(10, record).limit(60).position(10);
        ByteBuffer direct =
                ByteBuffer.allocateDirect(70).put(10, record).limit(60).position(10);
        ByteBuffer slice = heap.slice().order(ByteOrder.LITTLE_ENDIAN);
        for (ByteBuffer source : List.of(heap, direct, heap.asReadOnlyBuffer(), direct.asReadOnlyBuffer(), slice)) {
            int before = source.position();
            log.append(source);
            assertThat(source.position()).isEqualTo(before);
            assertThat(source.remaining()).isEqualTo(50);
        }
        assertThat(records()).hasSize(5).allSatisfy(read -> assertThat(read).isEqualTo(record));
    }

    // ---- claims

    @Test
    void shouldPublishAClaimThatWasFilledInPlace() {
        open();
        for (int i = 0; i < 200; i++) {
            byte[] record = Records.of(log.lastSequence() + 1);
            Claim claim = log.claim(record.length);
            assertThat(claim.payload().remaining()).isEqualTo(record.length);
            assertThat(claim.payload().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
            claim.payload().put(record);
            assertThat(claim.publish()).isEqualTo(log.position());
        }
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(200);
    }

    /** The next claim is filled in the same memory, which what was kept shows then: what is published was copied. */
    @Test
    void shouldLeaveAPublishedRecordAloneWhenAKeptBufferIsWrittenInTheNextClaim() {
        open();
        Claim first = log.claim(100);
        ByteBuffer kept = first.payload();
        ByteBuffer slice = kept.slice();
        kept.put(fill((byte) 1, 100));
        first.publish();
        assertThatExceptionOfType(BufferOverflowException.class).isThrownBy(() -> kept.put((byte) 2));
        Claim second = log.claim(100);
        second.payload().put(fill((byte) 3, 100));
        slice.put(0, (byte) 4);
        kept.put(1, (byte) 5);
        second.publish();
        log.flush();
        byte[] changed = fill((byte) 3, 100);
        changed[0] = 4;
        changed[1] = 5;
        assertThat(records()).containsExactly(fill((byte) 1, 100), changed);
    }

    @Test
    void shouldShowNothingOfAnAbortedClaim() {
        open();
        Records.append(log, 1);
        long position = log.position();
        Claim claim = log.claim(1000);
        claim.payload().put(fill((byte) -1, 1000));
        claim.abort();
        claim.abort();
        assertThat(log.position()).isEqualTo(position);
        Records.append(log, 2);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(3);
        log.close();
        open();
        assertThat(log.recovery().cut().bytes()).isZero();
        assertThat(Records.readAll(log)).isEqualTo(3);
    }

    @Test
    void shouldLeaveZerosBehindAnAbortedClaim() {
        open();
        Records.append(log, 1);
        int end = (int) log.position();
        Claim claim = log.claim(2000);
        claim.payload().put(fill((byte) -1, 2000));
        claim.abort();
        log.append(new byte[1], 0, 1);
        log.sync();
        byte[] segment = storage.content("00000000000000000000.log");
        int next = end + Frame.aligned(Frame.HEADER_LENGTH + 1);
        assertThat(log.position()).isEqualTo(next);
        for (int i = next; i < next + 1990; i++) {
            assertThat(segment[i]).as("byte " + i).isZero();
        }
    }

    @Test
    void shouldRefuseEverythingElseWhileAClaimIsOpen() {
        open();
        Claim claim = log.claim(10);
        assertThatIllegalStateException()
                .isThrownBy(() -> log.append(new byte[1], 0, 1))
                .withMessageContaining("a claim is open");
        assertThatIllegalStateException().isThrownBy(() -> log.append(ByteBuffer.allocate(1)));
        assertThatIllegalStateException().isThrownBy(() -> log.claim(1));
        assertThatIllegalStateException().isThrownBy(() -> log.commit(Durability.BUFFERED));
        assertThatIllegalStateException().isThrownBy(() -> log.flush());
        assertThatIllegalStateException().isThrownBy(() -> log.sync());
        claim.payload().put(fill((byte) 3, 10));
        claim.publish();
        assertThat(records()).containsExactly(fill((byte) 3, 10));
    }

    @Test
    void shouldRefuseToPublishAClaimTwice() {
        open();
        Claim claim = log.claim(10);
        claim.publish();
        assertThatIllegalStateException().isThrownBy(claim::publish).withMessageContaining("no claim is open");
        log.claim(10).abort();
        assertThatIllegalStateException().isThrownBy(claim::publish);
        assertThat(log.lastSequence()).isEqualTo(1);
    }

    @Test
    void shouldDropAClaimThatIsOpenWhenTheLogIsClosed() {
        open();
        Records.append(log, 3);
        Claim claim = log.claim(900);
        claim.payload().put(fill((byte) -1, 900));
        log.close();
        assertThatIllegalStateException().isThrownBy(claim::publish);
        claim.abort();
        open();
        assertThat(log.recovery().start()).isEqualTo(RecoveryReport.Left.CLOSED);
        assertThat(log.recovery().cut().bytes()).isZero();
        Records.append(log, 3);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(6);
    }

    @Test
    void shouldDropAClaimThatIsOpenWhenTheProcessDies() {
        open();
        Records.append(log, 3);
        log.flush();
        Claim claim = log.claim(900);
        claim.payload().put(fill((byte) -1, 900));
        CrashableStorage after = storage.afterKill();
        DeadLog.end(log);
        try (Log reopened = Log.open(kind.config().build(), after)) {
            Records.append(reopened, 30);
            reopened.flush();
            assertThat(Records.readAll(reopened)).isEqualTo(33);
        }
    }

    // ---- rolling

    @Test
    void shouldRollToTheNextSegmentWhenARecordDoesNotFit() {
        open();
        int room = WriterKind.SEGMENT_LENGTH - SegmentHeader.LENGTH - Frame.SEAL_LENGTH;
        int half = room / 2 - Frame.HEADER_LENGTH;
        log.append(new byte[half], 0, half);
        long end = log.append(new byte[half], 0, half);
        assertThat(end).isEqualTo(WriterKind.SEGMENT_LENGTH - Frame.SEAL_LENGTH);
        assertThat(log.statistics().rolls()).isZero();
        assertThat(log.append(new byte[0], 0, 0))
                .isEqualTo(WriterKind.SEGMENT_LENGTH + SegmentHeader.LENGTH + Frame.HEADER_LENGTH);
        assertThat(log.statistics().rolls()).isEqualTo(1);
        assertThat(log.lastPosition()).isEqualTo(WriterKind.SEGMENT_LENGTH + SegmentHeader.LENGTH);
        assertThat(records()).hasSize(3);
    }

    @Test
    void shouldTakeRecordsLargerThanTheWriteBuffer() {
        open();
        for (int length : new int[] {100, 3000, 0, 600, 511, 512, 513, 3976, 10}) {
            log.append(Records.of(length, length), 0, length);
        }
        assertThat(records())
                .extracting(record -> record.length)
                .containsExactly(100, 3000, 0, 600, 511, 512, 513, 3976, 10);
    }

    @Test
    void shouldReturnPositionsThatGrow() {
        open();
        long last = 0;
        for (int i = 0; i < 300; i++) {
            long before = log.position();
            long end = Records.append(log);
            assertThat(log.position()).isEqualTo(end);
            assertThat(log.lastPosition()).isGreaterThan(last).isGreaterThanOrEqualTo(before);
            assertThat(end).isGreaterThan(log.lastPosition());
            assertThat(log.lastSequence()).isEqualTo(i + 1);
            last = log.lastPosition();
        }
        assertThat(log.statistics().rolls()).isGreaterThan(5);
        log.flush();
        try (Tailer tailer = log.tailer()) {
            assertThat(Records.readAll(tailer)).isEqualTo(300);
            assertThat(tailer.position()).isEqualTo(log.lastPosition());
            assertThat(tailer.nextPosition()).isEqualTo(log.position());
        }
    }

    /** The segments to come may be shorter, or longer, than the one in which the log is when it is opened. */
    @ParameterizedTest
    @CsvSource({"16384, 4096", "4096, 16384"})
    void shouldPutALongRecordOnlyWhereItHasRoom(int before, int now) {
        try (Log first = Log.open(kind.config().segmentLength(before).build(), storage)) {
            Records.append(first, 3);
        }
        int longest = Frame.maxPayload(Math.max(before, now)) - 1000;
        log = Log.open(kind.config().segmentLength(now).build(), storage);
        List<Integer> lengths = new ArrayList<>(List.of(0, 0, 0));
        for (int i = 0; i < 3; i++) {
            try {
                log.append(new byte[longest], 0, longest);
                lengths.add(longest);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("length=" + longest + ", max=" + Frame.maxPayload(now));
            }
            log.append(new byte[10], 0, 10);
            lengths.add(10);
            log.commit(Durability.SYNCED);
        }
        assertThat(lengths).hasSize(before > now ? 7 : 9);
        log.close();
        log = Log.open(kind.config().segmentLength(now).build(), storage);
        List<byte[]> records = records();
        assertThat(records).hasSameSizeAs(lengths);
        for (int i = 3; i < lengths.size(); i++) {
            assertThat(records.get(i)).hasSize(lengths.get(i));
        }
    }
}
