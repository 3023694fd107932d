package io.persist.store.staged;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.support.Await;
import io.persist.support.Seeds;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a scan has read is what it went past, but for what the transaction had changed: each key of a small world. */
class ScannedRangeTest {

    private static final byte[] BYTES = {0, 1, 'a', (byte) 0xFF};
    private static final int LENGTH = 3;

    private static final List<byte[]> KEYS = keys();

    private final StagedChanges staged = new StagedChanges(1 << 16, OldValues.OMIT);

    /** All keys of up to three of these bytes, ascending. */
    private static List<byte[]> keys() {
        List<byte[]> keys = new ArrayList<>();
        addBehind(keys, new byte[0]);
        return keys;
    }

    private static void addBehind(List<byte[]> keys, byte[] prefix) {
        for (byte next : BYTES) {
            byte[] key = Arrays.copyOf(prefix, prefix.length + 1);
            key[prefix.length] = next;
            keys.add(key);
            if (key.length < LENGTH) {
                addBehind(keys, key);
            }
        }
    }

    private static byte[] key(Random random) {
        return KEYS.get(random.nextInt(KEYS.size()));
    }

    private static KeyBuffer buffer(byte[] key) {
        return new KeyBuffer().set(key, 0, key.length);
    }

    private static KeyRange range(Random random) {
        KeyRange range = random.nextInt(4) == 0 ? KeyRange.all() : KeyRange.from(key(random));
        return random.nextInt(4) == 0 ? range : range.intersection(KeyRange.below(key(random)));
    }

    private void change(Random random) {
        for (int i = random.nextInt(3) == 0 ? 0 : random.nextInt(10); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> staged.removeRange(range(random));
                case 1 -> staged.remove(key(random));
                default -> staged.put(key(random), new byte[1], 0, 1);
            }
        }
    }

    private static boolean isIn(List<KeyRange> parts, byte[] key) {
        long in = parts.stream().filter(part -> part.contains(key)).count();
        assertThat(in).as("they do not overlap").isLessThan(2);
        return in > 0;
    }

    @Test
    void shouldBeWhatTheScanWentPast() {
        Seeds.run(3_000, seed -> {
            Random random = new Random(seed);
            staged.clear();
            change(random);
            Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
            boolean isForward = direction == Direction.FORWARD;
            KeyRange range = range(random);
            ScannedRange scanned = new ScannedRange(range, direction, ChangedKeys.of(staged, range));
            scanned.opened(seed);
            assertThat(scanned.parts()).as("nothing yet").isEmpty();
            List<byte[]> inRange = KEYS.stream().filter(range::contains).toList();
            int shown = inRange.isEmpty() ? 0 : random.nextInt(inRange.size() + 1);
            byte[] last = null;
            for (int i = 0; i < shown; i++) {
                last = inRange.get(isForward ? i : inRange.size() - 1 - i);
                if (random.nextBoolean()) {
                    scanned.toOwn(buffer(last));
                } else {
                    scanned.toCommitted(buffer(last));
                }
            }
            boolean isWhole = random.nextInt(3) == 0;
            if (isWhole) {
                scanned.toEnd();
            }
            List<Boolean> changed =
                    KEYS.stream().map(key -> staged.find(buffer(key)) >= 0).toList();
            change(random); // later: that does not matter
            if (random.nextBoolean()) {
                scanned.closed();
            }
            scanned.shrink();
            List<KeyRange> parts = scanned.parts();
            for (int i = 0; i < KEYS.size(); i++) {
                byte[] key = KEYS.get(i);
                boolean isPast =
                        isWhole || last != null && Arrays.compareUnsigned(key, last) * (isForward ? 1 : -1) <= 0;
                boolean isRead = range.contains(key) && isPast && !changed.get(i);
                assertThat(isIn(parts, key)).as("%s", Arrays.toString(key)).isEqualTo(isRead);
            }
            assertThat(scanned.end()).isEqualTo(seed);
        });
    }

    /** There may be as many scans as changes. */
    @Test
    void shouldKeepNoChangesThatItHasNotGonePast() {
        staged.clear();
        for (byte[] key : KEYS) {
            staged.put(key, new byte[1], 0, 1);
        }
        ChangedKeys all = ChangedKeys.of(staged, KeyRange.all());
        ScannedRange scanned = new ScannedRange(KeyRange.all(), Direction.FORWARD, all);
        WeakReference<ChangedKeys> changed = new WeakReference<>(all);
        all = null;
        scanned.toOwn(buffer(KEYS.get(0)));
        scanned.shrink();
        assertThat(changed.get()).as("it may go on").isNotNull();
        scanned.closed();
        scanned.shrink();
        Await.collected("it is collected", changed);
        assertThat(scanned.parts()).as("nothing but its own").isEmpty();
    }

    /** There may be as many scans as ranges that are removed elsewhere. */
    @Test
    void shouldKeepNoRemovedRangeThatDoesNotMeetIt() {
        byte[] first = {'b'};
        byte[] limit = {'d'};
        staged.clear();
        staged.removeRange(KeyRange.between(first, limit));
        for (KeyRange beside : List.of(KeyRange.below(first), KeyRange.from(limit), KeyRange.between(limit, first))) {
            assertThat(ChangedKeys.of(staged, beside)).isSameAs(ChangedKeys.NONE);
            assertThat(ChangedKeys.of(staged, KeyRange.all()).in(beside)).isSameAs(ChangedKeys.NONE);
        }
        for (KeyRange over : List.of(KeyRange.through(first), KeyRange.between(new byte[] {'c'}, limit))) {
            assertThat(ChangedKeys.of(staged, over).ranges().isEmpty()).isFalse();
            assertThat(ChangedKeys.of(staged, KeyRange.all()).in(over).ranges().isEmpty())
                    .isFalse();
        }
        staged.removeRange(KeyRange.from(limit));
        assertThat(ChangedKeys.of(staged, KeyRange.from(new byte[] {'x'}))
                        .ranges()
                        .isEmpty())
                .as("it has no end")
                .isFalse();
    }

    @Test
    void shouldCountWhatIsCommitted() {
        ScannedRange scanned =
                new ScannedRange(KeyRange.all(), Direction.FORWARD, ChangedKeys.of(staged, KeyRange.all()));
        byte[] longest = new byte[KeyBuffer.MAX_LENGTH];
        scanned.toOwn(buffer(new byte[] {0}));
        scanned.toCommitted(buffer(longest));
        scanned.toCommitted(buffer(new byte[] {1}));
        scanned.toEnd();
        scanned.toEnd();
        assertThat(scanned.keys()).isEqualTo(2);
    }

    /** Behind the longest key comes none that begins with it. */
    @Test
    void shouldEndWithTheLongestKey() {
        byte[] longest = new byte[KeyBuffer.MAX_LENGTH];
        Arrays.fill(longest, (byte) 'x');
        ScannedRange scanned =
                new ScannedRange(KeyRange.all(), Direction.FORWARD, ChangedKeys.of(staged, KeyRange.all()));
        scanned.toCommitted(buffer(longest));
        List<KeyRange> parts = scanned.parts();
        byte[] behind = longest.clone();
        behind[KeyBuffer.MAX_LENGTH - 1]++;
        assertThat(isIn(parts, longest)).isTrue();
        assertThat(isIn(parts, behind)).isFalse();
    }
}
