package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that is called in the middle of a store's upkeep, and asks for more of it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UpkeepWithinTest {

    private static final int KEYS = 30;

    private final CrashableStorage storage = new CrashableStorage();

    /** What the next code that is called works with; it does so once. */
    private final AtomicReference<@Nullable StoreEngine> inside = new AtomicReference<>();

    private final List<Throwable> refused = new CopyOnWriteArrayList<>();

    /** Of each call, whether the thread that made it still had the upkeep's turn. */
    private final List<Boolean> hadTurn = new CopyOnWriteArrayList<>();

    private StoreEngine open(@Nullable DetachedConfig detached) {
        LogConfig log = LogConfig.builder(Path.of("log")).segmentLength(4096).build();
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        StoreEngine store = new StoreOpener(config, detached).open(storage, storage);
        fill(store);
        return store;
    }

    private static void fill(StoreEngine store) {
        for (int i = 0; i < 2 * KEYS; i++) {
            store.single().put(Texts.bytes("key " + i % KEYS), new byte[500], Durability.BUFFERED);
        }
    }

    private void callOnce() {
        StoreEngine store = inside.getAndSet(null);
        if (store != null) {
            List<Runnable> calls = List.of(
                    store.upkeep()::checkpoint,
                    () -> store.upkeep().checkpoint(1 << 20),
                    () -> store.upkeep().compact(Long.MAX_VALUE));
            for (Runnable call : calls) {
                refused.add(catchThrowable(call::run));
                hadTurn.add(store.upkeep().isRunByCaller());
            }
        }
    }

    private void compactAndCall(StoreEngine store) {
        inside.set(store);
        assertThat(store.upkeep().compact(Long.MAX_VALUE)).isPositive();
        assertThat(refused).hasSize(3).allMatch(IllegalStateException.class::isInstance);
        fill(store);
        assertThat(store.upkeep().compact(Long.MAX_VALUE)).isPositive();
        assertThat(store.statistics().keys()).isEqualTo(KEYS);
    }

    /** Of a detached log the thread that writes calls it, for which compaction waits. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseAListener(boolean isDetached) {
        try (StoreEngine store = open(isDetached ? DetachedConfig.builder().build() : null)) {
            store.core().writer().listen(Durability.SYNCED, position -> callOnce());
            compactAndCall(store);
            assertThat(hadTurn).containsOnly(!isDetached);
        }
    }

    @Test
    void shouldRefuseWhatTheStorageOfACheckpointCalls() {
        storage.hook((number, what) -> {
            if (what.startsWith("create " + CheckpointName.PREFIX)) {
                callOnce();
            }
        });
        try (StoreEngine store = open(null)) {
            compactAndCall(store);
            assertThat(hadTurn).containsOnly(true);
        }
    }
}
