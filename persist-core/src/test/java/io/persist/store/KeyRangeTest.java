package io.persist.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.StoreLogger;
import io.persist.store.read.StoreScan;
import io.persist.testkit.CrashableStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ranges with each end in them or not, also where an end is as long as a key can be. */
class KeyRangeTest {

    private static final int MAX_LENGTH = 1024;

    private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

    private final StoreLogger store = Texts.open(new CrashableStorage());
    private final TreeSet<byte[]> keys = new TreeSet<>(ORDER);

    KeyRangeTest() {
        for (byte[] begin : new byte[][] {{}, {'a'}, {'a', (byte) 0xFF}, {(byte) 0xFF}}) {
            if (begin.length > 0) {
                keys.add(begin);
            }
            for (int filler : new int[] {0, 0xFF}) {
                byte[] longest = filled(begin, filler);
                keys.add(longest);
                keys.add(Arrays.copyOf(longest, MAX_LENGTH - 1));
                byte[] other = longest.clone();
                other[MAX_LENGTH - 1] = 7;
                keys.add(other);
            }
        }
        byte[] value = {1};
        keys.forEach(key -> store.put(key, value));
    }

    private static byte[] filled(byte[] begin, int filler) {
        byte[] key = Arrays.copyOf(begin, MAX_LENGTH);
        Arrays.fill(key, begin.length, MAX_LENGTH, (byte) filler);
        return key;
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<byte[]> scan(KeyRange range, Direction direction) {
        List<byte[]> found = new ArrayList<>();
        try (StoreScan scan = store.scan(range, direction)) {
            while (scan.next()) {
                found.add(scan.keyBytes());
            }
        }
        return found;
    }

    private void check(KeyRange range, Predicate<byte[]> isIn) {
        List<byte[]> expected = new ArrayList<>(keys);
        expected.removeIf(isIn.negate());
        assertThat(keys).allMatch(key -> range.contains(key) == isIn.test(key));
        assertThat(scan(range, Direction.FORWARD)).containsExactlyElementsOf(expected);
        Collections.reverse(expected);
        assertThat(scan(range, Direction.BACKWARD)).containsExactlyElementsOf(expected);
    }

    private static int compare(byte[] key, byte[] end) {
        return ORDER.compare(key, end);
    }

    @Test
    void shouldHaveItsEndsOrNotAsTheNameSays() {
        List<byte[]> ends = new ArrayList<>(keys);
        ends.add(new byte[0]);
        for (byte[] a : ends) {
            check(KeyRange.from(a), key -> compare(key, a) >= 0);
            check(KeyRange.after(a), key -> compare(key, a) > 0);
            check(KeyRange.below(a), key -> compare(key, a) < 0);
            check(KeyRange.through(a), key -> compare(key, a) <= 0);
            check(KeyRange.prefix(a), key -> Arrays.equals(Arrays.copyOf(key, a.length), a) && key.length >= a.length);
            for (byte[] b : ends) {
                check(KeyRange.between(a, b), key -> compare(key, a) >= 0 && compare(key, b) < 0);
                check(KeyRange.closed(a, b), key -> compare(key, a) >= 0 && compare(key, b) <= 0);
                check(
                        KeyRange.after(a).intersection(KeyRange.through(b)),
                        key -> compare(key, a) > 0 && compare(key, b) <= 0);
                check(
                        KeyRange.between(a, b).intersection(KeyRange.after(b)).intersection(KeyRange.from(a)),
                        key -> false);
            }
        }
        check(KeyRange.all(), key -> true);
        check(KeyRange.all().intersection(KeyRange.all()), key -> true);
    }

    @Test
    void shouldRemoveWhatIsInIt() {
        byte[] longest = filled(new byte[] {'a'}, 0xFF);
        byte[] greatest = filled(new byte[0], 0xFF);
        removeAndCheck(KeyRange.closed(longest, longest), key -> Arrays.equals(key, longest));
        removeAndCheck(KeyRange.after(longest), key -> key[0] == (byte) 0xFF);
        byte[] a = {'a'};
        removeAndCheck(KeyRange.through(a), key -> compare(key, a) <= 0);
        assertThat(store.removeRange(KeyRange.after(greatest))).isFalse();
        removeAndCheck(KeyRange.closed(new byte[0], greatest), key -> true);
        assertThat(store.size()).isZero();
    }

    private void removeAndCheck(KeyRange range, Predicate<byte[]> isIn) {
        int before = keys.size();
        assertThat(keys.removeIf(isIn)).isTrue();
        assertThat(store.removeRange(range)).isTrue();
        assertThat(keys.size()).isLessThan(before);
        check(KeyRange.all(), key -> true);
    }

    @Test
    void shouldKeepWhatItWasMadeOf() {
        byte[] from = {1};
        byte[] through = {3};
        KeyRange range = KeyRange.closed(from, through);
        from[0] = 9;
        through[0] = 0;
        assertThat(range.firstKey()).containsExactly(1);
        assertThat(range.lowest()).containsExactly(1);
        assertThat(range.limit()).containsExactly(3, 0);
        assertThat(KeyRange.through(through).lowest()).isNull();
        assertThat(KeyRange.after(through).limit()).isNull();
    }

    @Test
    void shouldBeEqualToARangeWithTheSameEnds() {
        byte[] a = {'a'};
        byte[] b = {'b'};
        List<KeyRange> different = List.of(
                KeyRange.all(), KeyRange.from(a), KeyRange.below(a), KeyRange.between(a, b), KeyRange.between(b, a));
        for (KeyRange one : different) {
            assertThat(different).filteredOn(one::equals).containsExactly(one);
        }
        assertThat(KeyRange.between(a.clone(), b.clone()))
                .isEqualTo(KeyRange.from(a).intersection(KeyRange.below(b)))
                .hasSameHashCodeAs(KeyRange.between(a, b))
                .isNotEqualTo(a);
        assertThat(KeyRange.through(a)).isEqualTo(KeyRange.below(new byte[] {'a', 0}));
    }

    @Test
    void shouldSayItsEnds() {
        assertThat(KeyRange.all()).hasToString("KeyRange[lowest=none, limit=none]");
        assertThat(KeyRange.between(new byte[] {'a', (byte) 0xFF}, new byte[33]))
                .hasToString("KeyRange[lowest=61ff, limit=" + "00".repeat(32) + "... of 33 bytes]");
    }

    @Test
    void shouldRefuseEndsThatNoKeyCanBe() {
        byte[] tooLong = new byte[MAX_LENGTH + 1];
        List<Function<byte[], KeyRange>> ranges = List.of(
                KeyRange::from,
                KeyRange::after,
                KeyRange::below,
                KeyRange::through,
                KeyRange::prefix,
                end -> KeyRange.between(end, new byte[0]),
                end -> KeyRange.closed(new byte[0], end));
        for (Function<byte[], KeyRange> range : ranges) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> range.apply(tooLong))
                    .withMessageContaining("key.length=1025");
        }
    }
}
