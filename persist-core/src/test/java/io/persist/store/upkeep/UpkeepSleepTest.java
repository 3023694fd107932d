package io.persist.store.upkeep;

import static io.persist.store.upkeep.StoreRestTest.NEVER_RESTS;
import static io.persist.store.upkeep.StoreRestTest.RESTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.core.HeldSettler;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.StoreSnapshot;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What wakes the store's thread, which sleeps when nothing is due. */
class UpkeepSleepTest {

    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final int KEYS = 100;
    private static final int VALUE_LENGTH = 10_000;

    private final CrashableStorage storage = new CrashableStorage();

    private StoreEngine open(Patience patience, double maxSpaceRatio) {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        StoreConfig config =
                StoreConfig.builder(log).maxSpaceRatio(maxSpaceRatio).build();
        return new StoreOpener(config, null).patience(patience).open(storage, storage);
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + number);
    }

    private static void fill(StoreEngine store) {
        for (int i = 0; i < KEYS; i++) {
            store.single().put(key(i), new byte[VALUE_LENGTH], Durability.BUFFERED);
        }
    }

    private static void awaitSleep(StoreEngine store) {
        Await.until("its thread sleeps", () -> store.core().ask(store.upkeep()::isWaiting));
    }

    /** It is a few bytes of log. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveBackWhatIsRemovedWhileItSleeps(boolean isRange) {
        try (StoreEngine store = open(RESTS, 2)) {
            fill(store);
            awaitSleep(store);
            if (isRange) {
                store.single().removeRange(KeyRange.all(), Durability.BUFFERED);
            } else {
                IntStream.range(0, KEYS).forEach(i -> store.single().remove(key(i), Durability.BUFFERED));
            }
            Await.until("all is given back", () -> store.statistics().spaceBytes() <= 3 * SEGMENT_LENGTH);
        }
    }

    /** As an error or a lack of memory may do. */
    @Test
    void shouldBringIntoTheIndexWhatACommitHasLeft() {
        try (StoreEngine store = open(RESTS, 0)) {
            fill(store);
            awaitSleep(store);
            HeldSettler held = new HeldSettler(store);
            held.publish(staged -> staged.removeRange(KeyRange.all()));
            store.single().put(key(KEYS), new byte[1], Durability.BUFFERED);
            Await.until("the index has it", held::isSettled);
            assertThat(store.statistics().keys()).isEqualTo(1);
        }
    }

    /** Nobody commits any more, and nobody asks for memory. */
    @Test
    void shouldGiveMemoryBackWhenTheLogFails() {
        StoreEngine store = open(NEVER_RESTS, 0);
        fill(store);
        awaitSleep(store);
        assertThat(store.statistics().index().bytes()).isPositive();
        storage.hook((number, what) -> {
            throw new IOException("a test");
        });
        assertThatExceptionOfType(LogIOException.class).isThrownBy(store.core().flushes()::sync);
        Await.until("it has none", () -> store.statistics().index().bytes() == 0);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(store::close);
    }

    @Test
    void shouldTakeAwayWhatACallerHasEmptiedUnderASnapshot() {
        try (StoreEngine store = open(NEVER_RESTS, 0)) {
            fill(store);
            try (StoreSnapshot snapshot = store.snapshots().open()) {
                for (int i = 1; i < KEYS; i++) {
                    store.single().remove(key(i), Durability.BUFFERED);
                }
                awaitSleep(store);
                store.upkeep().compact(Long.MAX_VALUE);
                assertThat(store.statistics().compaction().waitingSegments()).isPositive();
                assertThat(snapshot.getBytes(key(KEYS - 1))).hasSize(VALUE_LENGTH);
            }
            Await.until("they are gone", () -> store.statistics().compaction().waitingSegments() == 0);
        }
    }
}
