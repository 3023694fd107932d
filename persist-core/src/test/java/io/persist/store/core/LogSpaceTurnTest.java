package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.thread.Turn;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A commit behind another one that waits for space, and does not run: as a virtual thread without a carrier. */
class LogSpaceTurnTest {

    private static final byte[] VALUE = new byte[200];

    private final CrashableStorage storage = new CrashableStorage();
    private final CountDownLatch device = new CountDownLatch(1);

    static Turn turn(LogSpace space) throws ReflectiveOperationException {
        Field field = LogSpace.class.getDeclaredField("turn");
        field.setAccessible(true);
        return (Turn) field.get(space);
    }

    private StoreEngine open(WriteMode mode) {
        LogConfig log = LogConfig.builder(Path.of("memory"))
                .segmentLength(Texts.SEGMENT_LENGTH)
                .writeBufferLength(512)
                .writeMode(mode)
                .maxUnsyncedBytes((long) LogConfig.MIN_UNSYNCED_SEGMENTS * Texts.SEGMENT_LENGTH)
                .build();
        StoreEngine store = new StoreOpener(StoreConfig.builder(log).build(), null).open(storage, storage);
        storage.hook((number, what) -> {
            if (Thread.currentThread().getName().startsWith("sync ")) {
                Await.latch(device);
            }
        });
        return store;
    }

    private static void put(StoreEngine store) {
        store.single().put(Texts.bytes("key"), VALUE, Durability.BUFFERED);
    }

    @ParameterizedTest
    @EnumSource
    void shouldFindSpaceAlsoIfTheThreadThatWaitsForItDoesNotRun(WriteMode mode) throws Exception {
        try (StoreEngine store = open(mode)) {
            StoreCore core = store.core();
            Turn turn = turn(core.space());
            turn.take(); // as if this thread waited
            Thread commits = new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    put(store);
                }
            });
            commits.setDaemon(true); // the test may fail
            commits.start();
            Await.until("it waits for space behind the other", () -> Await.waitsForTurn(commits));
            device.countDown();
            commits.join(TimeUnit.MINUTES.toMillis(1));
            assertThat(commits.isAlive()).isFalse();
            turn.giveBack();
        }
    }
}
