package io.persist.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFileNameTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 64 << 20, LogFileName.BASE_LIMIT - 1})
    void shouldReadTheBasePositionItWrote(long base) {
        assertThat(LogFileName.segment(base)).hasSize(24);
        assertThat(LogFileName.basePosition(LogFileName.segment(base))).hasValue(base);
    }

    @Test
    void shouldWriteTwentyDigits() {
        assertThat(LogFileName.segment(67108864)).isEqualTo("00000000000067108864.log");
    }

    @Test
    void shouldSortAsPositionsDo() {
        List<String> names = LongStream.of(0, 9, 10, 99_999, 100_000, 1L << 40, LogFileName.BASE_LIMIT)
                .mapToObj(LogFileName::segment)
                .toList();
        assertThat(names).isSorted();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "control",
                "writer.lock",
                "0.log",
                "0000000000000000000.log",
                "000000000000000000000.log",
                "00000000000000000000.log.tmp",
                "00000000000000000000.spare",
                "00000000000000000000xlog",
                "-0000000000000000001.log",
                "99999999999999999999.log",
                "09223372036854775808.log",
                "09223372036854775807.log",
                "04611686018427387904.log",
                "00000000000000000000.log\n",
                "\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660"
                        + "\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660.log"
            })
    void shouldTakeNothingElseForASegment(String name) {
        assertThat(LogFileName.basePosition(name)).isEmpty();
    }

    @Test
    void shouldWriteTheSameNameInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            for (String tag : new String[] {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva", "th-TH-u-nu-thai"}) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                assertThat(LogFileName.segment(42)).as(tag).isEqualTo("00000000000000000042.log");
            }
        } finally {
            Locale.setDefault(before);
        }
    }
}
