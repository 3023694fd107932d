package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A value that lies in a record of moves was put when all that came with it had been. */
class MovedPlacesTest {

    private static final int RECORDS = 3 * MovedPlaces.MOST;

    private record Move(long start, long end, long bound) {}

    @Test
    void shouldKnowTheLastOnes() {
        Seeds.run(20, seed -> {
            Random random = new Random(seed);
            MovedPlaces places = new MovedPlaces();
            List<Move> moves = new ArrayList<>();
            long at = 1;
            for (int i = random.nextInt(RECORDS); i > 0; i--) {
                at += 8 * (1 + random.nextInt(4)); // something else was committed
                Move move = new Move(at, at + 8 * (1 + random.nextInt(4)), random.nextLong(at));
                places.add(move.start(), move.end(), 0, move.bound());
                moves.add(move);
                at = move.end();
            }
            List<Move> known = moves.subList(Math.max(0, moves.size() - MovedPlaces.MOST), moves.size());
            for (MovedPlaces asked : new MovedPlaces[] {places, places.copy()}) {
                for (int i = 0; i < 500; i++) {
                    long place = random.nextLong(at + 8);
                    long expected = known.stream()
                            .filter(move -> move.start() <= place && place < move.end())
                            .mapToLong(Move::bound)
                            .findAny()
                            .orElse(place + 1);
                    assertThat(asked.putBefore(place)).isEqualTo(expected);
                }
            }
        });
    }

    /** Or a store at rest, which is compacted as a whole, would soon forget. */
    @Test
    void shouldCountThoseOfASegmentWithNothingInBetweenAsOne() {
        MovedPlaces places = new MovedPlaces();
        for (int i = 0; i < 10 * MovedPlaces.MOST; i++) {
            places.add(1000 + 8L * i, 1008 + 8L * i, 64, i % 2 == 0 ? 400 : 500);
        }
        long last = 1000 + 80L * MovedPlaces.MOST - 1;
        assertThat(places.putBefore(1000)).isEqualTo(500);
        assertThat(places.putBefore(last)).isEqualTo(500);
        assertThat(places.putBefore(999)).isEqualTo(1000);
        assertThat(places.putBefore(last + 1)).isEqualTo(last + 2);
        places.add(last + 1, last + 9, 128, 900); // out of another segment
        assertThat(places.putBefore(last)).isEqualTo(500);
        assertThat(places.putBefore(last + 1)).isEqualTo(900);
    }

    @Test
    void shouldStayAsItWasCopied() {
        MovedPlaces places = new MovedPlaces();
        MovedPlaces copy = places.copy();
        places.add(1000, 1100, 0, 1);
        assertThat(places.putBefore(1000)).isEqualTo(1);
        assertThat(copy.putBefore(1000)).isEqualTo(1001);
    }
}
