package io.persist.store.upkeep;

/**
 * Whether a store is at rest: nothing was committed for as long as what there is to do will take, and for some seconds
 * at least. So a store that is written to now and then, with pauses, does not spend them on work that the next changes
 * undo; whatever comes, it has worked no longer than it was left alone.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
final class Rest {

    private final long leastNs;
    private boolean isBegun;
    private long lastChange;
    private long sinceNs;

    /** Rest begins after {@code leastNs} without a change at the earliest. */
    Rest(long leastNs) {
        this.leastNs = leastNs;
    }

    /**
     * How long it is until the store is at rest, if nothing changes; 0 if it is.
     *
     * @param changeNumber another one after each change, or after each step of the work that is watched
     * @param workNs how long it would work
     */
    long leftNs(long changeNumber, long workNs, long nowNs) {
        if (!isBegun || changeNumber != lastChange) {
            isBegun = true;
            lastChange = changeNumber;
            sinceNs = nowNs;
        }
        return Math.max(0, Math.max(leastNs, workNs) - (nowNs - sinceNs));
    }
}
