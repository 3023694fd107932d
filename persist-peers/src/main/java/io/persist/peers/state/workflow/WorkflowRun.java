package io.persist.peers.state.workflow;

import io.persist.peers.state.StateData;
import io.persist.peers.state.StateEngine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The state that LittleHorse's "one-partition state store benchmark" keeps for workflows, on one engine: each command
 * reads and writes what its processor does, in the same order.
 *
 * <ul>
 *   <li>start a workflow: put it
 *   <li>start a task: get the workflow, get the task run before if there is one, get the window of the metrics; put a
 *       timer, the task run, the window, the workflow
 *   <li>complete a task: get the workflow, the task run, the window; put the window and the task run with its payload
 * </ul>
 *
 * Each workflow is touched once per round over all of them. Time is counted by commands, so the keys, the timers and
 * the number of operations are the same for every engine.
 *
 * <p><b>Threads:</b> one.
 */
public final class WorkflowRun {

    /** Is shown how many commands of the run are done, now and then. */
    public @FunctionalInterface interface Progress {
        void done(long commands);
    }

    /** What a command was. */
    public enum Kind {
        WORKFLOW_START,
        TASK_START,
        TASK_COMPLETION
    }

    /** Is shown each command; all times are by System.nanoTime(). */
    public interface Observer {

        /** Of the {@code workflow}, with whatever it had to wait for since the end of the one before. */
        default void commandDone(Kind kind, int workflow, long endNs, long tookNs) {}

        /** Matured timers were deleted, in one go, or a step of it. */
        default void timersDeleted(long count, long endNs, long tookNs) {}
    }

    private final StateEngine engine;
    private final WorkflowPlan plan;
    private final WorkflowKeys keys;
    private final WorkflowValues values;
    private final TimerPunctuator punctuator;
    private final WorkflowTimes times = new WorkflowTimes();

    /** What was put and is not committed, as an engine shows only what is; empty if each command is committed. */
    private final Map<ByteBuffer, byte[]> pending = new HashMap<>();

    private final byte[] workflow = new byte[WorkflowValues.WORKFLOW_LENGTH];
    private final byte[] taskRun;
    private final byte[] window = new byte[WorkflowValues.WINDOW_LENGTH];
    private Observer observer = new Observer() {};
    private long command;
    private long liveBytes;
    private long putBytes;
    private int uncommitted;
    private long nextPunctuationMs;

    public WorkflowRun(StateEngine engine, WorkflowPlan plan) {
        this.engine = engine;
        this.plan = plan;
        this.keys = new WorkflowKeys(plan.size(), plan.round());
        this.values = new WorkflowValues(plan);
        this.punctuator = new TimerPunctuator(engine, plan.timerStep());
        this.taskRun = new byte[WorkflowValues.COMPLETED_LENGTH + plan.size().payload()];
        this.command = plan.firstCommand();
        this.nextPunctuationMs = plan.nextPunctuationMs();
    }

    /** Has {@code other} see what is done from now on. */
    public WorkflowRun observedBy(Observer other) {
        observer = other;
        return this;
    }

    /** Executes all commands. */
    public void run(Progress progress) {
        int workflows = plan.size().workflows();
        times.start();
        for (int i = 0; i < workflows; i++) {
            put(keys.workflow(i), values.workflow(i, 0));
            liveBytes += keys.workflow(i).length + WorkflowValues.WORKFLOW_LENGTH;
            endCommand(Kind.WORKFLOW_START, i);
        }
        for (int task = 0; task < plan.size().tasks(); task++) {
            for (int i = 0; i < workflows; i++) {
                startTask(i, task);
                endCommand(Kind.TASK_START, i);
            }
            for (int i = 0; i < workflows; i++) {
                completeTask(i);
                endCommand(Kind.TASK_COMPLETION, i);
            }
            progress.done(command - plan.firstCommand());
        }
        commit();
        deleteTimers(TimerPunctuator.Pace.ALL_AT_ONCE); // what is left of the steps
    }

    private void startTask(int number, int task) {
        long nowMs = plan.timeMs(command);
        long readyMs;
        get(keys.workflow(number), workflow);
        if (task == 0) {
            readyMs = WorkflowValues.startOf(workflow);
        } else {
            get(keys.taskRun(number, WorkflowValues.taskOf(workflow)), taskRun);
            readyMs = WorkflowValues.completionOf(taskRun);
        }
        boolean hasWindow = find(keys.window(windowMs(nowMs)), window);
        long maturityMs = nowMs + WorkflowPlan.TIMER_DELAY_MS;
        long high = StateData.mix(2 * command);
        long low = StateData.mix(2 * command + 1);
        put(keys.timer(maturityMs, high, low), values.timer(maturityMs, high, low));
        put(keys.taskRun(number, task), values.started(number, task, nowMs));
        put(
                keys.window(windowMs(nowMs)),
                values.window(window, hasWindow, WorkflowValues.WINDOW_STARTS, nowMs - readyMs));
        put(keys.workflow(number), values.workflowAt(workflow, task));
        liveBytes += WorkflowKeys.TIMER_LENGTH + WorkflowValues.TIMER_LENGTH;
        liveBytes += keys.taskRun(number, task).length + WorkflowValues.STARTED_LENGTH;
        countWindow(hasWindow);
    }

