package io.persist.peers.state.workflow;

/**
 * What a run of the workflow workload does, whatever the engine.
 *
 * @param size how much
 * @param clockRate commands per second of its clock, 0 for as many as make the run 70 s long for it: that is what
 *     1000x2000x1000 takes at 28,571 commands per second
 * @param commitEvery commands in each commit
 * @param timers when matured timers are deleted
 * @param timerStep timers that are scanned and deleted in one commit
 * @param round its number, from 0 on, where several runs follow each other in one engine: each has workflows of its
 *     own, and its clock begins where that of the one before has ended
 */
public record WorkflowPlan(
        WorkflowSize size, int clockRate, int commitEvery, TimerPunctuator.Pace timers, int timerStep, int round) {

    /** When the clock begins, ms since 1970. */
    static final long START_MS = 1_700_000_000_000L;

    /** How long after its task's start a timer matures, ms. */
    static final long TIMER_DELAY_MS = 10_000;

    /** How often matured timers are deleted, ms. */
    static final long PUNCTUATION_INTERVAL_MS = 40_000;

    /** What one window of the metrics holds, ms. */
    static final long WINDOW_MS = 30_000;

    private static final long DEFAULT_RUN_MS = 70_000;

    /** The only run of an engine. */
    public WorkflowPlan(WorkflowSize size, int clockRate, int commitEvery, TimerPunctuator.Pace timers, int timerStep) {
        this(size, clockRate, commitEvery, timers, timerStep, 0);
    }

    /** The same as a later run of the same engine. */
    public WorkflowPlan inRound(int number) {
        return new WorkflowPlan(size, clockRate, commitEvery, timers, timerStep, number);
    }

    /** A small one of the same kind, to have the code compiled before. */
    public WorkflowPlan warmUp() {
        WorkflowSize small = new WorkflowSize(
                Math.min(size.workflows(), 1000), Math.min(size.payload(), 4000), Math.min(size.tasks(), 10));
        return new WorkflowPlan(small, 0, commitEvery, timers, timerStep);
    }

    /** The number of the first command: the commands of all rounds are counted through. */
    long firstCommand() {
        return round * size.commands();
    }

    /** The number of the command after the last one. */
    long endCommand() {
        return firstCommand() + size.commands();
    }

    /** The clock when the command of that number, from 0 on, is executed: ms since 1970. */
    long timeMs(long command) {
        return START_MS + (clockRate == 0 ? command * DEFAULT_RUN_MS / size.commands() : command * 1000 / clockRate);
    }

    /** How many commands there are in a second of the clock. */
    public long commandsPerSecond() {
        return clockRate == 0 ? Math.max(1, size.commands() * 1000 / DEFAULT_RUN_MS) : clockRate;
    }

    /** The number of the command that starts a workflow. */
    long workflowStart(int workflow) {
        return firstCommand() + workflow;
    }

    /** The number of the command that starts a task run. */
    long taskStart(int workflow, int task) {
        return firstCommand() + size.workflows() + 2L * size.workflows() * task + workflow;
    }

    /** The number of the command that completes a task run. */
    long taskCompletion(int workflow, int task) {
        return taskStart(workflow, task) + size.workflows();
    }

    /** When matured timers are deleted for the first time after the round before, ms since 1970. */
    long nextPunctuationMs() {
        long ranMs = round == 0 ? 0 : timeMs(firstCommand() - 1) - START_MS;
        return START_MS + (ranMs / PUNCTUATION_INTERVAL_MS + 1) * PUNCTUATION_INTERVAL_MS;
    }

    /** When matured timers are deleted for the last time, ms since 1970; {@link #START_MS} if they never are. */
    long lastPunctuationMs() {
        long ranMs = timeMs(endCommand() - 1) - START_MS;
        return START_MS + ranMs / PUNCTUATION_INTERVAL_MS * PUNCTUATION_INTERVAL_MS;
    }
}
