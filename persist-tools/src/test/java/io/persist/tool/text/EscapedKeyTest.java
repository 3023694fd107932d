package io.persist.tool.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EscapedKeyTest {

    private static String escaped(String bytes) {
        return EscapedKey.of(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Test
    void shouldShowTextAsItIsAndEverythingElseAsBytes() {
        assertThat(escaped("order/17")).isEqualTo("order/17");
        assertThat(escaped("a\u0000b\n\u007f")).isEqualTo("a\\x00b\\x0a\\x7f");
        assertThat(escaped("\u00ff\u00c3\u00a9\u00c3")).isEqualTo("\\xff\u00e9\\xc3");
        assertThat(escaped("back\\slash \"quoted\"")).isEqualTo("back\\\\slash \\\"quoted\\\"");
        assertThat(EscapedKey.of(StandardCharsets.UTF_8.encode("\u202e\ud83d\ude00")))
                .isEqualTo("\\xe2\\x80\\xae\ud83d\ude00");
    }

    @Test
    void shouldLoseNoByteOfAnyKey() {
        Seeds.run(300, seed -> {
            byte[] key = key(new Random(seed));
            String text = EscapedKey.of(ByteBuffer.wrap(key));
            assertThat(EscapedKey.parse(text)).as(text).isEqualTo(key);
            assertThat(text).doesNotContainPattern("\\p{Cntrl}");
        });
    }

    /** Often text, sometimes with a byte in it that is none. */
    private static byte[] key(Random random) {
        byte[] key = new byte[random.nextInt(24)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte)
                    (random.nextInt(4) == 0 ? random.nextInt(256) : "\\\"xX09afgz/\u00e9".charAt(random.nextInt(12)));
        }
        return key;
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\", "a\\", "\\n", "\\x", "\\x1", "\\xg1", "\\X00"})
    void shouldRefuseWhatIsNoEscape(String text) {
        assertThatThrownBy(() -> EscapedKey.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write \\\\ for a backslash, \\x0a for a byte");
    }

    /** As Java reads {@code gr\u00fcn} from a command line in the locale C, and half of a pair from anywhere. */
    @ParameterizedTest
    @ValueSource(strings = {"gr\ufffd\ufffdn", "\ud83d", "a\ude00"})
    void shouldRefuseWhatCouldNotBeRead(String text) {
        for (KeyFormat format : List.of(KeyFormat.ESCAPED, KeyFormat.TEXT)) {
            assertThatThrownBy(() -> format.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("set LC_ALL=C.UTF-8")
                    .hasMessageContaining("\\xNN");
        }
    }

    @Test
    void shouldTakeAKeyOfAReplacementByItsEscapes() {
        byte[] key = "\ufffd".getBytes(StandardCharsets.UTF_8);
        String printed = KeyFormat.ESCAPED.plain(ByteBuffer.wrap(key));
        assertThat(printed).isEqualTo("\\xef\\xbf\\xbd");
        assertThat(KeyFormat.ESCAPED.parse(printed)).isEqualTo(key);
    }
}
