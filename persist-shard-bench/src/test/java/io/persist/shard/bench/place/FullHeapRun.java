package io.persist.shard.bench.place;

import io.persist.support.FullHeap;
import java.nio.file.Path;

/** Threads of the bare disk that find no memory any more, for a JVM of its own with a small heap. */
public final class FullHeapRun {

    private static final Object[] NONE = {};

    private static Object[] ballast = new Object[1 << 20];

    private FullHeapRun() {}

    /** Says how it has ended; the argument is a directory for files. */
    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        try {
            BareDisk.measure(Path.of(args[0]), 4096, 60_000_000_000L, () -> Thread.currentThread() == main || fill());
            System.out.println("whole");
        } catch (Throwable whatever) { // what closes its files finds no memory either
            ballast = NONE;
            System.out.println("failed");
        }
    }

    /** The first fills it, and the others find it full. */
    private static synchronized boolean fill() {
        if (ballast[0] == null) {
            FullHeap.fill(ballast);
        }
        return new byte[1 << 20].length == 0;
    }
}
