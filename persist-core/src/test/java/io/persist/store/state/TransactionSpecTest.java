package io.persist.store.state;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.TransactionLayout;
import io.persist.store.OldValues;
import io.persist.store.staged.StagedChanges;
import io.persist.support.Docs;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** docs/file-format.md shows the bytes of a transaction as the code writes them. */
class TransactionSpecTest {

    @Test
    void shouldShowTheBytesThatTheCodeWrites() {
        StagedChanges changes = new StagedChanges(1000, OldValues.RECORD);
        changes.clear();
        put(changes, "task/1", "hello");
        changes.remove("task/2".getBytes(US_ASCII));
        put(changes, "task/1", "");
        changes.seal(TransactionLayout.TYPE_CHANGES);
        assertThat(Docs.block("docs/file-format.md", "transaction-example")).isEqualTo(hex(changes));
    }

    private static void put(StagedChanges changes, String key, String value) {
        changes.put(key.getBytes(US_ASCII), value.getBytes(US_ASCII), 0, value.length());
    }

    private static List<String> hex(StagedChanges changes) {
        HexFormat spaced = HexFormat.ofDelimiter(" ");
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < changes.length(); from += 16) {
            int to = Math.min(changes.length(), from + 16);
            lines.add(String.format(Locale.ROOT, "%04x  ", from) + spaced.formatHex(changes.array(), from, to));
        }
        return lines;
    }
}
