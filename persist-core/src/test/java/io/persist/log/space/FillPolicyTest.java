package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FillPolicyTest {

    private static final long MIB = 1 << 20;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long DURABLE_AHEAD = 128 * MIB;

    private final FillPolicy policy = new FillPolicy(0, 0, DURABLE_AHEAD, false);

    private long position;
    private long syncs;
    private long nowNs;

    /** Tells the policy of a second in which {@code bytes} were appended, in equal parts of 20 ms. */
    private void second(long bytes, long syncsInIt) {
        for (int i = 1; i <= 50; i++) {
            nowNs += SECOND_NS / 50;
            policy.observe(position + bytes * i / 50, syncs + syncsInIt * i / 50, nowNs);
        }
        position += bytes;
        syncs += syncsInIt;
    }

    @Test
    void shouldStayAheadByAFifthOfASecond() {
        second(500 * MIB, 0);
        assertThat(policy.aheadBytes()).isBetween(99 * MIB, 101 * MIB);
    }

    @Test
    void shouldStayWithinItsBounds() {
        assertThat(policy.aheadBytes()).isEqualTo(FillPolicy.LEAST_AHEAD);
        second(MIB, 0);
        assertThat(policy.aheadBytes()).isEqualTo(FillPolicy.LEAST_AHEAD);
        second(5000 * MIB, 0);
        assertThat(policy.aheadBytes()).isEqualTo(FillPolicy.MOST_AHEAD);
    }

    @Test
    void shouldForgetARateSlowly() {
        second(500 * MIB, 0);
        second(0, 0);
        assertThat(policy.aheadBytes()).isBetween(FillPolicy.LEAST_AHEAD, 60 * MIB);
        for (int i = 0; i < 10; i++) {
            second(0, 0);
        }
        assertThat(policy.aheadBytes()).isEqualTo(FillPolicy.LEAST_AHEAD);
    }

    /** Each time that the thread that fills looks, it takes a CPU from another one. */
    @Test
    void shouldLookSeldomInASlowLog() {
        long shortNs = FillPolicy.SHORT_PAUSE_NS;
        assertThat(policy.pauseNs()).as("while nothing is appended").isEqualTo(100 * shortNs);
        second(MIB / 2, 0);
        assertThat(policy.pauseNs()).isEqualTo(100 * shortNs);
        second(50 * MIB, 0);
        assertThat(policy.pauseNs()).as("until a MiB is used").isBetween(2 * shortNs - 1, 2 * shortNs + 1);
        second(200 * MIB, 0);
        assertThat(policy.pauseNs()).isEqualTo(shortNs);
    }

    @Test
    void shouldSyncZerosWhereSmallCommitsAreSynced() {
        assertThat(policy.syncsZeros()).isFalse();
        second(MIB, 1000);
        assertThat(policy.syncsZeros()).isTrue();
        assertThat(policy.writesLongPieces()).isFalse();
        assertThat(policy.aheadBytes()).isEqualTo(DURABLE_AHEAD);
    }

    @Test
    void shouldNotSyncZerosWhereMuchIsSyncedAtOnce() {
        second(500 * MIB, 100);
        assertThat(policy.syncsZeros()).isFalse();
        assertThat(policy.writesLongPieces()).isTrue();
    }

    @Test
    void shouldFollowALogThatSyncsNoMore() {
        second(MIB, 1000);
        second(100 * MIB, 0);
        assertThat(policy.syncsZeros()).isFalse();
        assertThat(policy.writesLongPieces()).isTrue();
    }

    @Test
    void shouldWriteShortPiecesUntilItKnows() {
        assertThat(policy.writesLongPieces()).isFalse();
        second(MIB, 0);
        assertThat(policy.writesLongPieces()).isFalse();
        second(10 * MIB, 0);
        assertThat(policy.writesLongPieces()).isTrue();
    }

    /** What a roll leaves out holds no record: nothing is known of the rate, or of what is synced at once. */
    @Test
    void shouldNotTakeARollForAStream() {
        second(0, 0);
        policy.leaveOut(500 * MIB);
        second(0, 0);
        assertThat(policy.aheadBytes()).as("before it").isEqualTo(FillPolicy.LEAST_AHEAD);
        second(500 * MIB, 0);
        assertThat(policy.aheadBytes()).isEqualTo(FillPolicy.LEAST_AHEAD);
        assertThat(policy.writesLongPieces()).isFalse();
        second(500 * MIB, 0);
        assertThat(policy.aheadBytes()).as("of records").isBetween(99 * MIB, 101 * MIB);
    }

    @Test
    void shouldBeginAsItIsTold() {
        FillPolicy synced = new FillPolicy(0, 0, DURABLE_AHEAD, true);
        assertThat(synced.syncsZeros()).isTrue();
        assertThat(synced.aheadBytes()).isEqualTo(DURABLE_AHEAD);
    }
}
