package io.persist.index.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.index.KeyIndex;
import io.persist.index.read.Location;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

class KeyBufferTest {

    private static KeyBuffer key(int... bytes) {
        byte[] array = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            array[i] = (byte) bytes[i];
        }
        return new KeyBuffer().set(array, 0, array.length);
    }

    @Test
    void shouldTakeBytesFromWhereverTheyAre() {
        byte[] source = {9, 1, 2, 3, 9};
        KeyBuffer key = new KeyBuffer();
        assertThat(key.length()).isZero();
        for (KeyBuffer set : new KeyBuffer[] {
            key.set(source, 1, 3),
            new KeyBuffer().set(ByteBuffer.wrap(source), 1, 3),
            new KeyBuffer().set(ByteBuffer.allocateDirect(5).put(0, source), 1, 3),
            new KeyBuffer().set(directBuffer(source), 1, 3),
            new KeyBuffer().copyFrom(key)
        }) {
            assertThat(Arrays.copyOf(set.bytes(), set.length())).containsExactly(1, 2, 3);
            assertThat(set).isEqualByComparingTo(key);
        }
    }

    /** Agrona's own need flags of the JVM. */
    private static DirectBuffer directBuffer(byte[] bytes) {
        return (DirectBuffer) Proxy.newProxyInstance(
                KeyBufferTest.class.getClassLoader(), new Class<?>[] {DirectBuffer.class}, (proxy, method, args) -> {
                    assertThat(method.getName()).isEqualTo("getBytes");
                    System.arraycopy(bytes, (int) args[0], args[1], (int) args[2], (int) args[3]);
                    return null;
                });
    }

    @Test
    void shouldBeFollowedByZeros() {
        byte[] source = new byte[KeyBuffer.MAX_LENGTH];
        Arrays.fill(source, (byte) 7);
        KeyBuffer key = new KeyBuffer().set(source, 0, source.length).set(source, 0, 5);
        assertThat(key.head(3)).isEqualTo(0x07070000L);
        assertThat(key.head(5)).isZero();
        assertThat(key.word(0)).isEqualTo(0x0707070707000000L);
        key.set(source, 0, source.length);
        assertThat(key.word(source.length - 1)).isEqualTo(0x0700000000000000L);
    }

    @Test
    void shouldRefuseWhatIsNoKey() {
        KeyBuffer key = new KeyBuffer();
        byte[] source = new byte[KeyBuffer.MAX_LENGTH + 1];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> key.set(source, 0, 0))
                .withMessageContaining("length=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> key.set(source, 0, source.length))
                .withMessageContaining("length=1025");
        try (KeyIndex index = new KeyIndex()) {
            assertThatIllegalArgumentException().isThrownBy(() -> index.put(key, 1, 1, new Location()));
        }
    }

    @Test
    void shouldOrderUnsignedBytes() {
        KeyBuffer[] ordered = {key(0), key(0, 0), key(1), key(1, 0), key(1, 0xFF), key(0x7F), key(0x80), key(0xFF)};
        for (int i = 0; i < ordered.length; i++) {
            for (int j = 0; j < ordered.length; j++) {
                assertThat(Integer.signum(ordered[i].compareTo(ordered[j]))).isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @Test
    void shouldFindWhatLiesBetween() {
        KeyBuffer between = new KeyBuffer();
        between.setBetween(key(1, 2, 3), key(1, 9, 3));
        assertThat(between).isEqualByComparingTo(key(1, 9));
        between.setRightAfter(key(1, 2, 3), key(1, 9, 3));
        assertThat(between).isEqualByComparingTo(key(1, 3));
        between.setRightAfter(key(1, 0x7F, 3), key(1, 0xFF));
        assertThat(between).isEqualByComparingTo(key(1, 0x80));
        between.setRightAfter(key(1), key(1, 9, 5));
        assertThat(between).isEqualByComparingTo(key(1, 0));
    }
}
