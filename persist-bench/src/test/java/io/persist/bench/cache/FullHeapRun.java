package io.persist.bench.cache;

import io.persist.bench.cache.CacheTest.Pattern;
import io.persist.command.OutOfMemory;
import java.nio.file.Path;

/** A run in mode off with more items than the heap holds, for a JVM of its own with a small one. */
public final class FullHeapRun {

    private static final int ITEMS = 750_000;

    private FullHeapRun() {}

    /** Says in one word how the run has ended; the argument is {@code insert} or {@code load}. */
    public static void main(String[] args) throws Exception {
        boolean isInsert = args[0].equals("insert"); // else all items are put before
        CacheTest test = new CacheTest(isInsert ? 1 : 0, isInsert ? 0 : 1, Pattern.PARALLEL);
        CacheRun.Work work = new CacheRun.Work(test, CacheMode.OFF, 4, 4, ITEMS, 0, -1, 7);
        System.out.println(ended(work));
    }

    private static String ended(CacheRun.Work work) throws Exception {
        try {
            run(work);
            return "whole";
        } catch (RuntimeException | Error e) { // outside: here there is memory again
            if (!OutOfMemory.isCauseOf(e)) {
                throw e;
            }
            return "full";
        }
    }

    private static void run(CacheRun.Work work) throws Exception {
        try (CacheEngine map = new MapEngine()) {
            new CacheRun(work, new CacheItems(ITEMS, 50), () -> false, null)
                    .measure(map, "map", Path.of("none"), (second, beganNs) -> {});
        }
    }
}
