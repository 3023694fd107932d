package io.persist.kafka.bench.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * The application: LittleHorse's workflow engine on one store with a changelog, and one stream thread.
 *
 * <p><b>Threads:</b> any.
 */
public final class WorkflowServer implements AutoCloseable {

    static final String STORE = "core";
    private static final String INPUT = "commands";
    private static final String GROUP = "stream-state-metrics";

    private final RunMeasures measures;
    private final RestoreTimes restored = new RestoreTimes();
    private final CountDownLatch running = new CountDownLatch(1);
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private final KafkaStreams streams;

    public WorkflowServer(ServerSpec spec) {
        measures = new RunMeasures(spec.warmup());
        streams = new KafkaStreams(topology(spec, measures), settings(spec));
        streams.setGlobalStateRestoreListener(restored);
        streams.setStateListener((now, before) -> {
            if (now == State.RUNNING || now == State.ERROR) {
                running.countDown();
            }
        });
        streams.setUncaughtExceptionHandler(failed -> {
            Throwable cause = failed;
            while (cause.getCause() != null && cause.getMessage() == null) {
                cause = cause.getCause();
            }
            failure.compareAndSet("", String.valueOf(cause.getMessage()).replace('\n', ' '));
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    }

    /** One source, one processor and one store, whose calls are timed. */
    static Topology topology(ServerSpec spec, RunMeasures measures) {
        Topology topology = new Topology();
        topology.addSource(
                        INPUT,
                        Serdes.ByteArray().deserializer(),
                        Serdes.ByteArray().deserializer(),
                        ServerSpec.inputOf(spec.application()))
                .addProcessor("workflows", () -> new WorkflowProcessor(spec, measures), INPUT)
                .addStateStore(
                        Stores.keyValueStoreBuilder(
                                new TimedStore.Supplier(spec.engine().supplier(STORE), measures),
                                Serdes.Bytes(),
                                Serdes.ByteArray()),
                        "workflows");
        return topology;
    }

    static Properties settings(ServerSpec spec) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, spec.application());
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, spec.bootstrap());
        settings.put(StreamsConfig.STATE_DIR_CONFIG, spec.directory());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, spec.guarantee());
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        settings.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        // A killed instance that comes back takes its own place, and need not wait until it is missed.
        settings.put(StreamsConfig.mainConsumerPrefix("group.instance.id"), spec.application());
        settings.putAll(spec.settings());
        return settings;
    }

    /** What Kafka's listener is told. */
    private static final class RestoreTimes implements StateRestoreListener {

        private final AtomicLong startNs = new AtomicLong();
        private final AtomicLong elapsedNs = new AtomicLong();
        private final AtomicLong records = new AtomicLong();

        @Override
        public void onRestoreStart(TopicPartition partition, String store, long from, long to) {
            startNs.set(System.nanoTime());
        }

        @Override
        public void onBatchRestored(TopicPartition partition, String store, long end, long count) {}

        @Override
        public void onRestoreEnd(TopicPartition partition, String store, long count) {
            elapsedNs.set(System.nanoTime() - startNs.get());
            records.set(count);
        }
    }

    /** How it is. All but the failure are numbers by now. */
    public record Status(boolean isRunning, long commands, long restoredRecords, long restoredNs, String failure) {}

    /** Returns at once. */
    public void start() {
        streams.start();
    }

    /** Waits until it executes commands, or has failed. */
    public void awaitRunning() throws InterruptedException {
        running.await();
    }

    public Status status() {
        return new Status(
                streams.state() == State.RUNNING,
                measures.commands(),
                restored.records.get(),
                restored.elapsedNs.get(),
                streams.state() == State.ERROR && failure.get().isEmpty() ? "Kafka Streams has failed" : failure.get());
    }

    RunResultJson result() {
        return measures.result();
    }

    /** The newest windows of LittleHorse's metrics, at most {@code count}, in their order. */
    Map<String, List<WorkflowWindow>> windows(int count) {
        List<WorkflowWindow> windows = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> all =
                store().range(WorkflowState.key(WorkflowState.WINDOW), WorkflowState.key(WorkflowState.WINDOW + "~"))) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> next = all.next();
                long startMs = Long.parseLong(text(next.key).substring(WorkflowState.WINDOW.length()));
                windows.add(WorkflowWindow.decode(startMs, next.value));
            }
        }
        int from = count == 0 ? 0 : Math.max(0, windows.size() - count);
        return Map.of("metrics", windows.subList(from, windows.size()));
    }

    private static String text(Bytes key) {
        return new String(key.get(), StandardCharsets.US_ASCII);
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> store() {
        return streams.store(StoreQueryParameters.fromNameAndType(STORE, QueryableStoreTypes.keyValueStore()));
    }

    /** Kafka's metrics of the store, by name; those that are no number now are left out. */
    Map<String, Double> storeMetrics() {
        Map<String, Double> metrics = new TreeMap<>();
        streams.metrics().forEach((name, metric) -> {
            if (name.group().equals(GROUP)
                    && metric.metricValue() instanceof Number number
                    && Double.isFinite(number.doubleValue())) {
                metrics.put(nameOf(name), number.doubleValue());
            }
        });
        return metrics;
    }

    private static String nameOf(MetricName name) {
        String task = name.tags().getOrDefault("task-id", "");
        return task.isEmpty() ? name.name() : name.name() + " " + task;
    }

    /**
     * What every engine has to have after the same commands, whenever they were executed: how many workflows and task
     * runs there are, and a checksum of their keys, tasks and payloads.
     */
    Map<String, Long> digest() {
        CRC32 sum = new CRC32();
        long workflows = 0;
        long taskRuns = 0;
        try (KeyValueIterator<Bytes, byte[]> all = store().all()) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> next = all.next();
                String key = text(next.key);
                if (key.startsWith(WorkflowState.WORKFLOW)) {
                    workflows++;
                    sum.update(next.key.get());
                    sum.update(WorkflowState.taskOf(next.value));
                } else if (key.startsWith(WorkflowState.TASK_RUN)) {
                    taskRuns++;
                    sum.update(next.key.get());
                    int from = Math.min(next.value.length, WorkflowState.COMPLETED_LENGTH);
                    sum.update(next.value, from, next.value.length - from);
                }
            }
        }
        Map<String, Long> digest = new LinkedHashMap<>();
        digest.put("workflows", workflows);
        digest.put("taskRuns", taskRuns);
        digest.put("checksum", sum.getValue());
        return digest;
    }

    @Override
    public void close() {
        streams.close();
    }
}
