package io.persist.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JmhMainTest {

    @Test
    void shouldTellRunsFromQuestions() {
        assertThat(JmhMain.isRun()).isTrue();
        assertThat(JmhMain.isRun("SyncBenchmark", "-f", "1")).isTrue();
        assertThat(JmhMain.isRun("-h")).isFalse();
        assertThat(JmhMain.isRun(JmhMain.asJmh("--help"))).isFalse();
        assertThat(JmhMain.isRun("SyncBenchmark", "-lp")).isFalse();
    }
}
