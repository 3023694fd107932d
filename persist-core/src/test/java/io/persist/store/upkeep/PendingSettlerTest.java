package io.persist.store.upkeep;

import static io.persist.store.upkeep.StoreRestTest.NEVER_RESTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.store.Texts;
import io.persist.store.core.HeldSettler;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.testkit.CrashableStorage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the upkeep does about changes that the index has not got, in a store whose own upkeep sleeps. */
class PendingSettlerTest {

    private static final int KEYS = 100;
    private static final long REST_NS = 1_000;

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreEngine store =
            new StoreOpener(Texts.config(), null).patience(NEVER_RESTS).open(storage, storage);
    private final HeldSettler held = new HeldSettler(store);
    private final AtomicLong nowNs = new AtomicLong();
    private final PendingSettler pending = new PendingSettler(store.core(), REST_NS, nowNs::get);

    @AfterEach
    void close() {
        store.close();
    }

    private void putSome() {
        pending.settle();
        held.publish(staged -> IntStream.range(0, KEYS).forEach(i -> staged.put(key(i), new byte[1], 0, 1)));
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + number);
    }

    @Test
    void shouldTakeOverWhatNobodyGoesOnWith() {
        putSome();
        for (int i = 0; i < 2; i++) {
            pending.settle();
            assertThat(held.isSettled()).as("somebody may be about to").isFalse();
            nowNs.addAndGet(REST_NS - 1);
        }
        nowNs.incrementAndGet();
        pending.settle();
        assertThat(held.isSettled()).isTrue();
        assertThat(store.statistics().keys()).isEqualTo(KEYS);
    }

    @Test
    void shouldLeaveItToOneWhoGoesOn() {
        putSome();
        for (int i = 0; i < 3; i++) {
            pending.settle();
            assertThat(held.settle(1)).isFalse();
            nowNs.addAndGet(REST_NS);
        }
        pending.settle();
        assertThat(held.isSettled()).isFalse();
    }
}
