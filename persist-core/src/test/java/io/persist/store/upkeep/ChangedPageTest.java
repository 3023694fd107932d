package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A page of a segment changes while its values wait for their move, which gives each a checksum that is right. */
class ChangedPageTest {

    private static final int SEGMENT_LENGTH = 16 << 10;
    private static final int KEYS = 64;
    private static final int LATER = 40;

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (100 + number));
    }

    private static String value(int number) {
        return "the value of key " + (100 + number);
    }

    @Test
    void shouldMoveTheBytesThatWereVerified() throws IOException {
        try (ScratchDirectory directory = ScratchDirectory.create()) {
            DirectoryStorage storage = DirectoryStorage.open(directory.path());
            LogConfig log = LogConfig.builder(directory.path())
                    .segmentLength(SEGMENT_LENGTH)
                    .build();
            StoreConfig config = StoreConfig.builder(log)
                    .maxSpaceRatio(0)
                    .checkpointPercent(0)
                    .indexMemoryBytes(1 << 20) // so that few of a step's entries are moved at once
                    .build();
            try (StoreEngine store = new StoreOpener(config, null).open(storage, storage)) {
                for (int i = 0; i < KEYS; i++) {
                    store.single().put(key(i), Texts.bytes(value(i)), Durability.BUFFERED);
                }
                while (store.core().appliedEnd() < 2 * SEGMENT_LENGTH) {
                    store.single().put(Texts.bytes("other"), new byte[1000], Durability.BUFFERED);
                }
                StoreCore core = store.core();
                Compactor compactor = new Compactor(core, new WorkspacePool(core, store.lookups()));
                AtomicInteger steps = new AtomicInteger();
                Path segment = directory.path().resolve(LogFileName.segment(0));

                boolean wasOne = compactor.emptyOne(
                        SEGMENT_LENGTH,
                        SegmentChoice.MIN_GAIN,
                        bytes -> {
                            if (steps.getAndIncrement() == 0) {
                                damage(segment, value(LATER));
                            }
                        },
                        () -> false);

                assertThat(wasOne).isTrue();
                assertThat(steps).hasValueGreaterThan(KEYS / 8);
                assertThat(compactor.vacate(() -> false)).isEqualTo(SEGMENT_LENGTH);
                for (int i = 0; i < KEYS; i++) {
                    assertThat(Texts.text(store.single().get(key(i)))).isEqualTo(value(i));
                }
            }
        }
    }

    private static void damage(Path segment, String text) throws IOException {
        int at = new String(Files.readAllBytes(segment), StandardCharsets.ISO_8859_1).indexOf(text);
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {'T'}), at);
        }
    }
}
