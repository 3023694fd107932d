package io.persist.kafka.bench.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/**
 * Keys and values of the state, of the lengths that LittleHorse's protobuf messages have, with fields at fixed places:
 *
 * <pre>
 *   WORKFLOW/{id}                    start (8), task (4), filled up to 68 bytes
 *   TASK_RUN/{id}/{task}             start (8), filled up to 72 bytes; completed: start, completion (8), to 88, payload
 *   TIMER_OBJECT/{maturity ms}/{uuid}  86 bytes
 *   METRICS_WINDOW/{start ms}        six longs, see WorkflowWindow
 * </pre>
 */
final class WorkflowState {

    static final String WORKFLOW = "WORKFLOW/";
    static final String TASK_RUN = "TASK_RUN/";
    static final String TIMER = "TIMER_OBJECT/";
    static final String WINDOW = "METRICS_WINDOW/";

    /** Bytes of a completed task run in front of its payload. */
    static final int COMPLETED_LENGTH = 88;

    private static final int WORKFLOW_LENGTH = 68;
    private static final int STARTED_LENGTH = 72;
    private static final int TIMER_LENGTH = 86;

    private WorkflowState() {}

    static Bytes key(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    static Bytes workflowKey(String id) {
        return key(WORKFLOW + id);
    }

    static Bytes taskRunKey(String id, int task) {
        return key(TASK_RUN + id + "/" + task);
    }

    static Bytes timerKey(long maturityMs, UUID identity) {
        return key(TIMER + maturityMs + "/" + identity);
    }

    static Bytes windowKey(long startMs) {
        return key(WINDOW + startMs);
    }

    /** The ends of the range of the timers that are mature at {@code nowMs}. */
    static Bytes firstTimer() {
        return key(TIMER);
    }

    static Bytes lastTimer(long nowMs) {
        return key(TIMER + nowMs);
    }

    static byte[] workflow(long startMs, int task) {
        return ByteBuffer.allocate(WORKFLOW_LENGTH)
                .putLong(startMs)
                .putInt(task)
                .array();
    }

    static int taskOf(byte[] workflow) {
        return ByteBuffer.wrap(workflow).getInt(Long.BYTES);
    }

    static byte[] started(long startMs) {
        return ByteBuffer.allocate(STARTED_LENGTH).putLong(startMs).array();
    }

    static byte[] completed(long startMs, long completionMs, byte[] payload) {
        return ByteBuffer.allocate(COMPLETED_LENGTH + payload.length)
                .putLong(startMs)
                .putLong(completionMs)
                .position(COMPLETED_LENGTH)
                .put(payload)
                .array();
    }

    /** When a workflow or a task run was started. */
    static long startOf(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    static long completionOf(byte[] taskRun) {
        return ByteBuffer.wrap(taskRun).getLong(Long.BYTES);
    }

    static byte[] timer(long maturityMs) {
        return ByteBuffer.allocate(TIMER_LENGTH).putLong(maturityMs).array();
    }

    static long maturityOf(byte[] timer) {
        return ByteBuffer.wrap(timer).getLong();
    }
}
