package io.persist.tool.read;

import static io.persist.tool.read.DumpToolTest.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.command.Run;
import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ToolLog;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.SkipAndLimit;
import io.persist.tool.text.PayloadStyle;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log of 30 records, three in a commit. */
class SkipAndLimitTest {

    private static final long MAX = Long.MAX_VALUE;

    private final CrashableStorage storage = new CrashableStorage();

    @BeforeEach
    void write() {
        try (Log log = ToolLog.open(storage)) {
            for (int i = 1; i <= 30; i++) {
                log.append(new byte[i], 0, i);
                if (i % 3 == 0) {
                    log.commit(Durability.BUFFERED);
                }
            }
        }
    }

    private List<Long> selected(RecordRange range, SkipAndLimit skipAndLimit) {
        Run run = ToolLog.run(storage, new DumpTool(range, skipAndLimit, RecordPrinter.json(PayloadStyle.NONE)));
        assertThat(run.code()).isZero();
        return ToolLog.sequences(run.out());
    }

    @Test
    void shouldSkipRecords() {
        assertThat(selected(RecordRange.ALL, new SkipAndLimit(7, 0, MAX))).isEqualTo(numbers(8, 30));
        assertThat(selected(RecordRange.ALL, new SkipAndLimit(30, 0, MAX))).isEmpty();
        assertThat(selected(new RecordRange(0, MAX, 11, MAX, 2), new SkipAndLimit(3, 0, MAX)))
                .isEqualTo(numbers(14, 15));
    }

    @Test
    void shouldSkipAndLimitCommits() {
        assertThat(selected(RecordRange.ALL, new SkipAndLimit(0, 2, 1))).isEqualTo(numbers(7, 9));
        assertThat(selected(RecordRange.ALL, new SkipAndLimit(1, 2, 2))).isEqualTo(numbers(8, 12));
        assertThat(selected(RecordRange.ALL, new SkipAndLimit(0, 9, MAX))).isEqualTo(numbers(28, 30));
        assertThat(selected(RecordRange.ALL, new SkipAndLimit(0, 10, MAX))).isEmpty();
        assertThat(selected(RecordRange.ALL, new SkipAndLimit(0, 0, 0))).isEmpty();
    }

    @Test
    void shouldCountTheRestOfACommitAsOne() {
        RecordRange fromTheMiddle = new RecordRange(0, MAX, 5, MAX, MAX);
        assertThat(selected(fromTheMiddle, new SkipAndLimit(0, 0, 2))).isEqualTo(numbers(5, 9));
        assertThat(selected(fromTheMiddle, new SkipAndLimit(0, 1, 1))).isEqualTo(numbers(7, 9));
    }

    @Test
    void shouldCountWhatIsWanted() {
        Run run = ToolLog.run(
                storage,
                new DumpTool(RecordRange.ALL, new SkipAndLimit(1, 1, 2), RecordPrinter.html(PayloadStyle.NONE)));
        assertThat(run.out()).contains("5 records in 2 commits, 35 bytes of payload"); // 5 to 9
    }

    @Test
    void shouldRefuseNegativeNumbers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SkipAndLimit(-1, 0, 0))
                .withMessage("skip=-1, min=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SkipAndLimit(0, -2, 0))
                .withMessage("skipCommits=-2, min=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SkipAndLimit(0, 0, -3))
                .withMessage("limitCommits=-3, min=0");
    }
}
