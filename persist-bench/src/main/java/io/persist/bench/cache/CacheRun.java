package io.persist.bench.cache;

import io.persist.bench.cache.CacheSeconds.Second;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.WorkThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One test in one mode: fills the engine, serves the clients, opens the engine anew, and looks for what was
 * acknowledged.
 */
final class CacheRun {

    private static final long NONE = -1;

    /**
     * What is to be done.
     *
     * @param threads that serve clients
     * @param clients in all
     * @param requests of all clients together
     * @param leastNs that it goes on, whatever that makes of requests
     * @param checkpointAtSecond of the run; -1 for none
     */
    record Work(
            CacheTest test,
            CacheMode mode,
            int threads,
            int clients,
            long requests,
            long leastNs,
            long checkpointAtSecond,
            long seed) {

        /** How many requests the client of this number makes. */
        long quota(long client) {
            return requests / clients + (client < requests % clients ? 1 : 0);
        }

        /** About how many sets there will be. */
        long sets() {
            return requests * test.sets() / (test.sets() + test.gets());
        }
    }

    /** Where a run tells how it goes on: a second, and when it began, ns since the run's beginning. */
    interface Watcher extends BiConsumer<Second, Long> {}

    private final Work work;
    private final CacheItems items;
    private final BooleanSupplier isStopped;
    private final @Nullable Path output;
    private final List<WorkThread<?>> started = new ArrayList<>();
    private final AtomicBoolean isEnding = new AtomicBoolean(); // as one of the threads has failed, or all is done

    /** A run that leaves its latencies in {@code output}, if that is not null. */
    CacheRun(Work work, CacheItems items, BooleanSupplier isStopped, @Nullable Path output) {
        this.work = work;
        this.items = items;
        this.isStopped = isStopped;
        this.output = output;
    }

    /** Runs in new directories below these two, which are deleted in the end; null as {@link #measure}. */
    @Nullable
    CacheResult run(CacheEngine.Kind kind, CacheEngine.Place below, Watcher watcher)
            throws IOException, InterruptedException {
        if (work.mode() == CacheMode.OFF) {
            try (CacheEngine map = new MapEngine()) {
                return measure(map, "map", below.data().resolve("none"), watcher);
            }
        }
        Path logs = Files.createTempDirectory(below.logs(), "cache-");
        Path data = below.data().equals(below.logs()) ? logs : Files.createTempDirectory(below.data(), "cache-");
        try {
            CacheEngine.Place place = new CacheEngine.Place(
                    data,
                    logs,
                    below.mode(),
                    below.syncInterval(),
                    below.checkpointsByItself(),
                    below.checkpointBytesPerSecond());
            @Nullable CacheResult result;
            try (CacheEngine engine = kind.open(place)) {
                result = measure(engine, kind.id(), data, watcher);
            }
            if (result == null || isStopped.getAsBoolean()) {
                return result; // whoever stops it does not wait until all is read back
            }
            long startNs = System.nanoTime();
            try (CacheEngine engine = kind.open(place)) {
                long openNs = System.nanoTime() - startNs;
                return with(result, openNs, items.lost(engine));
            }
        } finally {
            DirectoryTree.delete(logs);
            DirectoryTree.delete(data);
        }
    }

    private CacheResult with(CacheResult result, long openNs, long lost) {
        return new CacheResult(
                result.test(),
                result.mode(),
                result.engine(),
                result.sets(),
                result.gets(),
                result.misses(),
                result.elapsedNs(),
                result.latencies(),
                result.seconds(),
                result.checkpoint(),
                new CacheResult.Reopened(openNs, items.acknowledgedItems(), lost));
    }

