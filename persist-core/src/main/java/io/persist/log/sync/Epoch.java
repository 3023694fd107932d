package io.persist.log.sync;

import io.persist.error.LogLockedException;
import io.persist.format.control.HolderBlock;

/**
 * Which hold on the log is this writer's, so that it notices if another process has taken it.
 *
 * <p><b>Threads:</b> any, as long as the control block is mapped.
 */
record Epoch(String directory, HolderBlock holder, long mine) {

    boolean isOver() {
        return holder.epoch() != mine;
    }

    /** What is thrown then. */
    LogLockedException overtaken() {
        long pid = holder.holder().pid();
        return new LogLockedException("another process has opened the log for writing: directory=" + directory
                + (pid == 0 ? "" : ", pid=" + pid) + ", epoch=" + holder.epoch() + ", mine=" + mine
                + "; close this one, what it has not synced may be lost, and make sure that one process writes");
    }
}
