package io.persist.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.support.Allocation;
import io.persist.support.Buffers;
import io.persist.support.Records;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageOutputTest {

    private final MessageOutput output = new MessageOutput();

    private <T> byte[] encoded(T message, Encoder<T> encoder) {
        int length = output.encode(message, encoder);
        assertThat(length).isEqualTo(output.length());
        return Arrays.copyOf(output.array(), length);
    }

    @Test
    void shouldTakeBytesOfEverySource() {
        for (int length : new int[] {0, 1, 33, 300, 5000}) {
            byte[] message = Records.of(1, length);
            byte[] padded = new byte[length + 7];
            System.arraycopy(message, 0, padded, 4, length);
            ByteBuffer source = ByteBuffer.wrap(padded, 4, length);
            byte[] all = encoded(message, (bytes, out) -> {
                out.write(bytes);
                out.write(padded, 4, length);
                out.write(source);
                out.write(Buffers.direct(padded), 4, length);
                out.extend(length).put(bytes);
                for (byte one : bytes) {
                    out.write(one);
                }
            });
            assertThat(source.position()).isEqualTo(4);
            assertThat(all).hasSize(6 * length);
            for (int copy = 0; copy < 6; copy++) {
                assertThat(Arrays.copyOfRange(all, copy * length, (copy + 1) * length))
                        .isEqualTo(message);
            }
        }
    }

    /** A stream that is closed at the end, as many formats do. */
    @Test
    void shouldBeAStream() {
        byte[] text = encoded("é".repeat(400), (message, out) -> {
            try (Writer writer = new OutputStreamWriter(out, UTF_8)) {
                writer.write(message);
            }
        });
        assertThat(new String(text, UTF_8)).isEqualTo("é".repeat(400));
    }

    @Test
    void shouldBeLittleEndianAndShowNothingOfAnEarlierMessage() {
        encoded(new byte[100], (bytes, out) -> {
            Arrays.fill(bytes, (byte) -1);
            out.write(bytes);
        });
        assertThat(encoded(7L, (number, out) -> out.extend(16).order(ByteOrder.BIG_ENDIAN)))
                .containsOnly(0);
        assertThat(encoded(7L, (number, out) -> out.extend(16).putLong(number))).startsWith(7, 0);
    }

    /** Whether the array grows in between must make no difference: a program is tried with short messages. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10, 300, 5000})
    void shouldEmptyABufferThatIsKeptWhateverIsWrittenNext(int length) {
        List<Consumer<MessageOutput>> ways = List.of(
                out -> out.write(new byte[length]),
                out -> out.write(ByteBuffer.allocate(length)),
                out -> out.write(Buffers.direct(new byte[length]), 0, length),
                out -> out.write(1),
                out -> out.truncate(4),
                out -> out.extend(length).limit(0));
        for (Consumer<MessageOutput> way : ways) {
            encoded(length, (count, out) -> {
                ByteBuffer kept = out.extend(Integer.BYTES);
                way.accept(out);
                assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> kept.putInt(0, count));
                assertThat(kept.hasRemaining()).isFalse();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 300, 5000})
    void shouldOverwriteALengthInFrontWhenItIsKnown(int length) {
        byte[] message = encoded(Records.of(1, length), (body, out) -> {
            out.write(new byte[] {7, 7, 7});
            int start = out.length();
            out.extend(Integer.BYTES);
            out.write(body);
            out.overwrite(start, Integer.BYTES).putInt(out.length() - start - Integer.BYTES);
            out.write(8);
        });
        ByteBuffer expected = ByteBuffer.allocate(3 + 4 + length + 1).order(ByteOrder.LITTLE_ENDIAN);
        expected.put(new byte[] {7, 7, 7})
                .putInt(length)
                .put(Records.of(1, length))
                .put((byte) 8);
        assertThat(message).isEqualTo(expected.array());
        for (int[] wrong : new int[][] {{-1, 1}, {0, message.length + 1}, {message.length, 1}, {0, -1}}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> output.overwrite(wrong[0], wrong[1]));
        }
    }

    /** The record would be accepted without what was written there. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 5000})
    void shouldRefuseAMessageThatWasFilledBeyondItsEnd(int length) {
        output.encode(new byte[20_000], (bytes, out) -> out.write(bytes)); // there is memory behind
        List<Consumer<ByteBuffer>> mistakes = List.of(
                buffer -> buffer.clear(),
                buffer -> buffer.limit(buffer.limit() + 1),
                buffer -> buffer.array()[length] = 0,
                buffer -> ByteBuffer.wrap(buffer.array()).putLong(length, 0),
                buffer -> buffer.array()[length + 7] = 1);
        List<Consumer<MessageOutput>> ways = List.of(
                out -> {},
                out -> out.write(1),
                out -> out.write(new byte[length]),
                out -> out.truncate(0),
                out -> out.extend(length),
                out -> out.overwrite(0, length));
        for (Consumer<ByteBuffer> mistake : mistakes) {
            for (Consumer<MessageOutput> way : ways) {
                assertRefused(length, out -> mistake.accept(out.extend(length)), way);
                assertRefused(
                        length,
                        out -> {
                            out.write(new byte[length]);
                            mistake.accept(out.overwrite(0, length));
                        },
                        way);
            }
        }
        assertThat(encoded(
                        Records.of(1, length),
                        (bytes, out) -> out.extend(length).put(bytes)))
                .isEqualTo(Records.of(1, length));
    }

    private void assertRefused(int length, Consumer<MessageOutput> mistake, Consumer<MessageOutput> next) {
        assertThatIllegalStateException()
                .isThrownBy(() -> output.encode("", (message, out) -> {
                    mistake.accept(out);
                    next.accept(out);
                }))
                .withMessageContaining("filled beyond its end")
                .withMessageContaining("length=" + length);
    }

    /** Its buffer is nobody's any more, whatever was done with it. */
    @Test
    void shouldBeginAnewAfterAnEncoderThatHasFailed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> output.encode("", (message, out) -> {
                    out.extend(8).clear();
                    throw new IllegalStateException("injected");
                }));
        assertThat(encoded(7L, (number, out) -> out.extend(8).putLong(number))).startsWith(7, 0);
    }

    @Test
    void shouldTakeAMessageThatLeavesNoMemoryBehind() {
        int all = output.array().length;
        assertThat(encoded(
                        Records.of(1, all),
                        (bytes, out) -> out.extend(all).clear().put(bytes)))
                .isEqualTo(Records.of(1, all));
        assertThat(output.array()).as("nor was any needed").hasSize(all);
    }

    /** What lies behind the bytes that are overwritten, but in the message, is not lost. */
    @Test
    void shouldTakeWhatIsWrittenWithinTheMessage() {
        assertThat(encoded(5L, (number, out) -> {
                    out.extend(16);
                    out.overwrite(0, 8).putLong(number).limit(16).putLong(number);
                }))
                .containsExactly(5, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void shouldLetAFormatTakeLessThanItAskedFor() {
        assertThat(encoded(3, (length, out) -> {
                    out.write(9);
                    out.extend(1000).put((byte) 8);
                    out.truncate(2);
                }))
                .containsExactly(9, 8);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> output.truncate(3));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> output.truncate(-1));
    }

    @Test
    void shouldRefuseWrongLengths() {
        encoded(new byte[5], (bytes, out) -> out.write(bytes));
        assertThatIllegalArgumentException().isThrownBy(() -> output.extend(-1)).withMessageContaining("length=4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> output.extend(Integer.MAX_VALUE))
                .withMessageContaining("length=2147483652");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> output.write(new byte[3], 2, 2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> output.write(Buffers.direct(new byte[3]), 2, 2));
        assertThat(output.length()).isEqualTo(5);
    }

    @Test
    void shouldNotAllocate() {
        Encoder<byte[]> encoder = (bytes, out) -> {
            out.extend(8).putLong(bytes.length);
            out.write(bytes);
        };
        byte[] message = new byte[1000];
        Allocation.checkNone(20_000, 20_000, () -> output.encode(message, encoder));
    }

    /** There was memory for the longer array, and none for what is needed beside it. */
    @Test
    void shouldStayAsItIsIfThereIsNoMemoryToGrow() {
        MessageOutput full = new MessageOutput(bytes -> {
            if (bytes.length > 1000) {
                throw new OutOfMemoryError("injected");
            }
            return MessageOutput.viewOf(bytes);
        });
        full.write(Records.of(1, 100));
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> full.extend(2000));
        assertThat(full.length()).isEqualTo(100);
        full.extend(100).put(Records.of(2, 100));
        assertThat(full.length()).isEqualTo(200);
        assertThat(Arrays.copyOf(full.array(), 100)).isEqualTo(Records.of(1, 100));
        assertThat(Arrays.copyOfRange(full.array(), 100, 200)).isEqualTo(Records.of(2, 100));
    }
}
