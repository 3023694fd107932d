package io.persist.store.engine;

/** What happened in the lives of stores, so that a test can tell that it has tested something. */
final class StoreTally {

    int ranges;
    int large;
    int singles;
    int exchanges;
    int conflicts;
    int optimisticScans;
    int lives;
    int cuts;
    int lost;
    long checkpoints;
    int compactions;
    long moved;
    long vacated;
    int waiting;
    int rolls;
    int retired;
    int refused;
    int oldValues;
    int goneOldValues;
    int fromCheckpoint;
    int replayed;
    int cutTails;
    int cutRecoveries;
    int caughtUp;
    int openedAnew;

    @Override
    public String toString() {
        return "ranges=" + ranges + ", large=" + large + ", singles=" + singles + ", exchanges=" + exchanges
                + ", conflicts=" + conflicts + ", optimisticScans=" + optimisticScans
                + ", lives=" + lives + ", cuts="
                + cuts + ", lost=" + lost + ", checkpoints=" + checkpoints
                + ", compactions="
                + compactions + ", moved="
                + moved + ", vacated=" + vacated + ", waiting=" + waiting + ", rolls=" + rolls + ", retired=" + retired
                + ", refused="
                + refused + ", oldValues=" + oldValues + ", goneOldValues=" + goneOldValues + ", fromCheckpoint="
                + fromCheckpoint + ", replayed=" + replayed + ", cutTails=" + cutTails
                + ", cutRecoveries=" + cutRecoveries + ", caughtUp=" + caughtUp + ", openedAnew=" + openedAnew;
    }
}
