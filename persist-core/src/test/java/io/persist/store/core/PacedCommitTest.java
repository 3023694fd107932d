package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.space.Headroom;
import io.persist.log.space.Pacing;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits that are slowed down to the speed of a slow device hold no other thread up. */
class PacedCommitTest {

    /** Of the device, for each piece of zeros. */
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(3);

    private static final int PAUSES = 20;

    private final CrashableStorage storage = new CrashableStorage();
    private volatile boolean isEnough;

    private static boolean isWithin(StackTraceElement[] stack, Class<?> code) {
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals(code.getName()));
    }

    private void commitUntilEnough(StoreLogger store) {
        for (int i = 0; !isEnough; i++) {
            store.put(Texts.bytes("key-" + i % 100), new byte[4096], Durability.BUFFERED);
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldPauseWithoutTheLock(WriteMode mode) throws InterruptedException {
        LogConfig log = LogConfig.builder(Path.of("memory"))
                .segmentLength(4 << 20)
                .writeMode(mode)
                .build();
        StoreConfig config = StoreConfig.builder(log).maxSpaceRatio(0).build();
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            storage.hook((number, what) -> {
                if (Thread.currentThread().getName().startsWith("fill ")) {
                    LockSupport.parkNanos(SLOW_NS);
                }
            });
            Thread committer = new Thread(() -> commitUntilEnough(store));
            committer.start();
            try {
                for (int seen = 0; seen < PAUSES; seen++) {
                    awaitPauseWithoutTheLock(committer);
                    assertThat(store.statistics().keys()).isPositive();
                }
            } finally {
                isEnough = true;
                committer.join();
                storage.hook((number, what) -> {});
            }
            assertThat(store.logStatistics().paces()).isPositive();
            assertThat(store.logStatistics().paceNs()).isPositive();
        }
    }

    private static void awaitPauseWithoutTheLock(Thread committer) {
        Await.until("a commit is slowed down", () -> {
            StackTraceElement[] stack = committer.getStackTrace();
            boolean isPaused = isWithin(stack, LockSupport.class) && isWithin(stack, Pacing.class);
            assertThat(isPaused && isWithin(stack, Headroom.class))
                    .as("in the middle of an append")
                    .isFalse();
            return isPaused && isWithin(stack, LogSpace.class);
        });
    }
}
