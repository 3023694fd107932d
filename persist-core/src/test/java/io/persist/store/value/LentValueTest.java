package io.persist.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.codec.Decoder;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.support.Resources;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How long a value is there that a store lends, and what is held for it. */
class LentValueTest {

    private static final byte[] ONE = Texts.bytes("key-1");
    private static final byte[] TWO = Texts.bytes("key-2");

    @Test
    void shouldBeEmptyOnceADecoderHasReturned() {
        try (StoreLogger store = filled()) {
            List<ByteBuffer> kept = new ArrayList<>();
            assertThat(store.<Integer>get(ONE, value -> {
                        kept.add(value);
                        return value.remaining();
                    }))
                    .isPositive();
            assertThat(kept.get(0).remaining()).isZero();
            assertThat(store.<Object>get(Texts.bytes("none"), kept::add)).isNull();
        }
    }

    @Test
    void shouldBeThereForADecoderThatUsesTheStore() {
        try (StoreLogger store = filled()) {
            assertThat(store.<String>get(ONE, value -> {
                        String other = store.get(TWO, Texts::text);
                        store.put(Texts.bytes("key-3"), Texts.bytes("three"));
                        return Texts.text(value) + ", " + other + ", " + Texts.get(store, "key-3");
                    }))
                    .isEqualTo("one, two, three");
        }
    }

    @Test
    void shouldOutliveCopiesThatTheSameThreadAsksFor() {
        try (StoreLogger store = filled()) {
            ByteBuffer lent = Objects.requireNonNull(store.getUntilNext(ONE));
            assertThat(Texts.text(store.get(TWO))).isEqualTo("two");
            assertThat(store.getBytes(TWO)).isEqualTo(Texts.bytes("two"));
            assertThat(Texts.text(lent)).isEqualTo("one");
            store.getUntilNext(TWO);
            assertThat(Texts.text(lent)).isNotEqualTo("one");
        }
    }

    /** A segment that somebody has mapped takes its space from the file system, also after it was deleted. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldHoldNoSegmentThatCompactionHasTakenAway(@TempDir Path directory) throws Exception {
        Path real = directory.toRealPath();
        LogConfig log = LogConfig.builder(real).segmentLength(4096).build();
        StoreConfig config = StoreConfig.builder(log).maxSpaceRatio(0).build();
        try (StoreLogger store = StoreLogger.open(config)) {
            Texts.fill(store, 20, 200);
            assertThat(useAtOnce(store, 20)).isEqualTo(20);
            Texts.fill(store, 20, 200);
            assertThat(store.compact(Long.MAX_VALUE / 2)).isPositive();
            assertThat(Resources.of(real).mappings()).noneMatch(line -> line.endsWith("(deleted)"));
        }
    }

    /** Reads so many values, each while the one before is still needed; returns how many. */
    private static int useAtOnce(StoreLogger store, int count) {
        Decoder<Integer> next = value -> 1 + useAtOnce(store, count - 1);
        return count == 0 ? 0 : Objects.requireNonNull(store.get(Texts.bytes("key-" + (count - 1)), next));
    }

    private static StoreLogger filled() {
        StoreLogger store = Texts.open(new CrashableStorage());
        store.put(ONE, Texts.bytes("one"));
        store.put(TWO, Texts.bytes("two"));
        return store;
    }
}
