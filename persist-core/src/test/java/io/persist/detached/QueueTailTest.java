package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QueueTailTest {

    @Test
    void shouldBeginWithNothing() {
        check(0, 0, 0, false, false);
    }

    @Test
    void shouldKeepItsPartsApart() {
        Seeds.run(1000, seed -> {
            Random random = new Random(seed);
            long tail = 0;
            long position = 0;
            int number = 0;
            for (int i = 0; i < 50; i++) {
                position = Math.min(QueueTail.MAX_POSITION - 8, position + 8L * (1 + random.nextInt(1 << 30)));
                number++;
                tail = QueueTail.next(tail, position);
                check(tail, number, position, false, false);
                check(QueueTail.withCommit(tail), number, position, true, false);
                check(QueueTail.withClosed(tail), number, position, false, true);
                check(QueueTail.withClosed(QueueTail.withCommit(tail)), number, position, true, true);
                if (random.nextBoolean()) {
                    tail = QueueTail.withCommit(tail); // which the next record takes away
                }
            }
        });
    }

    @Test
    void shouldCountEntriesModuloTwoToTheSixteenth() {
        long tail = 0;
        for (int i = 1; i <= 200_000; i++) {
            tail = QueueTail.next(QueueTail.withCommit(tail), 24L * i);
            check(tail, i % 65_536, 24L * i, false, false);
        }
    }

    @Test
    void shouldHoldTheHighestPosition() {
        long highest = QueueTail.MAX_POSITION - 8;
        long tail = 0xFFFF;
        tail = QueueTail.next(tail, highest);
        check(tail, 0, highest, false, false);
        check(QueueTail.withClosed(QueueTail.withCommit(tail)), 0, highest, true, true);
    }

    private static void check(long tail, int number, long position, boolean commit, boolean closed) {
        assertThat(QueueTail.number(tail)).isEqualTo(number);
        assertThat(QueueTail.position(tail)).isEqualTo(position);
        assertThat(QueueTail.hasCommit(tail)).isEqualTo(commit);
        assertThat(QueueTail.isClosed(tail)).isEqualTo(closed);
    }
}
