package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.log.segment.LogFiles;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A segment that compaction has vacated in another store has got beyond the end of this one's log. */
class ChangesBesideAnotherStoreTest {

    private final CrashableStorage storage = new CrashableStorage();
    private StoreLogger store;
    private long middle;

    @BeforeEach
    void open() {
        store = StoreLogger.open(Texts.config(), storage, storage);
        for (int i = 0; i < 10; i++) {
            middle = store.position();
            store.put(Texts.bytes("key-" + i), Texts.bytes("value"), Durability.SYNCED);
        }
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    private void putVacatedSegmentOfAnother() throws IOException {
        SegmentHeader own = LogFiles.header(storage, 0);
        long base = 100L * own.segmentLength();
        SegmentHeader another = new SegmentHeader(
                base,
                own.segmentLength(),
                own.salt() + 1,
                own.logId() + 1,
                own.createdAtMs(),
                own.content(),
                SegmentHeader.FLAG_VACATED);
        byte[] file = new byte[own.segmentLength()];
        System.arraycopy(another.encode(), 0, file, 0, SegmentHeader.LENGTH);
        String name = LogFileName.segment(base);
        storage.create(name).close();
        storage.replace(name, file);
    }

    private static void assertReads(ChangeReader changes) {
        try (changes) {
            assertThat(changes.next()).isTrue();
        }
    }

    @Test
    void shouldHaveAllChanges() throws IOException {
        putVacatedSegmentOfAnother();
        assertReads(ChangeReader.open(storage, 0, TailerConfig.defaults()));
        assertReads(ChangeReader.open(storage, middle, TailerConfig.defaults()));
        assertReads(ChangeReader.open(storage, "new", TailerConfig.defaults()));
        assertReads(store.changes(middle, TailerConfig.defaults()));
    }

    @Test
    void shouldGoOnWhereANamedReaderWas() throws IOException {
        try (ChangeReader changes = ChangeReader.open(storage, "named", TailerConfig.defaults())) {
            changes.next();
            changes.store();
        }
        putVacatedSegmentOfAnother();
        assertReads(ChangeReader.open(storage, "named", TailerConfig.defaults()));
    }
}
