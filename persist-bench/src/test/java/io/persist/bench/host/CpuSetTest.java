package io.persist.bench.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.command.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuSetTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | 0",
                "2 | 1",
                "10 | 1, 3",
                "0x3 | 0, 1",
                "0X10 | 4",
                "0x10000000000000000 | 64",
                "[0] | 0",
                "[5,0,2] | 0, 2, 5"
            })
    void shouldTakeMasksAndLists(String text, String expected) {
        assertThat(CpuSet.parse(text)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "both | --affinity both is no CPU mask; give a mask like 0x3, or a list like [0,1]",
                "0 | --affinity 0 names no CPU; give a mask like 0x3, or a list like [0,1]",
                "0x0 | --affinity 0x0 names no CPU; give a mask like 0x3, or a list like [0,1]",
                "[] | --affinity [] is no CPU mask; give a mask like 0x3, or a list like [0,1]",
                "[1, 2] | --affinity [1, 2] is no CPU mask; give a mask like 0x3, or a list like [0,1]",
                "-1 | --affinity -1 is no CPU mask; give a mask like 0x3, or a list like [0,1]",
                "[99999999999] | --affinity [99999999999] has a CPU above 9999; give a mask like 0x3, or a list like [0,1]",
            })
    void shouldRefuseWhatIsNoMask(String text, String message) {
        assertThatThrownBy(() -> CpuSet.parse(text))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseAMaskThatIsMuchTooLong() {
        assertThatThrownBy(() -> CpuSet.parse("1".repeat(10_000)))
                .hasMessageContaining("with 10000 characters is too long");
    }

    @Test
    void shouldReadTheKernelsLists() {
        assertThat(CpuSet.ranges("0-3,8,10-11")).hasToString("0, 1, 2, 3, 8, 10, 11");
    }

    @Test
    void shouldNameTheCpusThatThereAreInPlaceOfAnother() {
        CpuSet.parse("[0,3]").checkWithin(CpuSet.ranges("0-3"));

        assertThatThrownBy(() -> CpuSet.parse("[0,4,7]").checkWithin(CpuSet.ranges("0-3")))
                .isInstanceOf(UsageException.class)
                .hasMessage("--affinity names CPU 4, 7, which this machine does not have; choose from CPU 0, 1, 2, 3");
    }
}
