package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.store.checkpoint.CheckpointTable.Decision;
import io.persist.store.checkpoint.CheckpointTable.Facts;
import io.persist.store.checkpoint.CheckpointTable.Fit;
import io.persist.store.checkpoint.CheckpointTable.Row;
import io.persist.support.Docs;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CheckpointTableTest {

    static Stream<Facts> everyCombination() {
        return IntStream.range(0, 64)
                .mapToObj(bits -> new Facts(
                        (bits & 1) != 0,
                        (bits & 2) != 0,
                        (bits & 4) != 0,
                        (bits & 8) != 0,
                        (bits & 16) != 0,
                        (bits & 32) != 0));
    }

    @ParameterizedTest
    @MethodSource("everyCombination")
    void shouldMatchExactlyOneRow(Facts facts) {
        List<Row> rows = CheckpointTable.rows().stream()
                .filter(row -> row.matches(facts))
                .toList();
        assertThat(rows).hasSize(1);
        assertThat(CheckpointTable.lookUp(facts)).isSameAs(rows.get(0));
    }

    @ParameterizedTest
    @MethodSource("everyCombination")
    void shouldUseOnlyWhatNothingIsKnownAgainst(Facts facts) {
        boolean isUsed = CheckpointTable.lookUp(facts).decision() == Decision.USE;
        assertThat(isUsed).isEqualTo(facts.equals(new Facts(false, false, false, false, false, false)));
    }

    /** Of these, people have to know: another store would lose its checkpoints, or a newer version's be set aside. */
    @ParameterizedTest
    @MethodSource("everyCombination")
    void shouldNeverSkipWhatIsNotThisStoresOrVersions(Facts facts) {
        Decision decision = CheckpointTable.lookUp(facts).decision();
        assertThat(decision == Decision.REFUSE || !(facts.newer() || facts.other()))
                .isTrue();
    }

    @Test
    void shouldUseEveryRowAndEachFitOnce() {
        Set<Row> used = new HashSet<>();
        everyCombination().forEach(facts -> used.add(CheckpointTable.lookUp(facts)));
        assertThat(used).containsExactlyInAnyOrderElementsOf(CheckpointTable.rows());
        assertThat(CheckpointTable.rows()).extracting(Row::fit).containsExactlyInAnyOrder(Fit.values());
        assertThat(CheckpointTable.rows()).extracting(Row::label).doesNotHaveDuplicates();
    }

    @Test
    void shouldBePrintedInTheDocumentation() {
        List<String> printed = Docs.table("docs/durability.md", "CheckpointTable").stream()
                .map(row -> String.join(" | ", row))
                .toList();
        assertThat(printed)
                .isEqualTo(CheckpointTable.rows().stream().map(Row::toString).toList());
    }
}
