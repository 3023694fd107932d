package io.persist.store.value;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.index.node.KeyBuffer;
import io.persist.memory.LentBytes;
import io.persist.store.Texts;
import io.persist.support.StackEnd;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ValueReaderTest {

    private static final long ENTRY = 64 + 24 + 8;
    private static final int VALUE = 1000;

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
        ValueReader reader = new ValueReader();
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

    /** The application may catch that the stack ended, and go on; the pool lends the same reader for its next get. */
    @Test
    void shouldReadNoOtherSegmentWhereTheStackHasEnded() throws IOException {
        assertThat(StackEnd.hear(Entering.class)).isEqualTo("some ended there, and nothing is wrong");
    }

    @Test
    void shouldLetGoOnceWhereTheStackHasEnded() throws IOException {
        assertThat(StackEnd.hear(Leaving.class)).isEqualTo("some ended there, and nothing is wrong");
    }

    /** A key with two values of one length, at the same place of two segments. */
    private abstract static class LittleStack {

        private static final int MOST_LEVELS = 60;
        private static final KeyBuffer KEY = new KeyBuffer().set(bytes("key"), 0, 3);

        final MappedSegments segments;
        final MappedSegment first;
        final MappedSegment second;
        final ValueReader reader = new ValueReader();

        LittleStack(CrashableStorage storage) {
            segments = new MappedSegments(storage, 0); // warm: it is read by the mappings
            first = segments.at(ENTRY);
            second = segments.at(Texts.SEGMENT_LENGTH + ENTRY);
        }

        /** Does it, where the stack ends behind so many calls; returns whether it ended there. */
        abstract boolean isShort(int levels);

        /** Whether all is as it has to be, when there is stack enough again. */
        abstract boolean isRight();

        static void print(Function<CrashableStorage, LittleStack> what) throws InterruptedException {
            StackEnd.print(() -> run(what));
        }

        private static String run(Function<CrashableStorage, LittleStack> what) {
            CrashableStorage storage = new CrashableStorage();
            try (StoreLogger store = Texts.open(storage)) {
                Texts.put(store, "key", "A".repeat(VALUE));
                Texts.put(store, "other", "x".repeat(Texts.SEGMENT_LENGTH - 3 * VALUE / 2));
                Texts.put(store, "key", "B".repeat(VALUE));
            }
            boolean hasEnded = false;
            for (int levels = -1; levels < MOST_LEVELS; levels++) {
                LittleStack one = what.apply(storage);
                hasEnded |= one.isShort(levels < 0 ? Integer.MAX_VALUE : levels); // its classes are there first
                if (!one.isRight()) {
                    return levels + " calls above the end";
                }
                one.segments.close();
            }
            return (hasEnded ? "some" : "none") + " ended there, and nothing is wrong";
        }

        static boolean reads(ValueReader reader, MappedSegment segment, String text) {
            return reader.enter(segment)
                    && text.repeat(VALUE)
                            .equals(Texts.text(reader.read(KEY, segment.basePosition() + ENTRY, VALUE)
                                    .view()));
        }
    }

    static final class Entering extends LittleStack {

        private Entering(CrashableStorage storage) {
            super(storage);
        }

        public static void main(String[] arguments) throws InterruptedException {
            print(Entering::new);
        }

        @Override
        boolean isShort(int levels) {
            return reads(reader, first, "A") && StackEnd.isIn(() -> reader.enter(second), levels);
        }

        @Override
        boolean isRight() {
            return reads(reader, second, "B") && reads(reader, first, "A") && reads(reader, second, "B");
        }
    }

    static final class Leaving extends LittleStack {

        private final ValueReader another = new ValueReader();

        private Leaving(CrashableStorage storage) {
            super(storage);
        }

        public static void main(String[] arguments) throws InterruptedException {
            print(Leaving::new);
        }

        @Override
        boolean isShort(int levels) {
            return reads(another, first, "A")
                    && reads(reader, first, "A")
                    && reader.enter(second)
                    && StackEnd.isIn(reader::leave, levels);
        }

        /** What the other one holds is still mapped. */
        @Override
        boolean isRight() {
            reader.leave();
            segments.drop(first.basePosition());
            return first.hold() && reads(another, first, "A");
        }
    }
}
