package io.persist.event;

import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Work in the background that fails, and is tried again and again: it has no caller to be told. Says so in the
 * application's logging: the first time, at most once in a minute while it goes on, and when it works again. Work that
 * has parts works again when all of them do.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none while it works.
 */
public final class RepeatedFailure {

    static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(1);

    private final String logger;
    private final String worksAgain;
    private final LongSupplier nanoTime;

    /** The parts that fail. Guarded by this. */
    private final Set<Object> parts = Collections.newSetFromMap(new IdentityHashMap<>());

    private long lastFailures;
    private long lastDone;
    private volatile boolean isFailing;
    private long saidAtNs;
    private boolean wasSaid;

    /** Whether it was said since it worked. */
    private boolean isSaid;

    /** Says it to {@code logger}, and {@code worksAgain} at the end. */
    public RepeatedFailure(String logger, String worksAgain) {
        this(logger, worksAgain, System::nanoTime);
    }

    RepeatedFailure(String logger, String worksAgain, LongSupplier nanoTime) {
        this.logger = logger;
        this.worksAgain = worksAgain;
        this.nanoTime = nanoTime;
    }

    /**
     * An attempt of {@code part} has failed. Not to be called with a lock.
     *
     * @param what failed, why, what follows from that, and what is to be done; asked if it is said
     */
    public void failed(Object part, Supplier<String> what) {
        if (isToBeSaid(part)) {
            Notices.say(logger, Level.WARNING, what, null);
        }
    }

    private synchronized boolean isToBeSaid(Object part) {
        isFailing = true;
        parts.add(part);
        long nowNs = nanoTime.getAsLong();
        if (wasSaid && nowNs - saidAtNs < PAUSE_NS) {
            return false;
        }
        wasSaid = true;
        isSaid = true;
        saidAtNs = nowNs;
        return true;
    }

    /**
     * The same by counters, for what is looked at from outside: it has failed if there are more failures than at the
     * last look, and works if there are not and more is done. One thread.
     */
    public void look(long failures, long done, Supplier<String> what) {
        boolean hasFailed = failures > lastFailures;
        boolean hasWorked = !hasFailed && done > lastDone;
        lastFailures = failures;
        lastDone = done;
        if (hasFailed) {
            failed(this, what);
        } else if (hasWorked) {
            worked(this);
        }
    }

    /** An attempt of {@code part} has not failed. Not to be called with a lock. */
    public void worked(Object part) {
        if (isFailing && endsWith(part)) {
            Notices.say(logger, Level.INFO, () -> worksAgain, null);
        }
    }

    /** Whether it is over now, and was said. */
    private synchronized boolean endsWith(Object part) {
        if (!parts.remove(part) || !parts.isEmpty()) {
            return false;
        }
        boolean wasHeard = isSaid;
        isFailing = false;
        isSaid = false;
        return wasHeard;
    }
}
