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

    /** A thread of the log is named after its directory, of which a part without its digits would be another one. */
    @Test
    void shouldLeaveDirectoriesOutOfTheNames() throws InterruptedException {
        CpuTimes cpu = new CpuTimes();
        cpu.begin();
        Thread thread = new Thread(
                () -> {
                    long sum = 0;
                    while (sum < 10_000_000) {
                        sum += Thread.currentThread().getName().length();
                    }
                    cpu.threadEnds();
                },
                "filler /data/run53/shards-1/journal");
        thread.start();
        thread.join();
        cpu.end();

        assertThat(cpu.table(1, 1_000)).anyMatch(row -> row.startsWith("| filler | "));
    }
}
