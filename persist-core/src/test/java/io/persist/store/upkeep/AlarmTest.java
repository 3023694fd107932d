package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the upkeep looks, for a store that is changed by hand. */
class AlarmTest {

    private static final long FOR_EVER = Long.MAX_VALUE;
    private static final long REST_NS = 1000;
    private static final int LOOK_BYTES = 500;

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreEngine store = new StoreOpener(Texts.config(), null).open(storage, storage);
    private final Alarm alarm = new Alarm(store.core(), LOOK_BYTES, REST_NS);

    @AfterEach
    void close() {
        store.close();
    }

    private boolean isDueAfterPut(int length) {
        return alarm.isDue(store.single().put(Texts.bytes("key"), new byte[length], Durability.BUFFERED));
    }

    private long pauseAfterLook() {
        alarm.beginLook();
        return alarm.pauseNs(FOR_EVER);
    }

    @Test
    void shouldSleepUntilSomethingChanges() {
        alarm.ask();
        assertThat(alarm.pauseNs(FOR_EVER)).as("asked to look").isZero();
        assertThat(pauseAfterLook()).isEqualTo(FOR_EVER);
        assertThat(isDueAfterPut(1)).as("asleep").isTrue();
        alarm.ask();
        assertThat(alarm.isAsked()).isTrue();
        assertThat(pauseAfterLook()).as("while it changes").isEqualTo(REST_NS);
        assertThat(isDueAfterPut(1)).as("it looks soon").isFalse();
        assertThat(pauseAfterLook()).isEqualTo(REST_NS);
        assertThat(pauseAfterLook()).as("all was seen").isEqualTo(FOR_EVER);
    }

    @Test
    void shouldLookAfterSoMuchLog() {
        alarm.ask();
        assertThat(isDueAfterPut(1)).isFalse();
        assertThat(isDueAfterPut(LOOK_BYTES)).isTrue();
        alarm.ask();
        assertThat(isDueAfterPut(1)).isFalse();
    }
}
