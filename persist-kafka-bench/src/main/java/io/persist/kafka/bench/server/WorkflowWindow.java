package io.persist.kafka.bench.server;

import java.nio.ByteBuffer;

/**
 * LittleHorse's metrics of one window of time. Latencies in ms: how long a workflow has waited for the command.
 *
 * @param windowStart when it begins, ms since 1970
 */
record WorkflowWindow(
        long windowStart,
        long totalTaskStarts,
        long totalTaskStartLatency,
        long maxTaskStartLatency,
        long totalTaskCompletes,
        long totalTaskCompleteLatency,
        long maxTaskCompleteLatency) {

    private static final int LENGTH = 6 * Long.BYTES;

    /** {@code value} is null for one that is empty. */
    static WorkflowWindow decode(long windowStart, byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value == null ? new byte[LENGTH] : value);
        return new WorkflowWindow(
                windowStart,
                bytes.getLong(),
                bytes.getLong(),
                bytes.getLong(),
                bytes.getLong(),
                bytes.getLong(),
                bytes.getLong());
    }

    byte[] encode() {
        return ByteBuffer.allocate(LENGTH)
                .putLong(totalTaskStarts)
                .putLong(totalTaskStartLatency)
                .putLong(maxTaskStartLatency)
                .putLong(totalTaskCompletes)
                .putLong(totalTaskCompleteLatency)
                .putLong(maxTaskCompleteLatency)
                .array();
    }

    WorkflowWindow withStart(long latencyMs) {
        return new WorkflowWindow(
                windowStart,
                totalTaskStarts + 1,
                totalTaskStartLatency + latencyMs,
                Math.max(maxTaskStartLatency, latencyMs),
                totalTaskCompletes,
                totalTaskCompleteLatency,
                maxTaskCompleteLatency);
    }

    WorkflowWindow withCompletion(long latencyMs) {
        return new WorkflowWindow(
                windowStart,
                totalTaskStarts,
                totalTaskStartLatency,
                maxTaskStartLatency,
                totalTaskCompletes + 1,
                totalTaskCompleteLatency + latencyMs,
                Math.max(maxTaskCompleteLatency, latencyMs));
    }
}
