package io.persist.peers.state.workflow;

import io.persist.peers.state.StateData;
import io.persist.peers.state.StateEngine;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What any engine holds after some rounds of the workflow workload, found by arithmetic alone: whatever an engine holds
 * is compared with it, and it is what an engine is restored from.
 *
 * <p><b>Threads:</b> one.
 */
public final class WorkflowState {

    private final WorkflowPlan plan;
    private final int rounds;
    private final Map<Long, byte[]> windows = new TreeMap<>();

    /** Of the rounds from 0 on. */
    public WorkflowState(WorkflowPlan plan, int rounds) {
        this.plan = plan;
        this.rounds = rounds;
    }

    /** The longest value. */
    public static int maxValueLength(WorkflowSize size) {
        return WorkflowValues.COMPLETED_LENGTH + size.payload();
    }

    /** What the workflows and the task runs of a round take, keys and values, without timers and windows. */
    public static long bytesPerRound(WorkflowSize size) {
        WorkflowKeys keys = new WorkflowKeys(size);
        long workflow = (long) keys.workflow(0).length + WorkflowValues.WORKFLOW_LENGTH;
        long taskRun = (long) keys.taskRun(0, 0).length + maxValueLength(size);
        return size.workflows() * workflow + size.taskRuns() * taskRun;
    }

    /**
     * Shows each entry once, in the order in which they were changed last, as a compacted changelog has them. Only the
     * windows of the metrics come in the end.
     */
    public void forEach(StateEngine.Visitor visitor) {
        windows.clear();
        long deletedBefore = lastPunctuationMs();
        for (int round = 0; round < rounds; round++) {
            show(plan.inRound(round), deletedBefore, visitor);
        }
        windows.forEach((startMs, value) -> {
            byte[] key = (WorkflowKeys.WINDOW + startMs).getBytes(StandardCharsets.US_ASCII);
            visitor.entry(key, key.length, value, value.length);
        });
    }

    /** The time of the command after which timers were deleted for the last time: what matured before is gone. */
    private long lastPunctuationMs() {
        WorkflowPlan last = plan.inRound(rounds - 1);
        long dueMs = last.lastPunctuationMs();
        long low = 0;
        long high = last.endCommand() - 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (last.timeMs(middle) < dueMs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return last.timeMs(low);
    }

    private void show(WorkflowPlan round, long deletedBefore, StateEngine.Visitor visitor) {
        WorkflowSize size = round.size();
        WorkflowKeys keys = new WorkflowKeys(size, round.round());
        WorkflowValues values = new WorkflowValues(round);
        for (int task = 0; task < size.tasks(); task++) {
            for (int i = 0; i < size.workflows(); i++) {
                long command = round.taskStart(i, task);
                long readyMs = round.timeMs(task == 0 ? round.workflowStart(i) : round.taskCompletion(i, task - 1));
                count(values, WorkflowValues.WINDOW_STARTS, round.timeMs(command), readyMs);
                long maturityMs = round.timeMs(command) + WorkflowPlan.TIMER_DELAY_MS;
                if (maturityMs >= deletedBefore) {
                    long high = StateData.mix(2 * command);
                    long low = StateData.mix(2 * command + 1);
                    show(keys.timer(maturityMs, high, low), values.timer(maturityMs, high, low), visitor);
                }
                if (task == size.tasks() - 1) {
                    show(keys.workflow(i), values.workflow(i, task), visitor);
                }
            }
            for (int i = 0; i < size.workflows(); i++) {
                long startMs = round.timeMs(round.taskStart(i, task));
                long command = round.taskCompletion(i, task);
                count(values, WorkflowValues.WINDOW_COMPLETIONS, round.timeMs(command), startMs);
                byte[] value = values.completed(values.started(i, task, startMs), command, round.timeMs(command));
                show(keys.taskRun(i, task), value, visitor);
            }
        }
    }

    private static void show(byte[] key, byte[] value, StateEngine.Visitor visitor) {
        visitor.entry(key, key.length, value, value.length);
    }

    private void count(WorkflowValues values, int kind, long nowMs, long sinceMs) {
        long windowMs = nowMs / WorkflowPlan.WINDOW_MS * WorkflowPlan.WINDOW_MS;
        byte[] old = windows.get(windowMs);
        byte[] window = old == null ? new byte[WorkflowValues.WINDOW_LENGTH] : old;
        windows.put(windowMs, window);
        byte[] counted = values.window(window, old != null, kind, nowMs - sinceMs);
        System.arraycopy(counted, 0, window, 0, window.length);
    }
}
