package io.persist.shard;

import io.persist.shard.upkeep.Attempts;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of all shards of a client. Each second those shards line up that do not wait yet, and a few threads
 * serve them: of many shards, or with a consensus that takes long, none waits for all others.
 *
 * <p><b>Threads:</b> any.
 */
final class Renewals implements AutoCloseable {

    /** Appends need connections, too, of which a place may have but a few. */
    private static final int AT_ONCE = 4;

    private final OpenShards shards;
    private final BooleanSupplier isClosed;

    /** How the last renewal of a shard failed. */
    private final Map<OpenShard, Throwable> failures = new ConcurrentHashMap<>();

    /** Those that wait, or are being renewed. */
    private final Set<OpenShard> inLine = ConcurrentHashMap.newKeySet();

    private final ThreadPoolExecutor threads;
    private final BackgroundThread rounds;

    /** Renewals of {@code shards} until the client {@code isClosed}. */
    Renewals(OpenShards shards, BooleanSupplier isClosed) {
        this.shards = shards;
        this.isClosed = isClosed;
        AtomicInteger number = new AtomicInteger();
        this.threads =
                new ThreadPoolExecutor(AT_ONCE, AT_ONCE, 0, TimeUnit.SECONDS, new PriorityBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "shard-leases-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        this.rounds = new BackgroundThread("shard-leases", this::lineUp);
    }

    /**
     * When it is a shard's turn. The lease that ends first comes first. But what has failed comes behind all others: it
     * may fail again, and the consensus may take long for that each time.
     */
    record Rank(boolean hasFailed, long endMs) implements Comparable<Rank> {

        private static final Comparator<Rank> ORDER =
                Comparator.comparing(Rank::hasFailed).thenComparingLong(Rank::endMs);

        @Override
        public int compareTo(Rank other) {
            return ORDER.compare(this, other);
        }
    }

    /** One renewal of one shard. */
    private final class Renewal implements Runnable, Comparable<Renewal> {

        private final OpenShard shard;
        private final Rank rank;

        Renewal(OpenShard shard) {
            this.shard = shard;
            this.rank = new Rank(failures.containsKey(shard), shard.firstEndMs());
        }

        @Override
        public int compareTo(Renewal other) {
            return rank.compareTo(other.rank);
        }

        @Override
        public void run() {
            try {
                if (!isClosed.getAsBoolean()) {
                    renew(shard);
                }
            } catch (Throwable failed) { // a place in another language may throw anything, and memory may be short
                failures.put(shard, failed);
            } finally {
                inLine.remove(shard);
            }
        }
    }

    private void renew(OpenShard shard) {
        Attempts attempts = new Attempts();
        shard.renew(attempts);
        Throwable failed = attempts.failure();
        if (failed == null) {
            failures.remove(shard);
        } else {
            failures.put(shard, failed);
        }
    }

    private boolean lineUp(Attempts attempts) {
        List<OpenShard> all = shards.all();
        failures.keySet().retainAll(all); // others were let go of
        all.stream()
                .filter(shard -> !inLine.contains(shard))
                .map(Renewal::new)
                .sorted() // the first ones find a thread without waiting
                .forEach(renewal -> attempts.run(() -> begin(renewal)));
        return false;
    }

    private void begin(Renewal renewal) {
        inLine.add(renewal.shard);
        try {
            threads.execute(renewal);
        } catch (RuntimeException | Error notStarted) { // such as a thread that the system has no memory for
            inLine.remove(renewal.shard);
            throw notStarted;
        }
    }

    /** Why the last renewal of a shard failed, if there is one whose last renewal did; else null. */
    @Nullable
    Throwable failure() {
        for (Throwable failed : failures.values()) {
            return failed;
        }
        return rounds.failure();
    }

    /** Waits for the renewals that are under way; those that wait for a thread find that the client is closed. */
    @Override
    public void close() {
        rounds.close();
        threads.shutdown();
        BackgroundThread.awaitEnd(threads);
    }
}
