package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.event.ProgressTime;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.checkpoint.StoreLoader;
import io.persist.store.transaction.Transaction;
import io.persist.support.HeardNotices;
import io.persist.support.HeardNotices.Notice;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said while a store replays its log, where each look at the clock finds that seconds have gone by. */
class SlowReplayTest {

    private static final int KEYS = 70_000;
    private static final int KEYS_PER_COMMIT = 500;
    private static final StoreConfig CONFIG = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(4 << 20).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();

    private final CrashableStorage storage = new CrashableStorage();
    private final ProgressTime time = new ProgressTime();

    @BeforeEach
    void write() {
        byte[] value = new byte[200];
        try (StoreLogger store = StoreLogger.open(CONFIG, storage, storage)) {
            for (int i = 0; i < KEYS; i += KEYS_PER_COMMIT) {
                Transaction some = store.begin();
                for (int j = i; j < i + KEYS_PER_COMMIT; j++) {
                    some.put(Texts.bytes("key-" + (10_000_000 + j)), value);
                }
                some.commit();
            }
        }
    }

    private static List<String> said(Runnable action) {
        List<Notice> heard = HeardNotices.during("memory", action).stream()
                .filter(notice -> notice.logger().equals("io.persist.open"))
                .filter(notice -> !notice.text().startsWith("log memory"))
                .toList();
        assertThat(heard).extracting(Notice::level).containsOnly(Level.INFO);
        return heard.stream().map(Notice::text).toList();
    }

    @Test
    void shouldSayHowFarTheReplayIs_AndThatItIsOver() {
        List<String> said = said(() -> new StoreOpener(CONFIG, null)
                .open(storage, storage, time.passing(1000).of("store memory"))
                .close());
        assertThat(said).hasSize(3);
        assertThat(said.get(0))
                .matches("store memory: still opening after 3 s: replaying the log, 2 of at most 1[0-9] MiB");
        assertThat(said.get(1)).matches(".*: replaying the log, 1[2-4] of at most 1[0-9] MiB");
        assertThat(said.get(2))
                .startsWith("store memory: no checkpoint, then 140 transactions with 70000 changes")
                .contains(", by Persist ");
    }

    @Test
    void shouldSayHowManyChangesTheIndexHas() {
        List<String> said = said(() -> {
            try (Tailer tailer =
                    Tailer.open(storage, TailerConfig.builder().anyContent().build())) {
                tailer.toEnd();
                new StoreLoader(
                                storage,
                                new Checkpoints(storage),
                                1 << 28,
                                time.passing(3000).of("memory"),
                                damaged -> {})
                        .load(tailer, LogFiles.headers(storage).get(0).logId(), tailer.nextPosition())
                        .state()
                        .close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(said.get(said.size() - 1)).matches(".*: bringing changes into the index, [0-9]+ of 70000");
    }
}
