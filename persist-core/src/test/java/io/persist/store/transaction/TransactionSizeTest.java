package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.StoreLogger;
import io.persist.store.Texts;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction says how large it is, so that a batch is cut before a change is refused. */
class TransactionSizeTest {

    private final StoreLogger store = Texts.open(new CrashableStorage());

    @AfterEach
    void close() {
        store.close();
    }

    private static byte[] key(int number) {
        return Texts.bytes("key-" + number);
    }

    @Test
    void shouldSayWhatItHas() {
        try (Transaction transaction = store.begin()) {
            assertThat(transaction.changes()).isZero();
            assertThat(transaction.bytes()).isEqualTo(8);
            assertThat(transaction.maxBytes()).isEqualTo(Texts.SEGMENT_LENGTH - 120);
            transaction.put(key(1), new byte[100]);
            assertThat(transaction.bytes()).isEqualTo(8 + 24 + 5 + 100 + 7);
            transaction.remove(key(1));
            assertThat(transaction.changes()).isEqualTo(2);
            assertThat(transaction.bytes()).isEqualTo(144 + 24 + 5 + 3);
        }
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            assertThat(transaction.changes()).as("of a new one").isZero();
            transaction.put(key(1), new byte[3]);
            assertThat(transaction.changes()).isEqualTo(1);
            assertThat(transaction.bytes()).isEqualTo(8 + 32);
            assertThat(transaction.maxBytes()).isEqualTo(Texts.SEGMENT_LENGTH - 120);
            assertThat(transaction.fits(5, transaction.maxBytes() - 40 - 24 - 5))
                    .isTrue();
            assertThat(transaction.fits(5, transaction.maxBytes() - 40 - 24 - 4))
                    .isFalse();
        }
    }

    /** What fits is taken, and what does not fit is refused. */
    @Test
    void shouldSayWhatFits() {
        Seeds.run(100, seed -> {
            Random random = new Random(seed);
            try (Transaction transaction = store.begin()) {
                boolean fits = true;
                for (int i = 0; fits; i++) {
                    byte[] key = new byte[1 + random.nextInt(40)];
                    byte[] value = new byte[random.nextInt(600)];
                    fits = transaction.fits(key.length, value.length);
                    if (fits) {
                        transaction.put(key, value);
                        assertThat(transaction.bytes()).isLessThanOrEqualTo(transaction.maxBytes());
                        assertThat(transaction.changes()).isEqualTo(i + 1);
                    } else {
                        assertThatIllegalArgumentException().isThrownBy(() -> transaction.put(key, value));
                        assertThat(transaction.changes()).isEqualTo(i);
                    }
                }
                assertThat(transaction.fits(1, Integer.MAX_VALUE)).isFalse();
                transaction.commit();
            }
        });
    }

    /** It has no padding: it fills the record to its last byte. */
    @Test
    void shouldTakeTheLargestChangeOfAll() {
        byte[] largest = new byte[Texts.SEGMENT_LENGTH - 120 - 8 - 24 - key(1).length];
        Arrays.fill(largest, (byte) 7);
        store.put(key(1), largest);
        assertThat(store.getBytes(key(1))).isEqualTo(largest);
        assertThatIllegalArgumentException().isThrownBy(() -> store.put(key(1), new byte[largest.length + 1]));
    }

    @Test
    void shouldRefuseLengthsThatNothingHas() {
        try (Transaction transaction = store.begin()) {
            for (int[] lengths : new int[][] {{0, 1}, {1025, 1}, {1, -1}}) {
                assertThatIllegalArgumentException().isThrownBy(() -> transaction.fits(lengths[0], lengths[1]));
            }
        }
    }
}
