package io.persist.peers.state.workflow;

import io.persist.peers.state.StateEngine;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Goes through all that an engine holds after a run and compares it with what it has to hold: each workflow, each
 * completed task run with its payload, the counts of the metrics, and no timer that should be gone.
 */
public final class WorkflowCheck {

    private static final int SCANNED = 1000;

    private final WorkflowPlan plan;
    private final WorkflowKeys keys;
    private final WorkflowValues values;
    private final int maxValueLength;
    private byte[] from = {0};
    private long workflows;
    private long taskRuns;
    private long timers;
    private long starts;
    private long completions;
    private long liveBytes;

    public WorkflowCheck(WorkflowPlan plan) {
        this.plan = plan;
        this.keys = new WorkflowKeys(plan.size(), plan.round());
        this.values = new WorkflowValues(plan);
        this.maxValueLength = WorkflowValues.COMPLETED_LENGTH + plan.size().payload();
    }

    /**
     * Compares everything.
     *
     * @param deletedTimers how many timers the run deleted
     * @return bytes of all keys and values together
     * @throws IllegalStateException if anything is not as it should be
     */
    public long run(StateEngine engine, long deletedTimers) {
        while (engine.scan(from, SCANNED, maxValueLength, this::check) > 0) {
            from = Arrays.copyOf(from, from.length + 1); // what comes right after the last key
        }
        require("workflows", workflows, plan.size().workflows());
        require("task runs", taskRuns, plan.size().taskRuns());
        require("timers", timers, plan.size().taskRuns() - deletedTimers);
        require("starts in the metrics", starts, plan.size().taskRuns());
        require("completions in the metrics", completions, plan.size().taskRuns());
        return liveBytes;
    }

    private static void require(String what, long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException(what + ": found=" + found + ", expected=" + expected);
        }
    }

    private void check(byte[] key, int keyLength, byte[] value, int valueLength) {
        liveBytes += keyLength + valueLength;
        if (WorkflowKeys.hasPrefix(key, keyLength, WorkflowKeys.TASK_RUN)) {
            taskRuns++;
            same(key, keyLength, value, valueLength, taskRun(keys.workflowOf(key), keys.taskOf(key)));
        } else if (WorkflowKeys.hasPrefix(key, keyLength, WorkflowKeys.WORKFLOW)) {
            workflows++;
            int lastTask = plan.size().tasks() - 1;
            same(key, keyLength, value, valueLength, values.workflow(keys.workflowOf(key), lastTask));
        } else if (WorkflowKeys.hasPrefix(key, keyLength, WorkflowKeys.TIMER)) {
            timers++;
            if (WorkflowKeys.maturityOf(key) < plan.lastPunctuationMs()) {
                throw wrong(key, keyLength, "it has matured and should be gone");
            }
        } else if (WorkflowKeys.hasPrefix(key, keyLength, WorkflowKeys.WINDOW)) {
            starts += WorkflowValues.count(value, WorkflowValues.WINDOW_STARTS);
            completions += WorkflowValues.count(value, WorkflowValues.WINDOW_COMPLETIONS);
        } else {
            throw wrong(key, keyLength, "nobody put it");
        }
        from = Arrays.copyOf(key, keyLength);
    }

    private byte[] taskRun(int workflow, int task) {
        byte[] started = values.started(workflow, task, plan.timeMs(plan.taskStart(workflow, task)));
        long completion = plan.taskCompletion(workflow, task);
        return values.completed(started, completion, plan.timeMs(completion));
    }

    private static void same(byte[] key, int keyLength, byte[] value, int valueLength, byte[] expected) {
        if (!Arrays.equals(value, 0, valueLength, expected, 0, expected.length)) {
            throw wrong(key, keyLength, "it has another value than was put last");
        }
    }

    private static IllegalStateException wrong(byte[] key, int keyLength, String what) {
        String name = new String(key, 0, keyLength, StandardCharsets.US_ASCII);
        return new IllegalStateException("key " + name + ": " + what);
    }
}
