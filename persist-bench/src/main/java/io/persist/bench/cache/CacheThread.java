package io.persist.bench.cache;

import io.persist.bench.latency.NanoClock;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * A thread that serves its clients, as memtier's do: each client sends its next request as soon as it is answered, and
 * so has one outstanding all the time. The thread takes them in turn. A get is answered when its turn has come, and so
 * is a set, unless it has to be synced: then the thread goes on with its other clients, until the thread that syncs
 * says that it is done.
 *
 * <p>A latency is what the client sees, as memtier measures it: from the sending to the answer, with the wait for the
 * thread.
 */
final class CacheThread {

    private static final long LONGEST_PARK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CacheRun.Work work;
    private final CacheEngine engine;
    private final CacheItems items;
    private final BooleanSupplier isStopped;
    private final NanoClock clock;
    private final ArrayDeque<Client> idle = new ArrayDeque<>();
    private final Queue<Client> synced = new ConcurrentLinkedQueue<>();
    private final SingleWriterRecorder sets = CacheSeconds.recorder();
    private final SingleWriterRecorder gets = CacheSeconds.recorder();

    private long startNs;

    /** Of this thread's own. */
    private int outstanding;

    private long setCount;
    private long getCount;
    private long missCount;

    /** Serves the clients with these numbers: from {@code first} on, {@code count} of them. */
    CacheThread(
            CacheRun.Work work,
            CacheEngine engine,
            CacheItems items,
            int first,
            int count,
            BooleanSupplier isStopped,
            NanoClock clock) {
        this.work = work;
        this.engine = engine;
        this.items = items;
        this.isStopped = isStopped;
        this.clock = clock;
        for (int i = first; i < first + count; i++) {
            idle.add(new Client(i));
        }
    }

    /** One of them. Only this thread changes it; the one that syncs only says that it is done, by the queue. */
    private final class Client implements CacheEngine.Synced {

        private final long quota;
        private final long number;
        private final int begin;
        private final int length;
        private final SplittableRandom random;
        private long issued;
        private long sentNs;
        private int item;
        private long stamp;
        private long ticket;
        private Thread server = Thread.currentThread();
        private @Nullable Throwable failure;

        private Client(int number) {
            this.number = number;
            this.quota = work.quota(number);
            this.begin = (int) ((long) items.count() * number / work.clients());
            int end = (int) ((long) items.count() * (number + 1) / work.clients());
            this.length = Math.max(1, end - begin);
            this.random = new SplittableRandom(work.seed() + number);
        }

        /** Sends its first request to the thread that calls. */
        private void begin(long nowNs) {
            server = Thread.currentThread();
            sentNs = nowNs;
        }

        private int nextItem() {
            return work.test().pattern() == CacheTest.Pattern.RANDOM
                    ? random.nextInt(items.count())
                    : (int) (begin + issued % length) % items.count();
        }

        @Override
        public void done(@Nullable Throwable why) {
            failure = why;
            synced.add(this);
            LockSupport.unpark(server);
        }
    }

    /** Makes all requests of its clients, and more until the time is over. */
    void run() {
        idle.removeIf(client -> client.quota == 0);
        startNs = clock.nanoTime();
        idle.forEach(client -> client.begin(startNs));
        while (!idle.isEmpty() || outstanding > 0) {
            takeSynced();
            Client client = idle.poll();
            if (client != null) {
                issue(client);
            } else if (outstanding > 0 && synced.isEmpty()) {
                LockSupport.parkNanos(this, LONGEST_PARK_NS);
            }
        }
    }

    private void takeSynced() {
        for (Client client = synced.poll(); client != null; client = synced.poll()) {
            outstanding--;
            Throwable failure = client.failure;
            if (failure != null) {
                throw new IllegalStateException("a set was not synced: " + failure.getMessage(), failure);
            }
            acknowledged(client);
        }
    }

    private void issue(Client client) {
        client.item = client.nextItem();
        byte[] key = items.key(client.item);
        if (work.test().isSet(client.issued)) {
            client.stamp = ((client.number + 1) << 40) + client.issued + 1;
            byte[] value = items.value(client.item, client.stamp);
            client.issued++;
            client.ticket = engine.set(key, value);
            if (work.mode() == CacheMode.SYNC) {
                outstanding++;
                engine.whenSynced(client.ticket, client);
            } else {
                acknowledged(client);
            }
        } else {
            client.issued++;
            if (!engine.get(key, value -> items.stamp(client.item, value))) {
                missCount++;
            }
            answered(client, gets);
            getCount++;
            again(client);
        }
    }

    private void acknowledged(Client client) {
        answered(client, sets);
        setCount++;
        items.acknowledged(client.item, client.ticket, client.stamp);
        again(client);
    }

    private void answered(Client client, SingleWriterRecorder latencies) {
        long nowNs = clock.nanoTime();
        latencies.recordValue(nowNs - client.sentNs);
        client.sentNs = nowNs; // of the next one, which waits for its turn from now on
    }

    private void again(Client client) {
        boolean goesOn = client.issued < client.quota || client.sentNs - startNs < work.leastNs();
        if (goesOn && !isStopped.getAsBoolean()) {
            idle.add(client);
        }
    }

    /** The latencies of its sets, ns; any thread may ask for an interval of them. */
    SingleWriterRecorder sets() {
        return sets;
    }

    /** The latencies of its gets, ns, likewise. */
    SingleWriterRecorder gets() {
        return gets;
    }

    /** Once the thread has ended, as the next two. */
    long setCount() {
        return setCount;
    }

    long getCount() {
        return getCount;
    }

    long missCount() {
        return missCount;
    }
}
