package io.persist.bench.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.command.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesTest {

    @TempDir
    Path directory;

    @Test
    void shouldTakeEachLineButEmptyOnes() throws IOException {
        FileMessages messages = lines("one\n\ntwo\r\n\r\nthrée\n");

        assertThat(messages.count()).isEqualTo(3);
        assertThat(text(messages, 0)).isEqualTo("one");
        assertThat(text(messages, 1)).isEqualTo("two");
        assertThat(text(messages, 2)).isEqualTo("thrée");
        assertThat(messages.maxLength()).isEqualTo(6);
        assertThat(messages.averageLength()).isEqualTo(4);
    }

    @Test
    void shouldTakeALastLineWithoutItsEnd() throws IOException {
        assertThat(text(lines("one\ntwo"), 1)).isEqualTo("two");
    }

    @Test
    void shouldStartAgainAfterTheLastMessage() throws IOException {
        FileMessages messages = lines("a\nb\nc\n");

        assertThat(text(messages, 3)).isEqualTo("a");
        assertThat(text(messages, 3_000_000_004L)).isEqualTo("b");
    }

    @Test
    void shouldTakeLengthDelimitedMessages() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        bytes.putInt(3).put("a\nb".getBytes(UTF_8)).putInt(1).put((byte) 'c').flip();

        FileMessages messages = load(bytes, FileMessages.Format.LENGTH4);

        assertThat(messages.count()).isEqualTo(2);
        assertThat(text(messages, 0)).isEqualTo("a\nb");
        assertThat(text(messages, 1)).isEqualTo("c");
    }

    @Test
    void shouldSayWhereALengthIsWrong() {
        ByteBuffer tooLong = ByteBuffer.allocate(64)
                .putInt(1)
                .put((byte) 'a')
                .putInt(9)
                .put((byte) 'b')
                .flip();
        assertThatThrownBy(() -> load(tooLong, FileMessages.Format.LENGTH4))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("message 2 at byte 5 claims a length of 9, and 1 byte follows; ");

        ByteBuffer cutOff = ByteBuffer.allocate(64).putShort((short) 0).flip();
        assertThatThrownBy(() -> load(cutOff, FileMessages.Format.LENGTH4))
                .hasMessageContaining("message 1 at byte 0 has no whole length");

        ByteBuffer negative = ByteBuffer.allocate(64).putInt(-5).flip();
        assertThatThrownBy(() -> load(negative, FileMessages.Format.LENGTH4))
                .hasMessageContaining("claims a length of -5");
    }

    @Test
    void shouldRefuseFilesWithoutMessagesAndTooLargeOnes() {
        assertThatThrownBy(() -> lines("\n\n")).hasMessageContaining("has no message");

        Path file = directory.resolve("large");
        assertThatThrownBy(() ->
                        FileMessages.load(Files.writeString(file, "x".repeat(2000)), FileMessages.Format.LINES, 1999))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("has 2.0 KiB")
                .hasMessageContaining("larger -Xmx");
    }

    @Test
    void shouldMakePatternsThatDiffer() {
        PatternMessages messages = new PatternMessages(300);
        ByteBuffer first = ByteBuffer.allocate(300).put(messages.message(7)).flip();

        assertThat(messages.message(7)).isEqualTo(first);
        assertThat(messages.message(8)).isNotEqualTo(first);
        assertThat(messages.message(8).remaining()).isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldBeginEachPatternWithAsMuchOfItsIndexAsFits(int length) {
        PatternMessages messages = new PatternMessages(length);
        for (long index : new long[] {0x0807060504030201L, 3, 0x1817161514131211L}) {
            ByteBuffer whole = ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(0, index);
            assertThat(messages.message(index)).isEqualTo(whole.limit(length));
        }
    }

    private FileMessages lines(String text) throws IOException {
        return load(ByteBuffer.wrap(text.getBytes(UTF_8)), FileMessages.Format.LINES);
    }

    private FileMessages load(ByteBuffer bytes, FileMessages.Format format) throws IOException {
        byte[] content = new byte[bytes.remaining()];
        bytes.get(content);
        return FileMessages.load(Files.write(directory.resolve("messages"), content), format, 1 << 20);
    }

    private static String text(Messages messages, long index) {
        return UTF_8.decode(messages.message(index).duplicate()).toString();
    }
}
