package io.persist.kafka.bench.server;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What the workflow engine is told, a record of the input topic.
 *
 * @param kind what to do
 * @param run which launch of tests it belongs to: each has workflows of its own
 * @param workflow the number of the workflow
 * @param task the number of the task
 * @param payload of a completed task, else empty
 */
public record WorkflowCommand(Kind kind, long run, int workflow, int task, byte[] payload) {

    private static final int HEADER_LENGTH = 1 + Long.BYTES + 2 * Integer.BYTES;
    private static final byte[] NO_PAYLOAD = {};

    enum Kind {
        START_WORKFLOW,
        START_TASK,
        COMPLETE_TASK
    }

    /** All commands of a launch, in LittleHorse's order: every workflow is touched once in each pass. */
    public static void forEach(RunSize size, long run, Consumer<WorkflowCommand> target) {
        for (int i = 0; i < size.workflows(); i++) {
            target.accept(new WorkflowCommand(Kind.START_WORKFLOW, run, i, 0, NO_PAYLOAD));
        }
        SplittableRandom random = new SplittableRandom(run);
        for (int task = 0; task < size.tasks(); task++) {
            for (int i = 0; i < size.workflows(); i++) {
                target.accept(new WorkflowCommand(Kind.START_TASK, run, i, task, NO_PAYLOAD));
            }
            for (int i = 0; i < size.workflows(); i++) {
                byte[] payload = new byte[size.payload()];
                random.nextBytes(payload);
                target.accept(new WorkflowCommand(Kind.COMPLETE_TASK, run, i, task, payload));
            }
        }
    }

    public byte[] encode() {
        return ByteBuffer.allocate(HEADER_LENGTH + payload.length)
                .put((byte) kind.ordinal())
                .putLong(run)
                .putInt(workflow)
                .putInt(task)
                .put(payload)
                .array();
    }

    static WorkflowCommand decode(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded);
        Kind kind = Kind.values()[bytes.get()];
        long run = bytes.getLong();
        int workflow = bytes.getInt();
        int task = bytes.getInt();
        byte[] payload = new byte[bytes.remaining()];
        bytes.get(payload);
        return new WorkflowCommand(kind, run, workflow, task, payload);
    }

    /** The identity of the workflow, as LittleHorse has it: that of the run, and its number. */
    String workflowId() {
        return new UUID(0x6C69_7474_6C65_4000L ^ run, 0x8000_686F_7273_6500L) + "-" + workflow;
    }
}
