package io.persist.bench.cache;

import io.persist.bench.cache.CacheSeconds.Second;
import io.persist.bench.host.DirectoryTree;
import io.persist.error.PersistException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    private final AtomicBoolean hasFailed = new AtomicBoolean();

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
        ExecutorService pool = Executors.newFixedThreadPool(work.threads() + 1);
        try {
            if (!work.test().isInsert()) {
                load(engine, pool);
            }
            return isStopped.getAsBoolean() ? null : serve(engine, name, data, threads, pool, watcher);
        } finally {
            end(pool);
        }
    }

    /** Nobody may use the engine when this returns. */
    private static void end(ExecutorService pool) {
        pool.shutdownNow();
        boolean hasEnded = false;
        boolean interrupted = false;
        while (!hasEnded) {
            try {
                hasEnded = pool.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Each thread its part; nothing of it is measured. */
    private void load(CacheEngine engine, ExecutorService pool) throws InterruptedException {
        List<Future<?>> parts = new ArrayList<>();
        for (int i = 0; i < work.threads(); i++) {
            int begin = (int) ((long) items.count() * i / work.threads());
            int end = (int) ((long) items.count() * (i + 1) / work.threads());
            parts.add(pool.submit(() -> load(engine, begin, end)));
        }
        for (Future<?> part : parts) {
            end(part);
        }
        engine.sync();
    }

    private void load(CacheEngine engine, int begin, int end) {
        for (int item = begin; item < end && !isStopped.getAsBoolean(); item++) {
            long stamp = item + 1L;
            long ticket = engine.set(items.key(item), items.value(item, stamp));
            items.acknowledged(item, ticket, stamp);
        }
    }

    private CacheResult serve(
            CacheEngine engine,
            String name,
            Path data,
            List<CacheThread> threads,
            ExecutorService pool,
            Watcher watcher)
            throws IOException, InterruptedException {
        try (CacheSeconds seconds = new CacheSeconds(engine, data, threads)) {
            if (output != null) {
                seconds.writeTo(output);
            }
            long startNs = System.nanoTime();
            List<Future<?>> serving = new ArrayList<>();
            threads.forEach(thread -> serving.add(pool.submit(() -> serve(thread))));
            CountDownLatch served = new CountDownLatch(1);
            Future<CacheResult.@Nullable Checkpoint> checkpoint =
                    pool.submit(() -> checkpoint(engine, startNs, served));
            long nextNs = startNs + TimeUnit.SECONDS.toNanos(1);
            for (Future<?> each : serving) {
                while (!isDone(each, nextNs - System.nanoTime())) {
                    tell(seconds, watcher);
                    nextNs += TimeUnit.SECONDS.toNanos(1);
                }
            }
            tell(seconds, watcher);
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
                    isStoppedEarly ? null : end(checkpoint),
                    null);
        }
    }

    /** If one fails, the others end too. */
    private void serve(CacheThread thread) {
        boolean isDone = false;
        try {
            thread.run();
            isDone = true;
        } finally {
            if (!isDone) {
                hasFailed.set(true);
            }
        }
    }

    private boolean isOver() {
        return hasFailed.get() || isStopped.getAsBoolean();
    }

    private static void tell(CacheSeconds seconds, Watcher watcher) {
        long beganNs = seconds.elapsedNs();
        watcher.accept(seconds.next(), beganNs);
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

    private static <T extends @Nullable Object> T end(Future<T> part) throws InterruptedException {
        try {
            return part.get();
        } catch (ExecutionException e) {
            throw failed(e.getCause());
        }
    }

    private static RuntimeException failed(@Nullable Throwable cause) {
        if (cause instanceof PersistException known) {
            return known;
        }
        return new IllegalStateException(cause == null ? "failed" : cause.getMessage(), cause);
    }

    private static boolean isDone(Future<?> part, long timeoutNs) throws InterruptedException {
        try {
            part.get(Math.max(0, timeoutNs), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw failed(e.getCause());
        }
    }
}
