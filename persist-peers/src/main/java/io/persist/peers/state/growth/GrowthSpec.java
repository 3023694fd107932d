package io.persist.peers.state.growth;

import io.persist.log.Durability;
import io.persist.peers.state.StateEngineKind;
import io.persist.peers.state.workflow.TimerPunctuator;
import io.persist.peers.state.workflow.WorkflowPlan;
import io.persist.peers.state.workflow.WorkflowSize;

/**
 * What one engine does for {@code bin/persist workflow}, as its process is told.
 *
 * @param engine its name for the user
 * @param kind what opens it
 * @param directory for its files, empty
 * @param durability what its commits wait for
 * @param size of each round
 * @param rounds how many
 * @param clockRate commands per second of the workload's clock
 * @param commitEvery commands in each commit
 * @param timerStep timers that are deleted in each commit
 * @param windowMs what one window of the metrics holds
 * @param restore whether it is measured how long it takes to restore the state in an empty engine
 */
record GrowthSpec(
        String engine,
        StateEngineKind kind,
        String directory,
        Durability durability,
        WorkflowSize size,
        int rounds,
        int clockRate,
        int commitEvery,
        int timerStep,
        long windowMs,
        boolean restore) {

    /** Of its first round. */
    WorkflowPlan plan() {
        return new WorkflowPlan(size, clockRate, commitEvery, TimerPunctuator.Pace.OPEN_SCAN, timerStep);
    }
}
