package io.persist.store.upkeep;

import java.util.concurrent.TimeUnit;

/**
 * How long a store's upkeep waits for what.
 *
 * @param retryNs after a failure
 * @param restNs until a store in which nothing changes is at rest, at the earliest
 */
public record Patience(long retryNs, long restNs) {

    /** What is right outside of tests. */
    public static final Patience DEFAULT = new Patience(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(10));
}
