package io.persist.support;

import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A hook that counts the syncs of a log's records and can hold them: forces of a segment in mode MAPPED, syncs of one
 * in mode FILE, but not its write-throughs, which the storage announces like all writes.
 */
public final class HeldSyncs implements CrashableStorage.Hook {

    private static final long DEADLINE_S = 60;

    private final AtomicInteger count = new AtomicInteger();
    private final Semaphore held = new Semaphore(0);
    private final Semaphore released = new Semaphore(0);
    private volatile boolean holds;
    private volatile boolean holdsWrites;

    @Override
    public void beforeOperation(int number, String what) throws IOException {
        if (Thread.currentThread().getName().startsWith("fill ")) {
            return; // zeros
        }
        if (isSync(what)) {
            count.incrementAndGet();
        } else if (!holdsWrites || !what.matches("write \\d+\\.log")) {
            return;
        }
        if (holds) {
            held.release();
            try {
                if (!released.tryAcquire(DEADLINE_S, TimeUnit.SECONDS)) {
                    throw new IOException("nobody released the sync");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /** Whether records get to the device by it: not so the making of a segment, nor the control block. */
    private static boolean isSync(String what) {
        return what.matches("(force|sync) \\d+\\.log");
    }

    /** How many syncs have begun. */
    public int count() {
        return count.get();
    }

    /** From now on each sync waits until it is released. */
    public void hold() {
        holds = true;
    }

    /** From now on each sync and each write to a segment waits until it is released. */
    public void holdWrites() {
        holdsWrites = true;
        holds = true;
    }

    /** Returns when one more sync is held. */
    public void awaitHeld() {
        Await.until("a sync is held", held::tryAcquire);
    }

    /** Lets the sync go on that is held; the next one waits. */
    public void releaseOne() {
        released.release();
    }

    /** Lets the sync go on that is held, and all that come. */
    public void release() {
        holds = false;
        released.release();
    }

    /** Lets everything go on. */
    public void releaseAll() {
        holds = false;
        released.release(1000);
    }
}
