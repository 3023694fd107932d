package io.persist.shard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodecTest {

    private final Codec<String> utf8 = Codec.utf8();

    @Test
    void shouldMakeTextOfWhatItMadeOfText() {
        for (String text : List.of("", "plain", "n\u00e4her \u20ac", "\ud83d\ude00", "a\ud83d\ude00\ud840\udc0bb")) {
            assertThat(utf8.encode(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
            assertThat(utf8.decode(utf8.encode(text))).isEqualTo(text);
        }
    }

    @Test
    void shouldRefuseLoneSurrogates() {
        Map<String, Integer> wrong = Map.of(
                "\ud83d",
                0,
                "\ude00",
                0,
                "abc\ud83d",
                3,
                "\ud83d\ude00\ude00",
                2,
                "\ud83d\ud83d\ude00",
                0,
                "a\ude00b",
                1);
        wrong.forEach((text, at) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> utf8.encode(text))
                .withMessage("no UTF-8: a lone surrogate at character " + at));
        wrong.forEach((text, at) -> assertThatIllegalArgumentException()
                .as("it would come back as another token, and the append would be repeated")
                .isThrownBy(() -> new AppendToken(text))
                .withMessage("no UTF-8: a lone surrogate at character " + at));
        assertThat(new AppendToken("\ud83d\ude00").text()).hasSize(2);
    }
}
