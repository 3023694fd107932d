package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Main;
import io.persist.command.ManualContract;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualTest extends ManualContract {

    @Override
    protected List<String> names() {
        return List.of("compare-peers", "compare-rocksdb", "workflow");
    }

    /** As bin/persist runs man and completion. */
    @Test
    void shouldBeOnTheManualPageAndInTheCompletion() {
        assertThat(printed("man"))
                .contains("\n.SH COMPARE\\-PEERS\n", "\n.B chronicle\n", "sustained\\-max\\-gb", "\n.SH WORKFLOW\n");
        assertThat(printed("completion", "bash")).containsPattern("\n +compare-rocksdb\\) words=\"--parts --engines ");
    }

    private static String printed(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream streams = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertThat(Main.run(args, streams, streams)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }
}
