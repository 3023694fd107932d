package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.TransactionLayout;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.Texts;
import io.persist.store.staged.StagedChanges;
import io.persist.support.Allocation;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A watch is touched by a change of a key in its ranges, and by nothing else. */
class RangeWatchTest {

    private static final int KEYS = 40;

    private final StagedChanges staged = new StagedChanges(1 << 20, OldValues.OMIT);
    private final RecentChanges recent = new RecentChanges(new LiveBytes());

    private static byte[] key(int number) {
        return Texts.bytes("key-" + (100 + number));
    }

    private static List<KeyRange> ranges(Random random) {
        List<KeyRange> ranges = new ArrayList<>();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            int from = random.nextInt(KEYS - 1);
            int below = from + 1 + random.nextInt(KEYS - from - 1);
            KeyRange range = random.nextInt(8) == 0 ? KeyRange.all() : KeyRange.from(key(from));
            ranges.add(random.nextInt(8) == 0 ? range : range.intersection(KeyRange.below(key(below))));
        }
        return ranges;
    }

    private static boolean isAny(List<KeyRange> ranges, Predicate<KeyRange> what) {
        return ranges.stream().anyMatch(what);
    }

    /** Whether there is a key that both have; the ends are keys of this test. */
    private static boolean haveAKeyInCommon(KeyRange one, KeyRange other) {
        for (int i = 0; i < KEYS; i++) {
            if (one.contains(key(i)) && other.contains(key(i))) {
                return true;
            }
        }
        return false;
    }

    private void commit(byte type, long start, long end) {
        staged.seal(type);
        recent.note(staged, start, end);
    }

    private void commit() {
        commit(TransactionLayout.TYPE_CHANGES, 1000, 2000);
    }

    @Test
    void shouldBeTouchedByItsKeysAlone() {
        Seeds.run(2_000, seed -> {
            Random random = new Random(seed);
            List<KeyRange> ranges = random.nextBoolean() ? ranges(random) : List.of();
            Set<ByteBuffer> keys = new HashSet<>();
            for (int i = ranges.isEmpty() ? 1 + random.nextInt(3) : 0; i > 0; i--) {
                keys.add(ByteBuffer.wrap(key(random.nextInt(KEYS))));
            }
            RecentChanges.Watch watch = ranges.isEmpty() ? new KeyWatch(keys) : new RangeWatch(ranges);
            recent.watch(watch);
            boolean isTouched = false;
            boolean isUnsure = false;
            for (int i = random.nextInt(8); i > 0; i--) {
                staged.clear();
                for (int j = 1 + random.nextInt(2); j > 0; j--) {
                    byte[] key = key(random.nextInt(KEYS));
                    if (random.nextInt(4) == 0) {
                        int from = random.nextInt(KEYS - 1);
                        KeyRange gone = KeyRange.from(key(from));
                        if (random.nextInt(8) > 0) {
                            int below = from + 1 + random.nextInt(KEYS - from - 1);
                            gone = gone.intersection(KeyRange.below(key(below)));
                        }
                        KeyRange removed = gone;
                        staged.removeRange(removed);
                        isUnsure |= !keys.isEmpty() && !isTouched; // then it does not look any more
                        isTouched |= isAny(ranges, range -> haveAKeyInCommon(range, removed));
                    } else {
                        staged.put(key, key, 0, 1);
                        isTouched |= !isUnsure && keys.contains(ByteBuffer.wrap(key))
                                || isAny(ranges, range -> range.contains(key));
                    }
                }
                commit();
                assertThat(watch.isTouched()).isEqualTo(isTouched);
                assertThat(watch.isUnsure()).isEqualTo(isUnsure);
            }
            recent.unwatch(watch);
            recent.unwatch(watch);
            assertThat(recent.watches()).isZero();
        });
    }

    @Test
    void shouldNotBeTouchedByAMove() {
        RangeWatch watch = new RangeWatch(List.of(KeyRange.all()));
        recent.watch(watch);
        stageMove(400);
        commit(TransactionLayout.TYPE_MOVES, 1000, 2000);
        assertThat(watch.isTouched()).isFalse();
        assertThat(recent.moved().putBefore(1500)).isEqualTo(401);
        stageMove(1504); // moved once more
        commit(TransactionLayout.TYPE_MOVES, 3000, 4000);
        assertThat(recent.moved().putBefore(3504)).isEqualTo(401);
        staged.clear();
        commit(TransactionLayout.TYPE_MOVES, 5000, 6000); // a checkpoint appends one without values
        assertThat(watch.isTouched()).isFalse();
    }

    private void stageMove(long from) {
        staged.clear();
        staged.move(ByteBuffer.allocate(8), 0, 7, 1, from);
    }

    /** Whoever commits does not wait until all of it was looked at. */
    @Test
    void shouldNotKnowOfATransactionOfManyChanges() {
        for (int more = 0; more < 2; more++) {
            RangeWatch watch = new RangeWatch(List.of(KeyRange.from(Texts.bytes("z"))));
            recent.watch(watch);
            staged.clear();
            for (int i = 0; i < RecentChanges.Watch.MOST_CHANGES + more; i++) {
                staged.put(key(i), key(i), 0, 1);
            }
            commit();
            assertThat(watch.isTouched()).isFalse();
            assertThat(watch.isUnsure()).isEqualTo(more > 0);
        }
    }

    /** It is told behind the append of a commit, where an error for want of memory would end the store. */
    @Test
    void shouldNotAllocateForTheCommitsOfOthers() {
        Set<ByteBuffer> keys = new HashSet<>();
        for (int i = 0; i < KEYS; i++) {
            keys.add(ByteBuffer.wrap(key(i)));
        }
        KeyWatch watch = new KeyWatch(keys);
        recent.watch(watch);
        staged.clear();
        staged.put(Texts.bytes("another"), key(1), 0, 1);
        Allocation.checkNone(10, 100, this::commit);
        assertThat(watch.isTouched()).isFalse();
    }

    @Test
    void shouldNotBeToldOnceItHasEnded() {
        RangeWatch watch = new RangeWatch(List.of(KeyRange.all()));
        recent.watch(watch);
        recent.unwatch(watch);
        staged.clear();
        staged.put(key(1), key(1), 0, 1);
        commit();
        assertThat(watch.isTouched()).isFalse();
    }
}
