package io.persist.shard.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuTimesTest {

    /** Of nothing there is no time for each GiB. */
    @Test
    void shouldSayNothingForEachGibOfNothing() {
        CpuTimes cpu = new CpuTimes();
        cpu.begin();
        cpu.end();

        assertThat(cpu.table(0, 1_000).get(2)).startsWith("| ").contains(" | - | ");
        assertThat(cpu.table(1, 1_000).get(2)).doesNotContain(" | - | ");
    }
}
