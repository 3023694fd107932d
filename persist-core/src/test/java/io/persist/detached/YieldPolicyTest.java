package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.WaitStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class YieldPolicyTest {

    private final YieldPolicy policy = new YieldPolicy(3, 100, 1000);
    private final long startNs = System.nanoTime();

    @Test
    void shouldYieldSoManyTimes() {
        assertThat(policy.mayBegin(startNs)).isTrue();
        assertThat(policy.mayGoOn(1, 100, startNs)).isTrue();
        assertThat(policy.mayGoOn(2, 100, startNs)).isTrue();
        assertThat(policy.mayGoOn(3, 100, startNs)).isFalse();
        assertThat(policy.mayBegin(startNs)).isTrue();
    }

    @Test
    void shouldPauseAfterOthersHaveTakenTheCpu() {
        assertThat(policy.mayGoOn(1, 101, startNs)).isFalse();
        assertThat(policy.mayBegin(startNs + 999)).isFalse();
        assertThat(policy.mayBegin(startNs + 1000)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(WaitStrategy.class)
    void shouldYieldOnlyWhereTimeCounts(WaitStrategy strategy) {
        boolean yields = strategy == WaitStrategy.BUSY_SPIN || strategy == WaitStrategy.YIELDING;
        assertThat(YieldPolicy.of(strategy).mayBegin(System.nanoTime())).isEqualTo(yields);
    }
}
