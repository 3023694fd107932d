package io.persist.shard;

import io.persist.shard.thread.LastingThread;
import io.persist.shard.upkeep.Attempts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
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
    private final PriorityQueue<Renewal> line = new PriorityQueue<>(); // guarded by this
    private boolean isEnding; // guarded by this
    private final List<LastingThread> threads = new ArrayList<>(AT_ONCE); // to add one needs no memory
    private final BackgroundThread rounds;

    /** Renewals of {@code shards} until the client {@code isClosed}; refuses if it cannot have its threads. */
    Renewals(OpenShards shards, BooleanSupplier isClosed) {
        this.shards = shards;
        this.isClosed = isClosed;
        boolean isOpen = false;
        try {
            for (int i = 1; i <= AT_ONCE; i++) {
                threads.add(LastingThread.start("shard-leases-" + i, this::serve));
            }
            this.rounds = new BackgroundThread("shard-leases", this::lineUp);
            isOpen = true;
        } finally {
            if (!isOpen) {
                end();
            }
        }
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
    private record Renewal(OpenShard shard, Rank rank) implements Comparable<Renewal> {

        @Override
        public int compareTo(Renewal other) {
            return rank.compareTo(other.rank);
        }
    }

    /** The first of the line, when there is one. */
    private void serve() throws InterruptedException {
        OpenShard shard = next();
        if (shard == null) {
            return;
        }
        try {
            if (!isClosed.getAsBoolean()) {
                Attempts attempts = new Attempts();
                shard.renew(attempts);
                shard.renewed(attempts.failure());
            }
        } catch (Throwable failed) { // a place in another language may throw anything, and memory may be short
            shard.renewed(failed);
        } finally {
            shard.leaveLine();
        }
    }

    private synchronized @Nullable OpenShard next() throws InterruptedException {
        while (line.isEmpty() && !isEnding) {
            wait(); // for which the thread needs no memory
        }
        return isEnding ? null : line.remove().shard;
    }

    private boolean lineUp(Attempts attempts) {
        List<OpenShard> all = shards.all();
        synchronized (this) { // all of them: the first ones find a thread first
            for (OpenShard shard : all) {
                if (!shard.isInLine()) {
                    line.add(new Renewal(shard, new Rank(shard.renewalFailure() != null, shard.firstEndMs())));
                    shard.joinLine(); // behind what may need memory
                    notifyAll();
                }
            }
        }
        return false;
    }

    /** Why the last renewal of a shard failed, if there is one whose last renewal did; else null. */
    @Nullable
    Throwable failure() {
        for (OpenShard shard : shards.all()) {
            Throwable failed = shard.renewalFailure();
            if (failed != null) {
                return failed;
            }
        }
        return rounds.failure();
    }

    /** Waits for the renewals that are under way; those in the line are not made. */
    @Override
    public void close() {
        rounds.close();
        end();
    }

    private void end() {
        synchronized (this) {
            isEnding = true;
            notifyAll();
        }
        for (int i = 0; i < threads.size(); i++) { // on a full heap too, where there is no memory for an iterator
            threads.get(i).end();
        }
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).awaitEnd();
        }
    }
}
