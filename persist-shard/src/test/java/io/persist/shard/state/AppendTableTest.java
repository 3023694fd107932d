package io.persist.shard.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.state.AppendTable.Decision;
import io.persist.shard.state.AppendTable.Facts;
import io.persist.shard.state.AppendTable.Row;
import io.persist.support.Docs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppendTableTest {

    private static List<Facts> allFacts() {
        List<Facts> all = new ArrayList<>();
        for (int bits = 0; bits < 128; bits++) {
            all.add(new Facts(
                    (bits & 1) != 0,
                    (bits & 2) != 0,
                    (bits & 4) != 0,
                    (bits & 8) != 0,
                    (bits & 16) != 0,
                    (bits & 32) != 0,
                    (bits & 64) != 0));
        }
        return all;
    }

    @Test
    void shouldHaveOneRowForEachCase() {
        for (Facts facts : allFacts()) {
            assertThat(AppendTable.rows().stream().filter(row -> row.matches(facts)))
                    .as(facts.toString())
                    .containsExactly(AppendTable.lookUp(facts));
        }
        for (Row row : AppendTable.rows()) {
            assertThat(allFacts().stream().filter(row::matches)).as(row.label()).isNotEmpty();
        }
    }

    /** Said in another way than by the table. */
    @Test
    void shouldAppendOnlyWhatIsSafe() {
        for (Facts facts : allFacts()) {
            Decision decision = AppendTable.lookUp(facts).decision();
            assertThat(decision == Decision.ALREADY)
                    .isEqualTo(facts.bounded()
                            && facts.placed()
                            && facts.registered()
                            && facts.repeated()
                            && facts.same());
            assertThat(decision == Decision.APPEND)
                    .isEqualTo(facts.bounded()
                            && facts.placed()
                            && facts.registered()
                            && !facts.repeated()
                            && facts.atUpper()
                            && facts.owned());
        }
    }

    @Test
    void shouldBePrintedInTheDocuments() {
        List<String> printed = Docs.table("docs/shards.md", "AppendTable").stream()
                .map(row -> String.join(" | ", row))
                .toList();
        assertThat(printed)
                .containsExactlyElementsOf(
                        AppendTable.rows().stream().map(Row::toString).toList());
    }
}
