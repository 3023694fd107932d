package io.persist.peers.state.workflow;

import io.persist.peers.state.StateEngine;
import java.util.Arrays;

/**
 * Deletes matured timers, in steps: a range scan over the next ones, each of which is looked at, then a get and a
 * delete of each (a delete of Kafka Streams returns the old value), and a commit. A step begins its scan where the last
 * one ended, so no engine goes through what is deleted once more.
 *
 * <p><b>Threads:</b> one.
 */
public final class TimerPunctuator {

    /** When the steps are made. */
    public enum Pace {
        /** One after the other, as in LittleHorse: the next command waits until all matured timers are gone. */
        ALL_AT_ONCE,
        /** One after each command, until all are gone. */
        STEP_BY_STEP,
        /** All within one scan, which stays open while they are deleted: LittleHorse does just that. */
        OPEN_SCAN
    }

    private static final byte[] FIRST = WorkflowKeys.key(WorkflowKeys.TIMER);

    private final StateEngine engine;
    private final byte[][] keys;
    private final byte[] value = new byte[WorkflowValues.TIMER_LENGTH];
    private byte[] from = FIRST;
    private byte[] end = FIRST;
    private int found;
    private boolean active;
    private long deleted;

    TimerPunctuator(StateEngine engine, int step) {
        this.engine = engine;
        this.keys = new byte[step][WorkflowKeys.TIMER_LENGTH];
    }

    /** From now on there are steps to be made, until all timers that matured before {@code nowMs} are gone. */
    void begin(long nowMs) {
        from = FIRST;
        end = WorkflowKeys.timersEnd(nowMs);
        active = true;
    }

    boolean isActive() {
        return active;
    }

    /** Deletes up to as many timers as a step has. There must be no change that is not committed. */
    void step() {
        found = 0;
        engine.scan(from, keys.length, WorkflowValues.TIMER_LENGTH, this::take);
        for (int i = 0; i < found; i++) {
            deleteFound(i);
        }
        if (found > 0) {
            engine.commit();
            from = keys[found - 1].clone();
        }
        active = found == keys.length;
        deleted += found;
    }

    /**
     * Deletes all within one scan, with a commit for as many as a step has, while the scan is open. There must be no
     * change that is not committed.
     */
    void deleteInScan() {
        found = 0;
        engine.scanThrough(from, end, WorkflowValues.TIMER_LENGTH, (key, keyLength, scanned, valueLength) -> {
            take(key, keyLength, scanned, valueLength);
            deleteFound(found - 1);
            if (found == keys.length) {
                commitFound();
            }
        });
        if (found > 0) {
            commitFound();
        }
        active = false;
    }

    private void commitFound() {
        engine.commit();
        deleted += found;
        found = 0;
    }

    private void deleteFound(int index) {
        if (engine.get(keys[index], value) != WorkflowValues.TIMER_LENGTH) {
            throw new IllegalStateException("a timer that was scanned has no value");
        }
        engine.delete(keys[index]);
    }

    private void take(byte[] key, int keyLength, byte[] scanned, int valueLength) {
        if (compare(key, keyLength, end) > 0) {
            return;
        }
        if (WorkflowValues.maturityOf(scanned) != WorkflowKeys.maturityOf(key)) {
            throw new IllegalStateException("a timer has another value than was put");
        }
        System.arraycopy(key, 0, keys[found++], 0, keyLength);
    }

    private static int compare(byte[] key, int length, byte[] other) {
        return Arrays.compareUnsigned(key, 0, length, other, 0, other.length);
    }

    /** How many timers are gone. */
    long deleted() {
        return deleted;
    }
}
