package io.persist.tool.read;

import static io.persist.tool.read.DumpToolTest.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Run;
import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.ToolLog;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.WalkTool.Prompt;
import io.persist.tool.text.PayloadStyle;
import java.io.BufferedReader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log of 300 records, three in a commit. */
class WalkToolTest {

    private final CrashableStorage storage = new CrashableStorage();
    private final List<Long> positions = new ArrayList<>();

    @BeforeEach
    void write() {
        try (Log log = ToolLog.open(storage)) {
            for (int i = 1; i <= 300; i++) {
                log.append(new byte[40], 0, 40);
                positions.add(log.lastPosition());
                if (i % 3 == 0) {
                    log.commit(Durability.BUFFERED);
                }
            }
        }
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private Run walk(String... commands) {
        return walk(Prompt.NONE, commands);
    }

    private Run walk(Prompt prompt, String... commands) {
        BufferedReader input = new BufferedReader(new StringReader(String.join("\n", commands)));
        return ToolLog.run(storage, new WalkTool(input, prompt, RecordPrinter.json(PayloadStyle.NONE)));
    }

    private List<Long> sequences(String... commands) {
        Run run = walk(commands);
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        return ToolLog.sequences(run.out());
    }

    @Test
    void shouldWalkByEntry() {
        assertThat(sequences("n", "n 2", "", "s 5", "n")).containsExactly(1L, 2L, 3L, 9L);
        assertThat(sequences("n", "q", "n")).containsExactly(1L);
        assertThat(sequences("s 298", "n 2")).containsExactly(299L, 300L);
    }

    @Test
    void shouldWalkByCommit() {
        assertThat(sequences("t")).isEqualTo(numbers(1, 3));
        assertThat(sequences("n", "t", "t")).isEqualTo(numbers(1, 6));
        assertThat(sequences("t 2", "n", "t")).isEqualTo(numbers(1, 9));
        assertThat(sequences("t", "s 1", "n")).containsExactly(1L, 2L, 3L, 5L);
        assertThat(walk("t 0").out()).isEmpty();
    }

    @Test
    void shouldGoToAPlace() {
        assertThat(sequences("#299", "n", "g " + positions.get(149), "n", "#1", "n"))
                .containsExactly(299L, 150L, 1L);
        assertThat(sequences("t", "# 200", "n")).endsWith(200L);
    }

    @Test
    void shouldAnswerMistakesInOneLineAndGoOn() {
        Run run = walk("n", "x", "s", "n -1", "g 65", "#301000", "g 99999999", "#0", "n");
        assertThat(run.code()).isZero();
        assertThat(ToolLog.sequences(run.out())).containsExactly(1L, 2L);
        assertThat(run.err().lines()).hasSize(7).allMatch(line -> line.startsWith("persist: memory: "));
        assertThat(run.err())
                .contains("no such command: x; ? lists them", "no number: ''", "number=-1, min=0")
                .contains("no record begins here: position=65");
    }

    @Test
    void shouldStayBeforeTheRecordThatACommitEndedAt() {
        assertThat(walk("t", "g 65", "n").out()).contains("\"sequence\":4,");
        assertThat(walk("t", "i").out()).contains("next entry at position " + positions.get(3) + "\n");
    }

    @Test
    void shouldSayWhereItIsAndWhereTheLogEnds() {
        Run run = walk("i", "#300", "n 5", "n", "?");
        assertThat(run.out())
                .startsWith("memory: messages, its writer closed it\n  next entry at position 64\n"
                        + "  log from position 0 to " + (positions.get(299) + 64) + ", last record 300\n")
                .contains("\nend of the log at position " + (positions.get(299) + 64) + "\nend of the log at ")
                .contains("n [N]     print the next entry");
    }

    @Test
    void shouldSayWhatIsDamagedAndGoOnBehindIt() {
        ToolLog.damage(storage, positions.get(1));
        Run run = walk("n 3", "n", "#4", "#280", "n");
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out().lines()).hasSize(4);
        assertThat(run.out()).contains("position=" + positions.get(1)).contains("\"sequence\":280,");
    }

    @Test
    void shouldSeeWhatALiveWriterAppends() {
        try (Log log = ToolLog.open(storage)) {
            BufferedReader input = new BufferedReader(new StringReader("#300\nn\nn\nn\n")) {
                @Override
                public String readLine() throws java.io.IOException {
                    ToolLog.append(log, "meanwhile");
                    return super.readLine();
                }
            };
            Run run = ToolLog.run(storage, new WalkTool(input, Prompt.NONE, RecordPrinter.json(PayloadStyle.NONE)));
            assertThat(ToolLog.sequences(run.out())).isEqualTo(numbers(300, 302));
        }
    }

    @Test
    void shouldPromptOnlyWhoAsks() {
        assertThat(walk(Prompt.SHOW, "n", "q").out())
                .startsWith("> {\"position\":64,")
                .endsWith("}\n> ");
        assertThat(walk("q").out()).isEmpty();
    }
}
