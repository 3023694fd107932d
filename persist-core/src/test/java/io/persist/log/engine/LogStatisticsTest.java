package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.LogMonitor;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import io.persist.support.Await;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters are exact, in each kind of writer. */
@ParameterizedClass
@EnumSource(WriterKind.class)
class LogStatisticsTest {

    @Parameter
    WriterKind kind;

    private final CrashableStorage storage = new CrashableStorage();
    private Log log;

    @BeforeEach
    void open() {
        log = Log.open(kind.config().build(), storage);
    }

    @AfterEach
    void close() {
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    /** What another process sees. */
    private LogStatistics seen() {
        return new LogMonitor(storage).read().statistics();
    }

    private void append(int length) {
        log.append(new byte[length], 0, length);
    }

    @Test
    void shouldBeginWithNothing() {
        assertThat(log.statistics().openedAtMs()).isPositive();
        for (Counter counter : Counter.values()) {
            if (counter != Counter.OPENED_AT_MS && counter.owner() != Counter.Owner.FILLER) {
                assertThat(log.statistics().get(counter)).as(counter.name()).isZero();
            }
        }
    }

    @Test
    void shouldCountRecordsBytesAndCommits() {
        append(100);
        append(0);
        log.commit(Durability.BUFFERED);
        log.append(ByteBuffer.allocate(7));
        log.claim(50).abort();
        log.claim(20).publish();
        log.commit(Durability.FLUSHED);
        log.commit(Durability.SYNCED); // ends no record
        append(1);
        log.commit(Durability.SYNCED);
        Await.segmentsAhead(log, 2); // or another one is counted between the two looks
        assertThat(seen()).isEqualTo(log.statistics());
        assertThat(seen().records()).isEqualTo(5);
        assertThat(seen().bytes()).isEqualTo(128);
        assertThat(seen().commits()).isEqualTo(3);
        assertThat(seen().averageRecord()).isEqualTo(128 / 5.0);
    }

    /** The segment that the claim was to be in is a new one, so the log's end has moved all the same. */
    @Test
    void shouldNotCountACommitThatHasOnlyRolled() {
        append(3000);
        log.commit(Durability.BUFFERED);
        log.claim(2000).abort();
        log.commit(Durability.BUFFERED);
        assertThat(seen().rolls()).isEqualTo(1);
        assertThat(seen().commits()).isEqualTo(1);
    }

    @Test
    void shouldNotCountASyncedCommitThatWaitsForNothing() {
        append(1);
        log.commit(Durability.SYNCED);
        log.commit(Durability.SYNCED);
        log.commitToAwait(Durability.SYNCED);
        assertThat(seen().syncedCommits()).isEqualTo(1);
        append(1);
        log.awaitUninterruptibly(log.commitToAwait(Durability.SYNCED), Durability.SYNCED);
        assertThat(seen().syncedCommits()).isEqualTo(2);
    }

    @Test
    void shouldBeUpToDateAtEachCommitFlushAndSync() {
        append(10);
        assertThat(log.statistics().records())
                .as("an append has nothing to do for it")
                .isZero();
        log.commit(Durability.BUFFERED);
        assertThat(seen().records()).isEqualTo(1);
        append(10);
        log.flush();
        assertThat(seen().records()).isEqualTo(2);
        append(10);
        log.sync();
        assertThat(seen().records()).isEqualTo(3);
        assertThat(seen().commits()).isEqualTo(1);
        append(10);
        log.close();
        assertThat(seen().records()).isEqualTo(4);
        assertThat(log.statistics()).as("of the closed log").isEqualTo(seen());
    }

    @Test
    void shouldCountRollsAndFilledSegments() {
        Records.appendUntilRolled(log, 5);
        assertThat(seen().rolls()).isEqualTo(5);
        assertThat(seen().records()).isEqualTo(log.lastSequence() - 1); // the one that made it roll is on its way
        assertThat(seen().segmentsFilled()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void shouldCountStallsWithTheirTimes() {
        Records.appendUntilRolled(log, 100);
        LogStatistics statistics = seen();
        assertThat(statistics.stallNs() > 0).isEqualTo(statistics.stalls() > 0);
        assertThat(statistics.stallMaxNs()).isLessThanOrEqualTo(statistics.stallNs());
        assertThat(statistics.stallMaxNs() * statistics.stalls()).isGreaterThanOrEqualTo(statistics.stallNs());
        assertThat(statistics.averageStallNs() > 0).isEqualTo(statistics.stalls() > 0);
    }

    @Test
    void shouldNotCountWhatWasRefused() {
        append(10);
        assertThatThrownBy(() -> append(5000)).isInstanceOf(IllegalArgumentException.class);
        long before = log.lastSequence();
        storage.capacityBytes(1);
        assertThatThrownBy(() -> Records.append(log, 1_000_000)).isInstanceOf(LogFullException.class);
        assertThat(log.lastSequence()).isGreaterThan(before);
        assertThat(seen().records()).isEqualTo(log.lastSequence());
    }

    @Test
    void shouldCountRefusals() {
        Records.appendUntilRolled(log, 2);
        assertThat(seen().refusals()).isZero();
        storage.capacityBytes(1);
        for (int refused = 1; refused <= 3; refused++) {
            assertThatThrownBy(() -> Records.append(log, 1_000_000)).isInstanceOf(LogFullException.class);
            assertThat(seen().refusals()).isEqualTo(refused);
        }
        assertThat(seen().stalls()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void shouldBeginAnewAtEachOpening() {
        Records.appendUntilRolled(log, 2);
        log.sync();
        log.close();
        LogStatistics first = seen();
        assertThat(first.records()).isPositive();
        open();
        assertThat(seen().records()).isZero();
        assertThat(seen().rolls()).isZero();
        assertThat(seen().syncs()).isZero();
        append(3);
        log.commit(Durability.SYNCED);
        assertThat(seen().records()).isEqualTo(1);
        assertThat(seen().bytes()).isEqualTo(3);
        assertThat(first.records()).as("a snapshot").isPositive();
    }

    @Test
    void shouldKeepTheNumbersOfALogThatFails() {
        append(3);
        log.commit(Durability.BUFFERED);
        append(4);
        storage.hook((number, operation) -> {
            if (operation.startsWith("force 0") || operation.startsWith("write 0") || operation.startsWith("sync 0")) {
                throw new IOException("broken");
            }
        });
        assertThatThrownBy(() -> log.sync()).isInstanceOf(LogIOException.class);
        assertThat(seen().records()).isEqualTo(2);
        assertThat(seen().bytes()).isEqualTo(7);
        assertThatThrownBy(() -> log.close()).isInstanceOf(LogIOException.class);
        assertThat(seen().records()).isEqualTo(2);
        assertThat(new LogMonitor(storage).read().hasFailed()).isTrue();
    }

    @Test
    void shouldTellAveragesAndWhatIsNotZero() {
        assertThat(log.statistics().syncsPerCommit()).isZero();
        assertThat(log.statistics().averageSyncNs()).isZero();
        assertThat(log.statistics().averageBatch()).isZero();
        append(8);
        log.commit(Durability.BUFFERED);
        assertThat(log.statistics().toString())
                .startsWith("LogStatistics[openedAtMs=")
                .contains(", records=1, bytes=8, commits=1")
                .doesNotContain("rolls");
    }
}
