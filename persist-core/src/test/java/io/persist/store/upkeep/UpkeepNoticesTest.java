package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.event.Notices;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.support.HeardNotices;
import io.persist.support.HeardNotices.Notice;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a store's thread cannot do is said in the application's logging: its users go on, and are told nothing. */
class UpkeepNoticesTest {

    /** What closing writes one for. */
    private static final long WORTH_A_CHECKPOINT = 17 << 20;

    private static final Patience SHORT = new Patience(1, Long.MAX_VALUE);

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage checkpoints = new CrashableStorage();
    private final Queue<Notice> heard = new ConcurrentLinkedQueue<>();

    private void during(StoreConfig config, Consumer<StoreEngine> action) {
        HeardNotices.answering(
                notice -> {
                    if (notice.logger().equals(Notices.STORE)) {
                        heard.add(notice);
                    }
                },
                () -> {
                    try (StoreEngine store =
                            new StoreOpener(config, null).patience(SHORT).open(storage, checkpoints)) {
                        action.accept(store);
                    }
                });
        assertThat(heard).noneMatch(notice -> notice.text().contains("store is closed"));
    }

    private static StoreConfig config(int checkpointPercent, double maxSpaceRatio) {
        return StoreConfig.builder(Texts.config().log())
                .checkpointPercent(checkpointPercent)
                .checkpointMinLogBytes(1)
                .maxSpaceRatio(maxSpaceRatio)
                .build();
    }

    private static void put(StoreEngine store) {
        for (int i = 0; i < 100; i++) {
            store.single().put(Texts.bytes("key/" + i % 10), new byte[100], Durability.BUFFERED);
        }
    }

    private void awaitNotice(StoreEngine store, Level level, String text) {
        Await.until("it was said", () -> {
            put(store);
            return heard.stream()
                    .anyMatch(notice -> notice.level() == level && notice.text().contains(text));
        });
    }

    private static void breakFiles(CrashableStorage storage) {
        storage.hook((number, what) -> {
            if (what.startsWith("create ")) {
                throw new IOException("No space left on device");
            }
        });
    }

    @Test
    void shouldSayThatNoCheckpointCanBeWritten() {
        during(config(1, 0), store -> {
            breakFiles(checkpoints);
            awaitNotice(store, Level.WARNING, "a checkpoint failed: No space left on device");
            assertThat(heard)
                    .allSatisfy(notice -> assertThat(notice.text())
                            .startsWith("store ")
                            .containsPattern("until one is written the log grows, by now by \\d+ bytes"));
            checkpoints.hook((number, what) -> {});
            awaitNotice(store, Level.INFO, "checkpoints are written again");
        });
    }

    /** Of closing: that is no reason not to close, and there are no statistics any more. */
    @Test
    void shouldSayThatTheLastCheckpointFailed() {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(1 << 20).build();
        StoreConfig neverDue = StoreConfig.builder(log)
                .checkpointMinLogBytes(1L << 40)
                .maxSpaceRatio(0)
                .build();
        during(neverDue, store -> {
            while (store.statistics().logBytes() < WORTH_A_CHECKPOINT) {
                store.single().put(Texts.bytes("key"), new byte[100_000], Durability.BUFFERED);
            }
            breakFiles(checkpoints);
        });
        assertThat(heard).hasSize(1).allMatch(notice -> notice.text().contains("a checkpoint failed: "));
    }

    @Test
    void shouldSayThatCompactionFails() {
        during(config(1, 1.5), store -> {
            storage.hook((number, what) -> {
                if (what.startsWith("delete ")) {
                    throw new IOException("Input/output error");
                }
            });
            awaitNotice(store, Level.WARNING, "compaction failed: ");
            storage.hook((number, what) -> {});
            awaitNotice(store, Level.INFO, "compaction goes on again");
        });
    }
}
