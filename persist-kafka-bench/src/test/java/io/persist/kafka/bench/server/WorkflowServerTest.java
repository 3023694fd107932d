package io.persist.kafka.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.kafka.bench.server.RunMeasures.Call;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The topology in Kafka's test driver, on each engine. */
class WorkflowServerTest {

    private static final RunSize SIZE = new RunSize(3, 50, 4);

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldReadAndWriteWhatLittleHorseDoes(EngineKind engine) {
        ServerSpec spec = spec(engine);
        RunMeasures measures = new RunMeasures(0);
        try (TopologyTestDriver driver =
                new TopologyTestDriver(WorkflowServer.topology(spec, measures), WorkflowServer.settings(spec))) {
            TestInputTopic<byte[], byte[]> input = driver.createInputTopic(
                    ServerSpec.inputOf("workflows"), new ByteArraySerializer(), new ByteArraySerializer());
            List<byte[]> commands = commands();
            assertThat(commands).hasSize((int) SIZE.commands());
            commands.forEach(command -> input.pipeInput(command));

            KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(WorkflowServer.STORE);
            assertThat(keys(store, WorkflowState.WORKFLOW)).isEqualTo(3);
            assertThat(keys(store, WorkflowState.TASK_RUN)).isEqualTo(12);
            assertThat(keys(store, WorkflowState.TIMER)).isEqualTo(12);
            RunResultJson before = measures.result();
            // To start a workflow: a put. A task run: six gets, one less for the first task, and six puts.
            assertThat(count(before, Call.PUT)).isEqualTo(3 + 6 * 12);
            assertThat(count(before, Call.GET)).isEqualTo(6 * 12 - 3);
            assertThat(before.commands()).isEqualTo(SIZE.commands());

            driver.advanceWallClockTime(Duration.ofDays(40_000));
            RunResultJson after = measures.result();
            assertThat(keys(store, WorkflowState.TIMER)).isZero();
            assertThat(count(after, Call.DELETE)).isEqualTo(12);
            assertThat(count(after, Call.RANGE)).isEqualTo(1 + count(before, Call.RANGE)); // before: our own
            assertThat(after.scans().deleted()).isEqualTo(12);
            assertThat(after.liveBytes()).isEqualTo(live(store));
            assertThat(after.storeNs()).isPositive().isLessThan(after.elapsedNs());
            assertThat(after.callNs().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isGreaterThanOrEqualTo(after.storeNs());
        }
    }

    @Test
    void shouldNotMeasureTheWarmUp() {
        int warmup = SIZE.workflows() + 2; // two tasks are started in it
        RunMeasures measures = new RunMeasures(warmup);
        try (TopologyTestDriver driver = new TopologyTestDriver(
                WorkflowServer.topology(spec(EngineKind.PERSIST), measures),
                WorkflowServer.settings(spec(EngineKind.PERSIST)))) {
            TestInputTopic<byte[], byte[]> input = driver.createInputTopic(
                    ServerSpec.inputOf("workflows"), new ByteArraySerializer(), new ByteArraySerializer());
            List<byte[]> commands = commands();
            commands.subList(0, warmup).forEach(input::pipeInput);
            driver.advanceWallClockTime(Duration.ofDays(40_000));
            RunResultJson before = measures.result();
            assertThat(before.commands()).isZero();
            assertThat(before.perSecond()).isZero();
            assertThat(measures.commands()).isEqualTo(warmup);

            commands.subList(warmup, commands.size()).forEach(input::pipeInput);
            RunResultJson after = measures.result();
            assertThat(after.commands()).isEqualTo(SIZE.commands() - warmup);
            assertThat(count(after, Call.PUT)).isEqualTo(6 * 12 - 2 * 4);
            assertThat(count(after, Call.DELETE)).isZero();
            assertThat(after.scans().count()).isZero();
            assertThat(after.storeNs()).isPositive().isLessThan(after.elapsedNs());
        }
    }

    private ServerSpec spec(EngineKind engine) {
        return new ServerSpec(
                "localhost:1",
                "workflows",
                engine,
                directory.toString(),
                0,
                1000,
                0,
                0,
                86_400_000,
                "at_least_once",
                Map.of());
    }

    private static List<byte[]> commands() {
        List<byte[]> commands = new ArrayList<>();
        WorkflowCommand.forEach(SIZE, 1, command -> commands.add(command.encode()));
        return commands;
    }

    private static long count(RunResultJson result, Call call) {
        Histogram histogram = result.histograms().get(call);
        return histogram.getTotalCount();
    }

    private static int keys(KeyValueStore<Bytes, byte[]> store, String prefix) {
        int keys = 0;
        try (KeyValueIterator<Bytes, byte[]> all =
                store.range(WorkflowState.key(prefix), WorkflowState.key(prefix + "~"))) {
            while (all.hasNext()) {
                all.next();
                keys++;
            }
        }
        return keys;
    }

    /** Keys and values, without the windows of the metrics. */
    private static long live(KeyValueStore<Bytes, byte[]> store) {
        long bytes = 0;
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> next = all.next();
                if (!new String(next.key.get(), StandardCharsets.US_ASCII).startsWith(WorkflowState.WINDOW)) {
                    bytes += next.key.get().length + next.value.length;
                }
            }
        }
        return bytes;
    }
}
