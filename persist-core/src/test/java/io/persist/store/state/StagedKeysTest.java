package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.store.staged.StagedKeys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where keys go that follow one another, as they do in large transactions. */
class StagedKeysTest {

    private static final int KEYS = 4096;
    private static final int SLOTS = 2 * KEYS;

    /** Random ones take 3,223 slots on average. */
    private static final int GOOD = 3100;

    private enum Keys {
        NUMBERS(i -> ByteBuffer.allocate(8).putLong(i).array()),
        NUMBERS_LITTLE_ENDIAN(i ->
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(i).array()),
        HIGH_NUMBERS(i -> ByteBuffer.allocate(8).putLong((long) i << 40).array()),
        INTEGERS(i -> ByteBuffer.allocate(4).putInt(i).array()),
        TEXTS(i -> "memtier-".concat(Integer.toString(i)).getBytes(StandardCharsets.US_ASCII)),
        LONG_TEXTS(i -> String.format("TASK_RUN/%012d/2f1c7f64-36c8-4d6b-9d3f-000000000000-%03d", i / 8, i % 8)
                .getBytes(StandardCharsets.US_ASCII));

        private final IntFunction<byte[]> key;

        Keys(IntFunction<byte[]> key) {
            this.key = key;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSpreadKeysThatFollowOneAnother(Keys keys) {
        BitSet taken = new BitSet(SLOTS);
        for (int i = 0; i < KEYS; i++) {
            byte[] key = keys.key.apply(i);
            taken.set(StagedKeys.hash(key, 0, key.length) & (SLOTS - 1));
        }
        assertThat(taken.cardinality()).isGreaterThan(GOOD);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDependOnTheKeyAlone(Keys keys) {
        byte[] key = keys.key.apply(77);
        byte[] longer = new byte[key.length + 11];
        System.arraycopy(key, 0, longer, 7, key.length);
        assertThat(StagedKeys.hash(longer, 7, key.length)).isEqualTo(StagedKeys.hash(key, 0, key.length));
    }
}
