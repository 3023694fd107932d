package io.persist.index.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.memory.ChunkDivision.Facts;
import io.persist.index.memory.ChunkDivision.Part;
import io.persist.index.memory.ChunkDivision.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each index may have of 12 chunks. */
class ChunkDivisionTest {

    private static final int MOST = 12;

    private static Facts index(Phase phase, int chunks) {
        return new Facts(MOST, chunks, 0, phase, 0);
    }

    private static Facts waiting(Phase phase, int chunks, long since) {
        return new Facts(MOST, chunks, 0, phase, since);
    }

    private static ChunkDivision among(Facts... indexes) {
        return new ChunkDivision(MOST, List.of(indexes));
    }

    @Test
    void shouldGiveAllToOneThatIsAlone() {
        Facts alone = index(Phase.TENDED, 5);
        assertThat(among(alone).part(alone)).isEqualTo(new Part(0, MOST - 5, true, true, MOST, 0));
        Facts full = index(Phase.TENDED, MOST);
        assertThat(among(full).part(full)).isEqualTo(new Part(0, 0, false, false, MOST, 0));
    }

    @Test
    void shouldBoundAllByTheLargestBound() {
        Facts large = new Facts(2 * MOST, 1, 0, Phase.TENDED, 0);
        Facts small = new Facts(3, 1, 0, Phase.TENDED, 0);
        ChunkDivision division = among(large, small);
        assertThat(division.most()).isEqualTo(2 * MOST);
        assertThat(division.least()).isEqualTo(MOST);
        assertThat(division.part(large).limit()).isEqualTo(2 * MOST - 1);
        assertThat(division.part(small).limit()).as("its own bound").isEqualTo(3);
        assertThat(new ChunkDivision(MOST, List.of()).most()).isEqualTo(MOST);
    }

    @Test
    void shouldAskTheOneThatHasMoreIfAnotherOneWaits() {
        Facts giver = index(Phase.TENDED, 11);
        Facts content = index(Phase.TENDED, 1);
        assertThat(among(giver, content).part(giver).goal()).as("nobody waits").isZero();
        assertThat(among(giver, content).part(content).isWorthAsking())
                .as("it would wait from then on")
                .isTrue();

        Facts waits = waiting(Phase.TENDED, 1, 1);
        ChunkDivision division = among(giver, waits);
        assertThat(division.waits(waits)).isTrue();
        assertThat(division.part(giver)).isEqualTo(new Part(1, -1, false, false, 11, 6));
        assertThat(division.part(waits)).isEqualTo(new Part(0, 0, false, false, 6, 0));
    }

    /** There is no thread that would give one. */
    @ParameterizedTest
    @EnumSource(value = Phase.class, mode = EnumSource.Mode.EXCLUDE, names = "TENDED")
    void shouldAskNoneThatIsNotTended(Phase phase) {
        Facts other = index(phase, 11);
        assertThat(among(other, waiting(Phase.TENDED, 1, 1)).part(other).goal()).isZero();
    }

    @Test
    void shouldLetNoneWaitThatHasWhatItIsDue() {
        Facts has = waiting(Phase.TENDED, 6, 1);
        Facts opening = waiting(Phase.OPENING, 6, 1);
        assertThat(among(has, index(Phase.TENDED, 6)).waits(has)).isFalse();
        assertThat(among(opening, index(Phase.TENDED, 6)).waits(opening))
                .as("it is due all that others can do without")
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "OPENING, 7, 6",
        "REFUSED, 5, 6",
        "REFUSED, 6, 3",
        "TENDED, 7, 6",
    })
    void shouldHaveOthersComeDownToHalfForOneThatIsOpened(Phase phase, int chunks, int least) {
        Facts giver = index(Phase.TENDED, MOST - chunks);
        assertThat(among(giver, waiting(phase, chunks, 1)).least()).isEqualTo(least);
    }

    @Test
    void shouldLeaveEachOneChunk() {
        Facts opened = new Facts(2, 1, 0, Phase.REFUSED, 1);
        ChunkDivision crowded = new ChunkDivision(2, List.of(opened, opened, opened));
        assertThat(crowded.least()).isEqualTo(1);
        Facts none = index(Phase.UNTENDED, 0);
        assertThat(among(index(Phase.TENDED, MOST), none).part(none).mayTake()).isTrue();
    }

    @Test
    void shouldHaveAFreeChunkForTheOneThatWaitsLongest() {
        Facts last = waiting(Phase.TENDED, 1, 9);
        Facts first = waiting(Phase.TENDED, 1, 4);
        Facts second = waiting(Phase.OPENING, 2, 7);
        Facts none = index(Phase.TENDED, 6);
        ChunkDivision division = among(last, first, second, none); // two are free
        assertThat(division.part(first).before()).isZero();
        assertThat(division.part(second).before()).isEqualTo(1);
        assertThat(division.part(last).before()).isEqualTo(2);
        assertThat(division.part(none).before()).isEqualTo(3);
        assertThat(division.part(second).mayTake()).isTrue();
        assertThat(division.part(last).mayTake()).isFalse();
        assertThat(division.part(none).mayTake()).isFalse();
    }

    /** It waits for its fair share, while others are to come down to half of that. */
    @Test
    void shouldBeBehindAllIfItHasTheLeast() {
        Facts opened = waiting(Phase.REFUSED, 6, 8);
        Facts waits = waiting(Phase.TENDED, 3, 2);
        ChunkDivision division = among(opened, waits);
        assertThat(division.least()).isEqualTo(3);
        assertThat(division.waits(waits)).isTrue();
        assertThat(division.part(waits).before()).isEqualTo(2);
        assertThat(division.part(opened).before()).isZero();
    }

    @Test
    void shouldLetItTakeWhatIsReserved() {
        Facts reserved = new Facts(MOST, 8, 2, Phase.TENDED, 0);
        ChunkDivision division = among(reserved, waiting(Phase.TENDED, 4, 1));
        assertThat(division.part(reserved)).isEqualTo(new Part(1, -1, true, true, 8, 6));
    }
}
