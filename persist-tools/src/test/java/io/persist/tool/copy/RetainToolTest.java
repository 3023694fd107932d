package io.persist.tool.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Run;
import io.persist.log.RetentionRule;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.ToolLog;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetainToolTest {

    private final CrashableStorage storage = new CrashableStorage();

    private Run retain(RetentionRule rule, Effect effect) {
        return ToolLog.run(storage, new RetainTool(rule, effect));
    }

    @Test
    void shouldDeleteWhatTheDryRunNames() {
        ToolLog.closed(storage, 300);
        Map<String, Long> before = ToolLog.hashes(storage);
        Run plan = retain(RetentionRule.keepBytes(5000), Effect.DRY_RUN);
        assertThat(plan.out()).startsWith("memory: would delete ").contains("00000000000000000000.log");
        assertThat(ToolLog.hashes(storage)).isEqualTo(before);
        Run applied = retain(RetentionRule.keepBytes(5000), Effect.APPLY);
        assertThat(applied.out()).isEqualTo(plan.out().replace("would delete", "deleted"));
        assertThat(storage.list()).doesNotContain("00000000000000000000.log");
        try (Log log = ToolLog.open(storage)) {
            assertThat(log.lastSequence()).isEqualTo(300);
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldPlanOnALiveLogAndNotDelete() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 300);
            assertThat(retain(RetentionRule.below(4096), Effect.DRY_RUN).out())
                    .contains("would delete 1 segment, 4096 bytes");
            Run run = retain(RetentionRule.below(4096), Effect.APPLY);
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err()).contains("log is open for writing").hasLineCount(1);
        }
    }
}
