package io.persist.store.value;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.index.node.KeyBuffer;
import io.persist.log.segment.MappedSegment;
import io.persist.log.segment.MappedSegments;
import io.persist.memory.LentBytes;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.Test;

class ValueReaderTest {

    private static final long ENTRY = 64 + 24 + 8;

    private final CrashableStorage storage = new CrashableStorage();

    /** What is being read stays mapped, also when compaction takes its segment away. */
    @Test
    void shouldKeepTheSegmentOfTheLastValueMapped() {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, "key", "value");
        }
        MappedSegments segments = MappedSegments.ofOthers(storage);
        MappedSegment segment = segments.at(ENTRY);
        assertThat(storage.openHandles()).as("the mapping and the file").isEqualTo(2);
        ValueReader reader = new ValueReader(4);
        assertThat(reader.enter(segment)).isTrue();
        LentBytes value = reader.read(new KeyBuffer().set(bytes("key"), 0, 3), ENTRY);
        segments.drop(0);
        assertThat(storage.openHandles())
                .as("mappings of a segment that is held")
                .isEqualTo(1);
        assertThat(Texts.text(value.view())).isEqualTo("value");
        assertThat(Texts.text(reader.read(new KeyBuffer().set(bytes("key"), 0, 3), ENTRY)
                        .view()))
                .as("the file is another one, or none")
                .isEqualTo("value");
        reader.leave();
        assertThat(storage.openHandles()).isZero();
        assertThat(reader.enter(segment)).isFalse();
        segments.close();
    }
}
