package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SeedsTest {

    @BeforeEach
    void needNoGivenSeed() {
        assumeThat(System.getProperty("seed")).isNull();
    }

    @Test
    void shouldRunEachCaseWithItsOwnSeed() {
        List<Long> seeds = new ArrayList<>();
        Seeds.run(5, seeds::add);
        assertThat(seeds).hasSizeGreaterThanOrEqualTo(5).doesNotHaveDuplicates();
        assertThat(Seeds.isNightly() || seeds.size() == 5).isTrue();
    }

    @Test
    void shouldNameTheSeedOfTheCaseThatFails() {
        List<Long> seeds = new ArrayList<>();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Seeds.run(5, seed -> {
                    seeds.add(seed);
                    assertThat(seeds).hasSizeLessThan(3);
                }))
                .satisfies(error -> assertThat(error.getMessage())
                        .startsWith("SeedsTest.shouldNameTheSeedOfTheCaseThatFails: case 3 of ")
                        .contains("-Dseed=" + seeds.get(2)));
    }
}
