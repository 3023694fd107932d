package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.RecoveryTable.Facts;
import io.persist.log.recovery.RecoveryTable.Row;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecoveryTableTest {

    static Stream<Facts> everyCombination() {
        return IntStream.range(0, 32)
                .mapToObj(bits -> new Facts(
                        (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0));
    }

    @ParameterizedTest
    @MethodSource("everyCombination")
    void shouldMatchExactlyOneRow(Facts facts) {
        List<Row> rows =
                RecoveryTable.rows().stream().filter(row -> row.matches(facts)).toList();
        assertThat(rows).hasSize(1);
        assertThat(RecoveryTable.lookUp(facts)).isSameAs(rows.get(0));
    }

    @ParameterizedTest
    @MethodSource("everyCombination")
    void shouldNeverCutWhatWasAcknowledged(Facts facts) {
        Decision decision = RecoveryTable.lookUp(facts).decision();
        assertThat(decision == Decision.CORRUPT).isEqualTo(facts.acknowledged());
    }

    @ParameterizedTest
    @MethodSource("everyCombination")
    void shouldLeaveNothingBehindTheEnd(Facts facts) {
        if (RecoveryTable.lookUp(facts).decision() == Decision.END) {
            assertThat(facts.empty() && facts.clear() && !facts.later()).isTrue();
        }
    }

    @Test
    void shouldUseEveryRow() {
        Set<Row> used = new HashSet<>();
        everyCombination().forEach(facts -> used.add(RecoveryTable.lookUp(facts)));
        assertThat(used).containsExactlyInAnyOrderElementsOf(RecoveryTable.rows());
    }

    @Test
    void shouldPrintARowAsTheDocumentationDoes() {
        assertThat(RecoveryTable.rows().get(0)).hasToString("A | ON | ANY | ON | OFF | OFF | END | the log ends here");
        assertThat(RecoveryTable.rows()).extracting(Row::label).doesNotHaveDuplicates();
    }
}
