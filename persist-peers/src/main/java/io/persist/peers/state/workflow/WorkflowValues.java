package io.persist.peers.state.workflow;

import io.persist.peers.state.StateData;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The values of the workflow workload: fields at fixed places, so that hardly any time goes into them, and as long as
 * the protobuf messages of LittleHorse's benchmark. Each kind of value has an array of its own, which the next value of
 * this kind overwrites.
 *
 * <p><b>Threads:</b> one.
 */
final class WorkflowValues {

    static final int WORKFLOW_LENGTH = 68;
    static final int STARTED_LENGTH = 72;
    static final int COMPLETED_LENGTH = 88;
    static final int TIMER_LENGTH = 86;
    static final int WINDOW_LENGTH = 28;

    /** Of a workflow and of a task run: the workflow's id. */
    private static final int ID_LENGTH = 44;

    private static final int WORKFLOW_LAUNCH = ID_LENGTH;
    private static final int WORKFLOW_START = WORKFLOW_LAUNCH + Long.BYTES;
    private static final int WORKFLOW_TASK = WORKFLOW_START + Long.BYTES;

    private static final int RUN_NUMBER = ID_LENGTH;
    private static final int RUN_LAUNCH = RUN_NUMBER + Integer.BYTES;
    private static final int RUN_START = RUN_LAUNCH + Long.BYTES;
    private static final int RUN_COMPLETION = RUN_START + Long.BYTES;
    private static final int RUN_PAYLOAD_LENGTH = RUN_COMPLETION + Long.BYTES;

    private static final int TIMER_PAYLOAD = WorkflowKeys.UUID_LENGTH;
    private static final int TIMER_MATURITY = TIMER_PAYLOAD + 32;

    /** Of a window: how many, their latencies together, and the longest; first of the starts, then of completions. */
    static final int WINDOW_STARTS = 0;

    static final int WINDOW_COMPLETIONS = 12;
    private static final int WINDOW_SUM = 4;
    private static final int WINDOW_MAX = 8;

    private static final int PAYLOADS = 64;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final WorkflowPlan plan;
    private final WorkflowKeys keys;
    private final byte[][] payloads = new byte[PAYLOADS][];
    private final byte[] workflow = new byte[WORKFLOW_LENGTH];
    private final byte[] started = new byte[STARTED_LENGTH];
    private final byte[] completed;
    private final byte[] timer = new byte[TIMER_LENGTH];
    private final byte[] window = new byte[WINDOW_LENGTH];

    WorkflowValues(WorkflowPlan plan) {
        this.plan = plan;
        this.keys = new WorkflowKeys(plan.size(), plan.round());
        this.completed = new byte[COMPLETED_LENGTH + plan.size().payload()];
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < PAYLOADS; i++) {
            payloads[i] = new byte[plan.size().payload()];
            random.nextBytes(payloads[i]);
        }
        Arrays.fill(timer, TIMER_PAYLOAD, TIMER_MATURITY, (byte) 'x');
    }

    /** A workflow that has just been started, or whose task {@code task} was started last. */
    byte[] workflow(int number, int task) {
        long timeMs = plan.timeMs(plan.workflowStart(number));
        keys.putId(number, workflow, 0);
        LONG.set(workflow, WORKFLOW_LAUNCH, timeMs);
        LONG.set(workflow, WORKFLOW_START, timeMs);
        INT.set(workflow, WORKFLOW_TASK, task);
        return workflow;
    }

    /** The same workflow as {@code before} has, with another task. */
    byte[] workflowAt(byte[] before, int task) {
        System.arraycopy(before, 0, workflow, 0, WORKFLOW_LENGTH);
        INT.set(workflow, WORKFLOW_TASK, task);
        return workflow;
    }

    /** Which task of the workflow was started last. */
    static int taskOf(byte[] workflow) {
        return (int) INT.get(workflow, WORKFLOW_TASK);
    }

    static long startOf(byte[] workflow) {
        return (long) LONG.get(workflow, WORKFLOW_START);
    }

    /** A task run that was started at {@code timeMs}. */
    byte[] started(int ofWorkflow, int task, long timeMs) {
        keys.putId(ofWorkflow, started, 0);
        INT.set(started, RUN_NUMBER, task);
        LONG.set(started, RUN_LAUNCH, timeMs);
        LONG.set(started, RUN_START, timeMs);
        return started;
    }

    /** The task run that {@code before} has, completed at {@code timeMs} by the command of that number. */
    byte[] completed(byte[] before, long command, long timeMs) {
        System.arraycopy(before, 0, completed, 0, STARTED_LENGTH);
        LONG.set(completed, RUN_COMPLETION, timeMs);
        byte[] payload = payloads[(int) StateData.mix(command) & PAYLOADS - 1];
        INT.set(completed, RUN_PAYLOAD_LENGTH, payload.length);
        System.arraycopy(payload, 0, completed, COMPLETED_LENGTH, payload.length);
        if (payload.length >= Long.BYTES) {
            LONG.set(completed, COMPLETED_LENGTH, command); // no two are the same
        }
        return completed;
    }

    static long runStartOf(byte[] taskRun) {
        return (long) LONG.get(taskRun, RUN_START);
    }

    static long completionOf(byte[] taskRun) {
        return (long) LONG.get(taskRun, RUN_COMPLETION);
    }

    byte[] timer(long maturityMs, long high, long low) {
        WorkflowKeys.putUuid(timer, 0, high, low);
        LONG.set(timer, TIMER_MATURITY, maturityMs);
        return timer;
    }

    static long maturityOf(byte[] timer) {
        return (long) LONG.get(timer, TIMER_MATURITY);
    }

    /** The window {@code before}, of which there may be none, with one more start or completion, as {@code kind} is. */
    byte[] window(byte[] before, boolean exists, int kind, long latencyMs) {
        if (exists) {
            System.arraycopy(before, 0, window, 0, WINDOW_LENGTH);
        } else {
            Arrays.fill(window, (byte) 0);
        }
        INT.set(window, kind, (int) INT.get(window, kind) + 1);
        INT.set(window, kind + WINDOW_SUM, (int) INT.get(window, kind + WINDOW_SUM) + (int) latencyMs);
        INT.set(window, kind + WINDOW_MAX, Math.max((int) INT.get(window, kind + WINDOW_MAX), (int) latencyMs));
        return window;
    }

    /** How many starts or completions a window has. */
    static int count(byte[] window, int kind) {
        return (int) INT.get(window, kind);
    }
}
