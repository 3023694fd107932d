package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.CommitTimeoutException;
import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.LogWriter;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits that wait for so long at most, attached and detached, on a device that works, hangs or fails. */
@ParameterizedClass
@EnumSource(WriterWay.class)
class BoundedCommitTest {

    /** Long enough for nothing that hangs, and no time to wait in a test. */
    private static final Duration SHORT = Duration.ofMillis(5);

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    @Parameter
    WriterWay way;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private LogWriter log;

    @BeforeEach
    void open() {
        log = way.writer(way.open(storage));
    }

    @AfterEach
    void close() {
        WriterWay.close(log, syncs, storage);
    }

    private long append() {
        return log.append(new byte[100], 0, 100);
    }

    /** From now on no sync comes back; in FILE mode the writer thread syncs by its writes. */
    private void hang() {
        storage.hook(syncs);
        if (way.isDetached()) {
            syncs.holdWrites();
        } else {
            syncs.hold();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1M", "PT2562047788015215H30M7.999999999S"})
    void shouldReturnWhenTheLevelIsReached(String timeout) {
        for (Durability level : Durability.values()) {
            long end = append();
            assertThat(log.commit(level, Duration.parse(timeout))).isEqualTo(end);
            assertThat(log.positions().reached(level) >= end || level == Durability.BUFFERED)
                    .isTrue();
            assertThat(log.committedPosition() == end || way.isDetached()).isTrue();
        }
        assertThat(log.statistics().syncedCommits()).isEqualTo(1);
    }

    /** Or the syncs for each synced commit would look fewer than they are. */
    @Test
    void shouldCountNoOtherWaitAsASyncedCommit() throws InterruptedException {
        append();
        log.sync();
        assertThat(log.await(append(), Durability.SYNCED, FOREVER)).isTrue();
        log.reached(append(), Durability.SYNCED).join();
        append();
        log.reached(log.commitWithin(Duration.ZERO), Durability.SYNCED).join();
        append();
        log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.DELETE);
        assertThat(log.statistics().syncedCommits()).isZero();
        append();
        log.commit(Durability.FLUSHED);
        log.commit(Durability.SYNCED);
        log.commit(Durability.SYNCED); // waits for nothing
        assertThat(log.statistics().syncedCommits()).isEqualTo(1);
        append();
        log.commit(Durability.SYNCED, FOREVER);
        assertThat(log.statistics().syncedCommits()).isEqualTo(2);
    }

    @Test
    void shouldThrowWhenTheDeviceHangs() throws InterruptedException {
        append();
        log.commit(Durability.SYNCED);
        hang();
        long end = append();
        CommitTimeoutException late =
                catchThrowableOfType(CommitTimeoutException.class, () -> log.commit(Durability.SYNCED, SHORT));
        syncs.awaitHeld();
        assertThat(late.position()).isEqualTo(end);
        assertThat(late)
                .hasMessageContaining("SYNCED")
                .hasMessageContaining("timeout=PT0.005S")
                .hasMessageContaining("position=" + end)
                .hasMessageContaining("await");
        assertThat(late.getMessage()).doesNotContain("\n");
        assertThat(log.syncedPosition()).isLessThan(end);
        long next = append();
        assertThat(log.commit(Durability.BUFFERED)).isEqualTo(next);
        assertThatExceptionOfType(CommitTimeoutException.class)
                .as("while another thread is in the device")
                .isThrownBy(() -> log.commit(Durability.SYNCED, SHORT))
                .satisfies(e -> assertThat(e.position()).isEqualTo(next));
        assertThat(log.await(end, Durability.SYNCED, Duration.ZERO)).isFalse();
        syncs.releaseAll();
        assertThat(log.await(next, Durability.SYNCED, Duration.ofMinutes(1))).isTrue();
        assertThat(log.positions().hasFailed()).isFalse();
        try (Tailer tailer = log.tailer()) {
            for (int i = 0; i < 3; i++) {
                assertThat(tailer.next()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT-2562047788015215H"})
    void shouldNotWaitWithoutTime(String timeout) {
        append();
        long end = log.commit(Durability.SYNCED);
        assertThat(log.commit(Durability.SYNCED, Duration.parse(timeout)))
                .as("it is there already")
                .isEqualTo(end);
        hang();
        long next = append();
        assertThatExceptionOfType(CommitTimeoutException.class)
                .isThrownBy(() -> log.commit(Durability.SYNCED, Duration.parse(timeout)))
                .satisfies(e -> assertThat(e.position()).isEqualTo(next));
        syncs.awaitHeld();
        syncs.releaseAll();
        Await.until("it is synced all the same", () -> log.syncedPosition() >= next);
    }

    @Test
    void shouldKeepAnInterruptForLater() {
        long end = append();
        Thread.currentThread().interrupt();
        assertThat(log.commit(Durability.SYNCED, FOREVER)).isEqualTo(end);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(log.syncedPosition()).isGreaterThanOrEqualTo(end);
        hang();
        append();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(CommitTimeoutException.class).isThrownBy(() -> log.commit(Durability.SYNCED, SHORT));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldThrowTheCauseWhenTheDeviceFails() throws IOException {
        append();
        storage.hook((number, what) -> {
            if (what.matches("(force|sync|write) \\d+\\.log")) {
                throw new IOException("device is gone");
            }
        });
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> log.commit(Durability.SYNCED, FOREVER))
                .withMessageContaining("device is gone");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> log.close())
                .withMessageContaining("device is gone");
    }
}
