package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

/** A page of a segment that is mapped cannot be read for a while: that is no damage. */
class MissingPageTest {

    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final int LEFT_LENGTH = 8 << 10;
    private static final int KEYS = 4000;
    private static final int KEPT = 8;

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (10_000 + number));
    }

    private static StoreEngine open(Path directory) throws IOException {
        LogConfig log =
                LogConfig.builder(directory).segmentLength(SEGMENT_LENGTH).build();
        StoreConfig config = StoreConfig.builder(log).maxSpaceRatio(0).build();
        DirectoryStorage storage = DirectoryStorage.open(directory);
        return new StoreOpener(config, null).open(storage, storage);
    }

    private static StoreStatistics.Compaction statistics(StoreEngine store) {
        return store.statistics().compaction();
    }

    /** Of the first pass one key of eight is still needed. */
    private static void fill(StoreEngine store) {
        for (int i = 0; i < 2 * KEYS; i++) {
            if (i < KEYS || i % KEPT != 0) {
                store.single().put(key(i % KEYS), new byte[100], Durability.BUFFERED);
            }
        }
        store.upkeep().compact(0); // writes two checkpoints
    }

    private static void readKept(StoreEngine store) {
        for (int i = 0; i < KEYS; i += KEPT) {
            assertThat(store.single().getBytes(key(i))).hasSize(100);
        }
    }

    @Test
    void shouldEmptyTheSegmentOnceItCanBeReadAgain() throws IOException {
        try (ScratchDirectory directory = ScratchDirectory.create()) {
            try (StoreEngine store = open(directory.path())) {
                fill(store);
                readKept(store); // so that the segments are mapped
                Path segment = directory.path().resolve(LogFileName.segment(2 * SEGMENT_LENGTH));
                byte[] bytes = Files.readAllBytes(segment);
                try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                    file.truncate(LEFT_LENGTH);
                    assertThatExceptionOfType(LogIOException.class)
                            .isThrownBy(() -> store.upkeep().compact(Long.MAX_VALUE))
                            .withMessageContaining(segment.getFileName().toString());
                    assertThat(statistics(store).damagedSegments()).isZero();
                    assertThat(statistics(store).lastFailure())
                            .contains(segment.getFileName().toString());
                    file.write(ByteBuffer.wrap(bytes), 0);
                }
                readKept(store);
                long vacated = statistics(store).vacatedSegments();
                assertThat(vacated).as("the others").isPositive();
                store.upkeep().compact(Long.MAX_VALUE);
                assertThat(statistics(store).vacatedSegments()).isGreaterThan(vacated);
                readKept(store);
            }
        }
    }
}
