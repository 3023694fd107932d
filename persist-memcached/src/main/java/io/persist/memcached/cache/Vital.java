package io.persist.memcached.cache;

import java.util.concurrent.CompletableFuture;

/**
 * What runs in a thread without which the server is of no use. An error, as on a full heap, can end such a thread while
 * the others keep the process: clients would wait for ever. So the server ends with the first of them.
 */
public final class Vital implements Runnable {

    private static final int FAILED = 1;

    private final Runnable work;
    private final CompletableFuture<Throwable> failure;
    private final Throwable ended;

    /** Completes {@code failure} when {@code work} has ended, whatever has ended it; it says so of {@code name}. */
    public Vital(String name, Runnable work, CompletableFuture<Throwable> failure) {
        this.work = work;
        this.failure = failure;
        this.ended = new IllegalStateException(name + " has ended"); // made while there is memory
    }

    @Override
    public void run() {
        try {
            work.run();
        } finally {
            tell();
        }
    }

    private void tell() {
        try {
            failure.complete(ended);
        } catch (OutOfMemoryError none) { // not even for that, and so not for an end in order
            Runtime.getRuntime().halt(FAILED);
        }
    }
}
