package io.persist.peers.trial.work;

import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import io.persist.peers.trial.load.Allocation;
import io.persist.peers.trial.load.ClosedLoop;
import io.persist.peers.trial.load.OpenLoop;
import io.persist.peers.trial.load.Sustained;
import io.persist.peers.trial.read.Listening;
import io.persist.peers.trial.read.Reopening;
import io.persist.peers.trial.read.Replay;
import java.io.IOException;

/** What is done with an engine in some of the modes. */
@FunctionalInterface
interface Workload {

    /** Warms up, and measures once; {@code sampling} is told when. */
    TrialResult run(Trial trial, Logs logs, Sampling sampling) throws IOException, InterruptedException;

    static Workload of(Mode mode) {
        return switch (mode.work()) {
            case SUSTAINED -> Sustained::run;
            case UNPACED -> ClosedLoop::unsynced;
            case SYNCED -> ClosedLoop::synced;
            case PACED -> OpenLoop::run;
            case LISTENED -> mode == Mode.LISTEN_THREAD ? Listening::inThread : Listening::inProcess;
            case READ -> Replay::run;
            case OPENED -> Reopening::run;
            case COUNTED -> Allocation::run;
        };
    }
}
