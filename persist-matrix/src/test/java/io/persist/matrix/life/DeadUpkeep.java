package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.support.OwnThreads;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The thread in which a store writes checkpoints meets an exception, an error or the end of memory at each operation of
 * a checkpoint: it is counted and told, the thread lives on, and so does the store. In a build each operation meets one
 * of the three.
 */
public final class DeadUpkeep implements Exercise {

    private static final String THREAD = "tend ";
    private static final int VALUE_LENGTH = 700;
    private static final int COMMITS = 20;

    @Override
    public Row row() {
        return Row.DEAD_WRITER;
    }

    /** Only stores have it. */
    @Override
    public List<Subject> subjects() {
        return Subject.all().stream()
                .filter(subject -> subject.logger() == Subject.Logger.STORE)
                .toList();
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        Blow.Kind[] kinds = Blow.Kind.values();
        int step = effort.times(kinds.length, 1);
        for (int first = 1; first <= step; first++) {
            boolean struck = true;
            for (int number = first; struck; number += step) {
                struck = false;
                for (int i = 0; i < kinds.length / step; i++) {
                    Blow.Kind kind = kinds[(first + i) % kinds.length];
                    Blow once = Blow.once(kind, number);
                    Blow fromThen = Blow.from(kind, number);
                    OwnThreads.run(() -> live(subject, once));
                    OwnThreads.run(() -> live(subject, fromThen));
                    struck |= once.hasStruck() && fromThen.hasStruck();
                    effort.tried(2);
                }
            }
        }
    }

    /** Operations of the thread are counted, and none of the others. */
    private static void live(Subject subject, Blow blow) {
        CrashableStorage storage = new CrashableStorage();
        int[] count = new int[1];
        storage.hook((number, what) -> {
            if (Thread.currentThread().getName().startsWith(THREAD)) {
                blow.beforeOperation(++count[0], what);
            }
        });
        try {
            boolean hasFailed = use(subject, storage, blow);
            assertThat(storage.openHandles()).as("open handles").isZero();
            try (StoreLogger again = open(subject, storage.hook((number, what) -> {}))) {
                assertThat(again.size()).isLessThanOrEqualTo(COMMITS);
                if (!hasFailed) {
                    assertThat(again.size()).isEqualTo(COMMITS);
                }
            }
        } catch (Throwable failed) {
            throw new AssertionError(blow + ": " + failed, failed);
        }
    }

    /** Returns whether the log has failed. */
    private static boolean use(Subject subject, CrashableStorage storage, Blow blow) {
        StoreLogger store = open(subject, storage);
        Throwable failure = catchThrowable(() -> {
            for (int i = 0; i < COMMITS; i++) {
                commit(store, i);
            }
            store.sync();
        });
        if (failure == null) {
            Await.until("a checkpoint is written or has failed", () -> {
                StoreStatistics.Checkpoint now = store.statistics().checkpoint();
                return now.written() + now.failures() > 0 || store.statistics().keys() < 0;
            });
        }
        StoreStatistics.Checkpoint now = store.statistics().checkpoint();
        Throwable later = catchThrowable(store::sync);
        Throwable atClose = catchThrowable(store::close);
        boolean hasFailed = later != null;
        if (hasFailed) {
            blow.isCauseOf("who syncs", later);
            blow.isCauseOf("who closes it", atClose);
        } else {
            assertThat(atClose).isNull();
            assertThat(now.failures() > 0 || now.written() > 0).isTrue();
        }
        return hasFailed;
    }

    private static void commit(StoreLogger store, int number) {
        try (Transaction transaction = store.begin()) {
            transaction.put(new byte[] {(byte) number}, ByteBuffer.allocate(VALUE_LENGTH));
            transaction.commit(Durability.FLUSHED);
        }
    }

    private static StoreLogger open(Subject subject, CrashableStorage storage) {
        LogConfig log = subject.config(Path.of("memory"));
        StoreConfig config = StoreConfig.builder(log)
                .checkpointPercent(1)
                .checkpointMinLogBytes(1)
                .maxSpaceRatio(0)
                .build();
        return subject.isDetached()
                ? StoreLogger.open(config, DetachedConfig.builder().build(), storage, storage)
                : StoreLogger.open(config, storage, storage);
    }
}