    private void completeTask(int number) {
        long nowMs = plan.timeMs(command);
        get(keys.workflow(number), workflow);
        int task = WorkflowValues.taskOf(workflow);
        get(keys.taskRun(number, task), taskRun);
        boolean hasWindow = find(keys.window(windowMs(nowMs)), window);
        long latencyMs = nowMs - WorkflowValues.runStartOf(taskRun);
        put(
                keys.window(windowMs(nowMs)),
                values.window(window, hasWindow, WorkflowValues.WINDOW_COMPLETIONS, latencyMs));
        put(keys.taskRun(number, task), values.completed(taskRun, command, nowMs));
        liveBytes += taskRun.length - WorkflowValues.STARTED_LENGTH;
        countWindow(hasWindow);
    }

    private void countWindow(boolean isOld) {
        liveBytes += isOld ? 0 : WorkflowKeys.WINDOW_LENGTH + WorkflowValues.WINDOW_LENGTH;
    }

    private static long windowMs(long nowMs) {
        return nowMs / WorkflowPlan.WINDOW_MS * WorkflowPlan.WINDOW_MS;
    }

    private void get(byte[] key, byte[] target) {
        if (!find(key, target)) {
            throw new IllegalStateException("a value is missing: key=" + new String(key, StandardCharsets.UTF_8));
        }
    }

    private boolean find(byte[] key, byte[] target) {
        byte[] put = pending.isEmpty() ? null : pending.get(ByteBuffer.wrap(key));
        int length;
        if (put == null) {
            length = engine.get(key, target);
        } else {
            length = put.length;
            System.arraycopy(put, 0, target, 0, length);
        }
        times.endPart(times.get);
        return length >= 0;
    }

    /** The arrays are overwritten by the next command, and an engine may need them until the commit. */
    private void put(byte[] key, byte[] value) {
        putBytes += key.length + value.length;
        if (plan.commitEvery() == 1) {
            engine.put(key, value);
            return;
        }
        byte[] keptKey = key.clone();
        byte[] keptValue = value.clone();
        pending.put(ByteBuffer.wrap(keptKey), keptValue);
        engine.put(keptKey, keptValue);
    }

    private void endCommand(Kind kind, int workflowNumber) {
        if (++uncommitted >= plan.commitEvery()) {
            commit();
        }
        times.endCommand();
        observer.commandDone(kind, workflowNumber, times.endNs(), times.lastCommandNs());
        long nowMs = plan.timeMs(command++);
        if (nowMs >= nextPunctuationMs) {
            nextPunctuationMs += WorkflowPlan.PUNCTUATION_INTERVAL_MS;
            punctuator.begin(nowMs);
        }
        if (punctuator.isActive()) {
            commit();
            deleteTimers(plan.timers());
        }
    }

    private void deleteTimers(TimerPunctuator.Pace pace) {
        while (punctuator.isActive()) {
            long before = punctuator.deleted();
            long startNs = times.endNs();
            if (pace == TimerPunctuator.Pace.OPEN_SCAN) {
                punctuator.deleteInScan();
            } else {
                punctuator.step();
            }
            times.endPart(times.timerStep);
            long count = punctuator.deleted() - before;
            liveBytes -= count * (WorkflowKeys.TIMER_LENGTH + WorkflowValues.TIMER_LENGTH);
            observer.timersDeleted(count, times.endNs(), times.endNs() - startNs);
            if (pace == TimerPunctuator.Pace.STEP_BY_STEP) {
                break;
            }
        }
    }

    private void commit() {
        if (uncommitted > 0) {
            engine.commit();
            uncommitted = 0;
            pending.clear();
            times.endPart(times.commit);
        }
    }

    public WorkflowTimes times() {
        return times;
    }

    /** The keys and values of all puts, bytes. */
    public long putBytes() {
        return putBytes;
    }

    /** By how much the keys and values that the engine holds are longer than before the run, bytes. */
    public long liveBytes() {
        return liveBytes;
    }

    /** How many timers were deleted. */
    public long deletedTimers() {
        return punctuator.deleted();
    }
}
