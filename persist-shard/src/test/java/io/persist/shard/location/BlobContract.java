package io.persist.shard.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** What every blob has to do: an implementation has a test that extends this one. */
public abstract class BlobContract {

    /** A handle of the place of this test. */
    protected abstract Blob open() throws IOException;

    /** Whether what is there stays when all handles are closed. */
    protected abstract boolean survives();

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static Map<String, Long> list(Blob blob, String prefix) {
        Map<String, Long> found = new TreeMap<>();
        blob.list(prefix, (name, length) -> assertThat(found.put(name, length)).isNull());
        return found;
    }

    @Test
    void shouldKeepObjectsForAllHandles() throws IOException {
        try (Blob one = open();
                Blob two = open()) {
            assertThat(one.get("a")).isNull();
            one.set("a", bytes(1, 2, 3));
            assertThat(one.get("a")).containsExactly(1, 2, 3);
            assertThat(two.get("a")).containsExactly(1, 2, 3);
            two.set("a", bytes(4));
            assertThat(one.get("a")).containsExactly(4);
            assertThat(one.get("b")).isNull();
        }
    }

    /** Files do; a place that does not is read as a whole. */
    @Test
    void shouldReadInPiecesWhatWasThereWhenItWasOpened() throws IOException {
        try (Blob blob = open()) {
            assumeThat(blob.hasPieces()).isTrue();
            assertThat(blob.open("a")).isNull();
            blob.set("a", bytes(1, 2, 3, 4, 5));
            byte[] target = new byte[6];
            try (ObjectPieces pieces = blob.open("a")) {
                assertThat(pieces.length()).isEqualTo(5);
                assertThat(pieces.read(1, target, 2, 3)).isEqualTo(3);
                assertThat(target).containsExactly(0, 0, 2, 3, 4, 0);
                blob.delete("a");
                assertThat(pieces.read(3, target, 0, 6)).isEqualTo(2);
                assertThat(target).containsExactly(4, 5, 2, 3, 4, 0);
                assertThat(pieces.read(5, target, 0, 1)).isZero();
            }
            assertThat(blob.open("a")).isNull();
        }
    }

    @Test
    void shouldSayHowLongTheDeletedWas() throws IOException {
        try (Blob one = open();
                Blob two = open()) {
            one.set("a", bytes(1, 2));
            one.set("empty", bytes());
            assertThat(two.get("empty")).isEmpty();
            assertThat(two.delete("a")).isEqualTo(2);
            assertThat(one.delete("a")).isEqualTo(-1);
            assertThat(one.get("a")).isNull();
            assertThat(one.delete("empty")).isZero();
            assertThat(one.delete("never")).isEqualTo(-1);
        }
    }

    @Test
    void shouldDeleteSeveral() throws IOException {
        try (Blob one = open();
                Blob two = open()) {
            one.set("a", bytes(1, 2));
            one.set("b", bytes(3));
            one.set("c", bytes(4));
            one.set("%2f.._!~", bytes(5));
            assertThat(two.deleteAll(List.of("a", "never", "b", "%2f.._!~"))).isIn(4L, -1L);
            assertThat(list(one, "")).isEqualTo(Map.of("c", 1L));
            assertThat(two.deleteAll(List.of())).isIn(0L, -1L);
            assertThatThrownBy(() -> one.deleteAll(List.of("a b"))).isInstanceOf(IllegalArgumentException.class);
            assertThat(list(one, "")).isEqualTo(Map.of("c", 1L));
        }
    }

    @Test
    void shouldListByPrefix() throws IOException {
        try (Blob blob = open()) {
            assertThat(list(blob, "")).isEmpty();
            blob.set("s1/w1/p1", bytes(1));
            blob.set("s1/w1/P1", bytes(1, 2));
            blob.set("s1/w2/p1", bytes());
            blob.set("s10/w1/p1", bytes(1, 2, 3));
            blob.set("%2f.._!~", bytes(9));
            assertThat(list(blob, "s1/")).isEqualTo(Map.of("s1/w1/p1", 1L, "s1/w1/P1", 2L, "s1/w2/p1", 0L));
            assertThat(list(blob, "s1/w1/P")).isEqualTo(Map.of("s1/w1/P1", 2L));
            assertThat(list(blob, "")).hasSize(5).containsEntry("%2f.._!~", 1L);
            blob.delete("s1/w1/p1");
            assertThat(list(blob, "s1/w1")).isEqualTo(Map.of("s1/w1/P1", 2L));
        }
    }

    @Test
    void shouldHaveItStillWhenOpenedAgain() throws IOException {
        byte[] large = new byte[3_000_000];
        new SplittableRandom(1).nextBytes(large);
        try (Blob blob = open()) {
            blob.set("large", large);
        }
        try (Blob blob = open()) {
            assertThat(Arrays.equals(blob.get("large"), survives() ? large : null))
                    .isTrue();
        }
    }

    @Test
    void shouldNotShareArrays() throws IOException {
        try (Blob blob = open()) {
            byte[] mine = bytes(1);
            blob.set("a", mine);
            mine[0] = 2;
            byte[] got = blob.get("a");
            assertThat(got).containsExactly(1);
            got[0] = 3;
            assertThat(blob.get("a")).containsExactly(1);
        }
    }

    @Test
    void shouldRefuseWhatIsNoName() throws IOException {
        try (Blob blob = open()) {
            for (String name : new String[] {"", "a b", "ä", "a\n", "x".repeat(201)}) {
                assertThatThrownBy(() -> blob.get(name)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> blob.set(name, bytes())).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> blob.delete(name)).isInstanceOf(IllegalArgumentException.class);
            }
            blob.set("../up", bytes(1));
            assertThat(list(blob, "")).containsOnlyKeys("../up");
        }
    }

    /** Readers see the one or the other, and never something of both. */
    @Test
    void shouldReplaceAtOnce() throws Exception {
        byte[] ones = new byte[100_000];
        byte[] twos = new byte[50_000];
        Arrays.fill(ones, (byte) 1);
        Arrays.fill(twos, (byte) 2);
        try (Blob blob = open()) {
            blob.set("a", ones);
            CyclicBarrier start = new CyclicBarrier(2);
            Thread writer = new Thread(() -> {
                try {
                    start.await();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                for (int i = 0; i < 20; i++) {
                    blob.set("a", i % 2 == 0 ? twos : ones);
                }
            });
            writer.start();
            start.await();
            boolean isWhole = true;
            while (writer.isAlive()) {
                byte[] got = blob.get("a");
                isWhole &= Arrays.equals(got, ones) || Arrays.equals(got, twos);
            }
            writer.join();
            assertThat(isWhole).isTrue();
        }
    }
}
