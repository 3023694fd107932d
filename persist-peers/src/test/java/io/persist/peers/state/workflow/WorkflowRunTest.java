package io.persist.peers.state.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.beust.jcommander.ParameterException;
import io.persist.log.Durability;
import io.persist.peers.state.SortedMapEngine;
import io.persist.peers.state.StateEngine;
import io.persist.peers.state.StateEngineConfig;
import io.persist.peers.state.StateEngineKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The workload leaves the same in every engine as in a sorted map, and the check finds what is wrong. */
class WorkflowRunTest {

    private static final WorkflowSize SIZE = new WorkflowSize(7, 40, 30);
    private static final int LONGEST = WorkflowValues.COMPLETED_LENGTH + 40;

    @TempDir
    Path directory;

    private static WorkflowPlan plan(int commitEvery, TimerPunctuator.Pace pace) {
        return new WorkflowPlan(SIZE, 0, commitEvery, pace, 10);
    }

    private static List<String> content(StateEngine engine) {
        List<String> content = new ArrayList<>();
        engine.scan(
                new byte[] {0},
                Integer.MAX_VALUE,
                LONGEST,
                (key, keyLength, value, valueLength) ->
                        content.add(new String(key, 0, keyLength, StandardCharsets.ISO_8859_1)
                                + "="
                                + new String(value, 0, valueLength, StandardCharsets.ISO_8859_1)));
        return content;
    }

    private static long run(StateEngine engine, WorkflowPlan plan) {
        WorkflowRun run = new WorkflowRun(engine, plan);
        run.run(done -> {});
        return run.deletedTimers();
    }

    @ParameterizedTest
    @CsvSource({
        "STORE, 1, ALL_AT_ONCE",
        "STORE, 5, STEP_BY_STEP",
        "STORE, 100, ALL_AT_ONCE",
        "STORE, 100, OPEN_SCAN",
        "ROCKSDB, 1, STEP_BY_STEP",
        "ROCKSDB, 5, ALL_AT_ONCE",
        "ROCKSDB, 100, STEP_BY_STEP",
        "ROCKSDB, 100, OPEN_SCAN"
    })
    void shouldLeaveTheSameInEveryEngine(StateEngineKind kind, int commitEvery, TimerPunctuator.Pace pace)
            throws IOException {
        SortedMapEngine model = new SortedMapEngine();
        long modelDeleted = run(model, plan(1, TimerPunctuator.Pace.ALL_AT_ONCE));

        StateEngineConfig config = StateEngineConfig.of(directory, Durability.BUFFERED);
        long deleted;
        try (StateEngine engine = kind.open(config)) {
            deleted = run(engine, plan(commitEvery, pace));
        }
        try (StateEngine engine = kind.open(config)) {
            assertThat(content(engine)).isEqualTo(content(model));
            long live = new WorkflowCheck(plan(commitEvery, pace)).run(engine, deleted);
            assertThat(live)
                    .isEqualTo(content(model).stream()
                            .mapToLong(entry -> entry.length() - 1)
                            .sum());
        }
        assertThat(deleted).isEqualTo(modelDeleted);
    }

    /** 40 s of 70 s have gone when timers are deleted, and a timer matures after 10 s. */
    @Test
    void shouldDeleteTheTimersThatHaveMatured() {
        SortedMapEngine engine = new SortedMapEngine();
        long deleted = run(engine, plan(1, TimerPunctuator.Pace.ALL_AT_ONCE));

        assertThat((double) deleted / SIZE.taskRuns()).isBetween(0.40, 0.46);
        long left = content(engine).stream()
                .filter(entry -> entry.startsWith(WorkflowKeys.TIMER))
                .count();
        assertThat(left).isEqualTo(SIZE.taskRuns() - deleted);
    }

    @Test
    void shouldDeleteTimersInsideTheOpenScan() {
        SortedMapEngine engine = new SortedMapEngine();
        long deleted = run(engine, plan(1, TimerPunctuator.Pace.OPEN_SCAN));

        assertThat(deleted).isPositive();
        assertThat(engine.deletesInScans()).isEqualTo(deleted);
    }

    /** The sizes of LittleHorse's keys and values, and its operations for each command. */
    @Test
    void shouldDoWhatTheBenchmarkDoes() {
        SortedMapEngine engine = new SortedMapEngine();
        run(engine, plan(1, TimerPunctuator.Pace.ALL_AT_ONCE));

        long deleted = engine.deletes();
        assertThat(engine.puts()).isEqualTo(SIZE.workflows() + 6 * SIZE.taskRuns());
        assertThat(engine.gets()).isEqualTo(6 * SIZE.taskRuns() - SIZE.workflows() + deleted);
        assertThat(content(engine))
                .extracting(String::length)
                .containsOnly(49 + 1 + 68, 53 + 1 + 88 + 40, 63 + 1 + 86, 28 + 1 + 28);
    }

    @Test
    void shouldNotPassTheCheckIfAValueIsWrong() {
        SortedMapEngine engine = new SortedMapEngine();
        WorkflowPlan plan = plan(1, TimerPunctuator.Pace.ALL_AT_ONCE);
        long deleted = run(engine, plan);
        byte[] key = new WorkflowKeys(SIZE).taskRun(3, 17);
        byte[] value = new byte[LONGEST];
        engine.get(key, value);
        value[LONGEST - 1]++;
        engine.put(key, value);
        engine.commit();

        assertThatThrownBy(() -> new WorkflowCheck(plan).run(engine, deleted))
                .hasMessageContaining("TASK_RUN/")
                .hasMessageContaining("-003/017: it has another value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"METRICS_WINDOW/", "TASK_RUN/", "TIMER_OBJECT/", "WORKFLOW/"})
    void shouldNotPassTheCheckIfAKeyIsMissing(String prefix) {
        SortedMapEngine engine = new SortedMapEngine();
        WorkflowPlan plan = plan(1, TimerPunctuator.Pace.ALL_AT_ONCE);
        long deleted = run(engine, plan);
        String first = content(engine).stream()
                .filter(entry -> entry.startsWith(prefix))
                .findFirst()
                .orElseThrow();
        engine.delete(WorkflowKeys.key(first.substring(0, first.indexOf('='))));
        engine.commit();

        assertThatThrownBy(() -> new WorkflowCheck(plan).run(engine, deleted)).hasMessageContaining("expected=");
    }

    @Test
    void shouldNotPassTheCheckIfAMaturedTimerIsLeft() {
        SortedMapEngine engine = new SortedMapEngine();
        WorkflowPlan plan = plan(1, TimerPunctuator.Pace.ALL_AT_ONCE);
        long deleted = run(engine, plan);
        byte[] key = new WorkflowKeys(SIZE).timer(WorkflowPlan.START_MS + 20_000, 1, 2);
        engine.put(key, new byte[WorkflowValues.TIMER_LENGTH]);
        engine.commit();

        assertThatThrownBy(() -> new WorkflowCheck(plan).run(engine, deleted)).hasMessageContaining("it has matured");
    }

    @Test
    void shouldReadASize() {
        assertThat(new WorkflowSize.Converter().convert("1000x2000x100"))
                .isEqualTo(new WorkflowSize(1000, 2000, 100))
                .hasToString("1000x2000x100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1000", "1000x2000", "0x10x10", "10x-1x10", "10x10x0", "10x10x10x10", "axbxc"})
    void shouldSayWhatIsWrongWithASize(String text) {
        assertThatThrownBy(() -> new WorkflowSize.Converter().convert(text))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--workflow " + text + " is not a size; give workflows (1 to 1000000)");
    }
}
