package io.persist.peers.trial;

import java.io.IOException;

/** What is done with an engine in some of the modes. */
@FunctionalInterface
interface Workload {

    /** Warms up, and measures once; {@code sampling} is told when. */
    TrialResult run(Trial trial, Logs logs, Sampling sampling) throws IOException, InterruptedException;

    static Workload of(Mode mode) {
        return switch (mode) {
            case BUFFERED, PRODUCERS_2 -> ClosedLoop::unsynced;
            case SYNC, SYNC_10, SYNC_100 -> ClosedLoop::synced;
            case OPEN_LOOP, OPEN_LOOP_500K -> OpenLoop::run;
            case LISTEN_THREAD -> Listening::inThread;
            case LISTEN_PROCESS -> Listening::inProcess;
            case REPLAY -> Replay::run;
            case REOPEN, REOPEN_KILLED -> Reopening::run;
            case ALLOCATION -> Allocation::run;
        };
    }
}