    /** Runs with an engine that is open, and empty; null if the user stops it before a client is served. */
    @Nullable
    CacheResult measure(CacheEngine engine, String name, Path data, Watcher watcher)
            throws IOException, InterruptedException {
        List<CacheThread> threads = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < work.threads(); i++) {
            int end = (int) ((long) work.clients() * (i + 1) / work.threads());
            threads.add(new CacheThread(work, engine, items, first, end - first, this::isOver, System::nanoTime));
            first = end;
        }
        try {
            if (!work.test().isInsert()) {
                load(engine);
            }
            return isStopped.getAsBoolean() ? null : serve(engine, name, data, threads, watcher);
        } finally {
            isEnding.set(true);
            for (int i = 0; i < started.size(); i++) { // on a full heap too, where there is no memory for an iterator
                started.get(i).end(); // nobody may use the engine when this returns
            }
        }
    }

    private <T extends @Nullable Object> WorkThread<T> start(String name, Callable<T> part) {
        WorkThread<T> made = new WorkThread<>(name, part);
        started.add(made); // first: if there is no memory for it, nothing runs that nobody ends
        made.start();
        return made;
    }

    /** If one fails, the others end too. */
    private @Nullable Void orEnd(Runnable part) {
        boolean isDone = false;
        try {
            part.run();
            isDone = true;
        } finally {
            if (!isDone) {
                isEnding.set(true);
            }
        }
        return null;
    }

    /** Each thread its part; nothing of it is measured. */
    private void load(CacheEngine engine) throws InterruptedException {
        List<WorkThread<?>> parts = new ArrayList<>();
        for (int i = 0; i < work.threads(); i++) {
            int begin = (int) ((long) items.count() * i / work.threads());
            int end = (int) ((long) items.count() * (i + 1) / work.threads());
            parts.add(start("cache-load-" + i, () -> orEnd(() -> load(engine, begin, end))));
        }
        for (WorkThread<?> part : parts) {
            result(part);
        }
        engine.sync();
    }

    private void load(CacheEngine engine, int begin, int end) {
        for (int item = begin; item < end && !isOver(); item++) {
            long stamp = item + 1L;
            long ticket = engine.set(items.key(item), items.value(item, stamp));
            items.acknowledged(item, ticket, stamp);
        }
    }

    private CacheResult serve(CacheEngine engine, String name, Path data, List<CacheThread> threads, Watcher watcher)
            throws IOException, InterruptedException {
        try (CacheSeconds seconds = new CacheSeconds(engine, data, threads)) {
            if (output != null) {
                seconds.writeTo(output);
            }
            long startNs = System.nanoTime();
            List<WorkThread<?>> serving = new ArrayList<>();
            for (int i = 0; i < threads.size(); i++) {
                CacheThread thread = threads.get(i);
                serving.add(start("cache-serve-" + i, () -> orEnd(thread::run)));
            }
            CountDownLatch served = new CountDownLatch(1);
            WorkThread<CacheResult.@Nullable Checkpoint> checkpoint =
                    start("cache-checkpoint", () -> checkpoint(engine, startNs, served));
            long nextNs = startNs + TimeUnit.SECONDS.toNanos(1);
            for (WorkThread<?> each : serving) {
                while (!each.awaitEnd(nextNs - System.nanoTime())) {
                    tell(seconds, watcher, serving);
                    nextNs += TimeUnit.SECONDS.toNanos(1);
                }
                result(each);
            }
            tell(seconds, watcher, serving);
            served.countDown();
            boolean isStoppedEarly = isStopped.getAsBoolean();
            if (isStoppedEarly) {
                engine.hurry();
            }
            return new CacheResult(
                    work.test(),
                    work.mode(),
                    name,
                    threads.stream().mapToLong(CacheThread::setCount).sum(),
                    threads.stream().mapToLong(CacheThread::getCount).sum(),
                    threads.stream().mapToLong(CacheThread::missCount).sum(),
                    seconds.elapsedNs(),
                    seconds.latencies(),
                    seconds.all(),
                    isStoppedEarly ? null : result(checkpoint),
                    null);
        }
    }

    private boolean isOver() {
        return isEnding.get() || isStopped.getAsBoolean();
    }

    private void tell(CacheSeconds seconds, Watcher watcher, List<WorkThread<?>> serving) throws InterruptedException {
        long beganNs = seconds.elapsedNs();
        try {
            watcher.accept(seconds.next(), beganNs);
        } catch (RuntimeException e) { // as of a histogram that a thread has left half made, for want of memory
            isEnding.set(true);
            for (WorkThread<?> each : serving) {
                result(each); // the cause, then
            }
            throw e;
        }
    }

    /**
     * Writes the checkpoint that was asked for; null if there was none, or the run was over before it. At second 0
     * there is one, however short the run is.
     */
    private CacheResult.@Nullable Checkpoint checkpoint(CacheEngine engine, long startNs, CountDownLatch served) {
        long second = work.checkpointAtSecond();
        try {
            if (second == NONE || second > 0 && served.await(second, TimeUnit.SECONDS)) {
                return null;
            }
        } catch (InterruptedException e) {
            return null;
        }
        long beginNs = System.nanoTime();
        engine.checkpoint();
        return new CacheResult.Checkpoint(beginNs - startNs, System.nanoTime() - beginNs);
    }

    private static <T extends @Nullable Object> T result(WorkThread<T> part) throws InterruptedException {
        try {
            return part.result();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause()); // no part throws a checked exception
        }
    }
}
