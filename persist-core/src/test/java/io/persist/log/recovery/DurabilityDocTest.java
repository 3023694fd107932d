package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurabilityDocTest {

    @Test
    void shouldPrintTheRecoveryTableOfTheCode() {
        List<String> printed = Docs.table("docs/durability.md", "RecoveryTable").stream()
                .map(row -> String.join(" | ", row))
                .toList();
        assertThat(printed)
                .isEqualTo(RecoveryTable.rows().stream()
                        .map(RecoveryTable.Row::toString)
                        .toList());
    }
}
