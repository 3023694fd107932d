package io.persist.kafka;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.Sensor.RecordingLevel;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.StateStoreContext;

/**
 * The gauges of a store beside Kafka's own, in the same group with the same tags, until they are closed: {@code
 * index-memory-bytes}, which its index has, and {@code index-memory-ratio}, the part of what there is for them that the
 * indexes of all stores of the process have.
 *
 * <p><b>Threads:</b> any.
 */
final class IndexGauges implements AutoCloseable {

    private static final String GROUP = "stream-state-metrics";

    private final StreamsMetrics metrics;
    private final Sensor sensor;

    IndexGauges(String name, StateStoreContext context, OpenStore store) {
        metrics = context.metrics();
        String task = context.taskId().toString();
        sensor = metrics.addSensor("persist." + task + "." + name + ".index", RecordingLevel.INFO);
        Map<String, String> tags =
                Map.of("thread-id", Thread.currentThread().getName(), "task-id", task, "persist-state-id", name);
        try {
            addTo(store, tags);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void addTo(OpenStore store, Map<String, String> tags) {
        add(
                "index-memory-bytes",
                "Direct memory of the index of the store, in bytes",
                tags,
                memory -> memory.bytesOf(store));
        add(
                "index-memory-ratio",
                "Part of the direct memory for them that the indexes of all stores of the process have",
                tags,
                IndexMemory::ratio);
    }

    private void add(String name, String description, Map<String, String> tags, ToDoubleFunction<IndexMemory> value) {
        sensor.add(new MetricName(name, GROUP, description, tags), new Gauge(value));
    }

    /** Asked for, and never recorded. */
    private record Gauge(ToDoubleFunction<IndexMemory> value) implements MeasurableStat {

        @Override
        public void record(MetricConfig config, double recorded, long timeMs) {}

        @Override
        public double measure(MetricConfig config, long nowMs) {
            return value.applyAsDouble(IndexMemory.OF_PROCESS);
        }
    }

    @Override
    public void close() {
        metrics.removeSensor(sensor);
    }
}
