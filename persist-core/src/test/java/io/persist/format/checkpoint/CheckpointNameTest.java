package io.persist.format.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.LogFileName;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointNameTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 64 << 20, Long.MAX_VALUE})
    void shouldReadThePositionItWrote(long position) {
        String name = CheckpointName.of(position);
        assertThat(CheckpointName.position(name)).hasValue(position);
        assertThat(CheckpointName.isTemporary(name)).isFalse();
        assertThat(LogFileName.basePosition(name)).isEmpty();

        String temporary = CheckpointName.temporary(position);
        assertThat(temporary).endsWith(LogFileName.TEMPORARY_SUFFIX);
        assertThat(CheckpointName.isTemporary(temporary)).isTrue();
        assertThat(CheckpointName.position(temporary)).isEmpty();
    }

    @Test
    void shouldSortAsPositionsDo() {
        List<String> names = LongStream.of(0, 9, 10, 99_999, 100_000, 1L << 40, Long.MAX_VALUE)
                .mapToObj(CheckpointName::of)
                .toList();
        assertThat(names).isSorted();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "checkpoint-.chk",
                "checkpoint-0.chk",
                "checkpoint-0000000000000000000.chk",
                "checkpoint-000000000000000000000.chk",
                "Checkpoint-00000000000000000000.chk",
                "checkpoint-00000000000000000000.chk\n",
                "checkpoint-00000000000000000000xchk",
                "checkpoint-00000000000000000000.cursor",
                "checkpoint-99999999999999999999.chk",
                "checkpoint-09223372036854775808.chk",
                "checkpoint--0000000000000000001.chk",
                "00000000000000000000.log",
                "00000000000000000000.chk"
            })
    void shouldTakeNothingElseForACheckpoint(String name) {
        assertThat(CheckpointName.position(name)).isEmpty();
        assertThat(CheckpointName.isTemporary(name)).isFalse();
        assertThat(CheckpointName.isTemporary(name + LogFileName.TEMPORARY_SUFFIX))
                .isFalse();
    }

    @Test
    void shouldWriteTheSameNameInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(CheckpointName.of(42)).isEqualTo("checkpoint-00000000000000000042.chk");
        } finally {
            Locale.setDefault(before);
        }
    }
}
