package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that is closed while other threads use it. */
class StoreCloseTest {

    private final CrashableStorage storage = new CrashableStorage();
    private final List<Throwable> refused = new CopyOnWriteArrayList<>();

    /** Behind each step that the storage does for it: a thread that is refused keeps nothing. */
    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldCloseWhateverOtherThreadsCallMeanwhile(WriteMode mode) throws InterruptedException {
        StoreLogger store = StoreLogger.open(
                StoreConfig.builder(LogConfig.builder(Path.of("store"))
                                .segmentLength(64 << 10)
                                .writeMode(mode)
                                .build())
                        .build(),
                storage,
                storage);
        store.put(Texts.bytes("key"), Texts.bytes("value"), Durability.BUFFERED);
        Thread closer = new Thread(store::close, "closer");
        closer.setDaemon(true);
        storage.hook((number, what) -> {
            if (Thread.currentThread() == closer) {
                callFromAnotherThread(() -> store.size());
                callFromAnotherThread(() -> store.put(Texts.bytes("late"), Texts.bytes("value")));
            }
        });
        closer.start();
        closer.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(closer.isAlive()).as("close hangs").isFalse();
        assertThat(refused).isNotEmpty().allMatch(IllegalStateException.class::isInstance);
    }

    private void callFromAnotherThread(Runnable call) {
        Thread caller = new Thread(() -> refused.add(catchThrowable(call::run)));
        caller.setDaemon(true);
        caller.start();
        try {
            caller.join(TimeUnit.SECONDS.toMillis(1)); // it may have to wait for what the closer holds
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
