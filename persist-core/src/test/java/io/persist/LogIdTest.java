package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever tells a position of a log tells the log's id too. */
class LogIdTest {

    @TempDir
    Path directory;

    @Test
    void shouldBeTheSameInEachLifeOfALog() {
        LogConfig config = LogConfig.builder(directory).segmentLength(4096).build();
        long id;
        try (MessageLogger logger = MessageLogger.open(config)) {
            id = logger.logId();
        }
        try (MessageLogger logger =
                        MessageLogger.open(config, DetachedConfig.builder().build());
                Tailer tailer = Tailer.open(directory)) {
            assertThat(logger.logId()).isEqualTo(id).isEqualTo(tailer.logId()).isNotZero();
        }
    }

    @Test
    void shouldBeToldByAStoreAndItsReaders() {
        StoreConfig config =
                StoreConfig.builder(LogConfig.builder(directory).build()).build();
        try (StoreLogger store = StoreLogger.open(config)) {
            store.put(new byte[] {1}, new byte[] {2});
            store.sync();
            try (ChangeReader changes = store.changes(0);
                    StoreView view = StoreView.open(config)) {
                assertThat(store.logId())
                        .isEqualTo(changes.logId())
                        .isEqualTo(view.logId())
                        .isNotZero();
            }
        }
    }
}
