package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.bench.load.PutCheck;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stop;
import io.persist.bench.load.Stretch;
import io.persist.bench.load.WriteLoop;
import io.persist.bench.record.KeyPattern;
import io.persist.bench.record.Messages;
import io.persist.bench.record.PatternMessages;
import io.persist.bench.subject.LastPuts;
import io.persist.bench.subject.LogReading;
import io.persist.bench.subject.StateReading;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the reads of a store see what is wrong. */
class StoreReadingTest {

    private static final int COUNT = 20;

    @TempDir
    Path directory;

    private final Messages messages = new PatternMessages(30);
    private final KeyPattern pattern = new KeyPattern(8, KeyPattern.Order.SEQUENTIAL, 1);
    private final Stretch stretch = new Stretch(1, 0, List.of(new WriteLoop.Written(COUNT, 0, 0, 0)));
    private final Stop stop = Stop.onInterrupt();
    private StoreLogger store;

    @BeforeEach
    void open() {
        LogConfig log = LogConfig.builder(directory).segmentLength(1 << 20).build();
        store = StoreLogger.open(StoreConfig.builder(log).build());
    }

    @AfterEach
    void close() {
        store.close();
        stop.close();
    }

    @Test
    void shouldReadWhatWasPut() throws ReadPass.VerificationException {
        put(COUNT);

        assertThat(log().read(stretch, Long.MAX_VALUE).count()).isEqualTo(COUNT);
        assertThat(log().read(stretch, 5).count()).isEqualTo(5);
        assertThat(state().byKey(Long.MAX_VALUE).count()).isEqualTo(8);
        assertThat(state().byKey(3).count()).isEqualTo(3);
        assertThat(state().byScan(Long.MAX_VALUE).count()).isEqualTo(8);
        assertThat(log().count(0)).isEqualTo(new LogReading.Statistics(COUNT, COUNT, 0, 160, 600, 20 * 96));
    }

    @Test
    void shouldSeeAValueThatDiffers() {
        put(COUNT);
        put(6, messages.message(13));

        assertThatThrownBy(() -> state().byKey(Long.MAX_VALUE))
                .isInstanceOf(ReadPass.VerificationException.class)
                .hasMessageEndingWith("the value of key 6 differs from what was written at byte 0");
        assertThatThrownBy(() -> state().byScan(Long.MAX_VALUE))
                .hasMessageContaining("in the scan, the value of key 6 differs");
    }

    @Test
    void shouldSeeAKeyThatIsMissing() {
        put(COUNT);
        Transaction transaction = store.begin();
        transaction.remove(KeyPattern.newKey().putLong(0, 3).array());
        transaction.commit();

        assertThatThrownBy(() -> state().byKey(Long.MAX_VALUE)).hasMessageEndingWith("there is no value of key 3");
        assertThatThrownBy(() -> state().byScan(Long.MAX_VALUE))
                .hasMessageEndingWith("the scan ends after 7 of the 8 keys that were put");
        assertThat(log().count(0).removes()).isEqualTo(1);
    }

    @Test
    void shouldSeeAChangeInTheLogThatDiffersOrIsMissing() {
        put(1);
        assertThatThrownBy(() -> log().read(stretch, Long.MAX_VALUE))
                .hasMessageEndingWith("the log ends after 1 of the 20 puts");

        put(1, messages.message(0));
        assertThatThrownBy(() -> log().read(stretch, Long.MAX_VALUE))
                .hasMessageEndingWith("in the log, the value of key 1 differs from what was written at byte 0");
    }

    @Test
    void shouldSeeAChangeInTheLogThatComesTooEarly() {
        put(1);
        put(2, messages.message(2));

        assertThatThrownBy(() -> log().read(stretch, Long.MAX_VALUE))
                .hasMessageContaining("is of key 2, but put 1, of key 1, is the next one");
    }

    @Test
    void shouldSeeAChangeInTheLogThatIsNone() {
        put(100, messages.message(2));

        assertThatThrownBy(() -> log().read(stretch, Long.MAX_VALUE))
                .hasMessageEndingWith("is none of this run's puts");
    }

    private void put(int count) {
        for (int index = 0; index < count; index++) {
            put(pattern.number(index), messages.message(index));
        }
    }

    private void put(long key, ByteBuffer value) {
        Transaction transaction = store.begin();
        transaction.put(KeyPattern.newKey().putLong(0, key).array(), value);
        transaction.commit();
    }

    private LogReading log() {
        return new LogReading(store, TailerConfig.defaults(), pattern, check(), stop);
    }

    private StateReading state() {
        return new StateReading(store, pattern, LastPuts.of(pattern, stretch), check(), stop);
    }

    private PutCheck check() {
        return new PutCheck(messages.copy(), false);
    }
}
