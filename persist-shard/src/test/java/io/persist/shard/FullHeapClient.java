package io.persist.shard;

import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.shard.model.Codec;
import io.persist.shard.model.ShardConfig;
import io.persist.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A program with a client whose heap is full now and then, as of something else; a process of its own. */
final class FullHeapClient {

    private static final int SHARDS = 40;
    private static final int TIMES = 6;
    private static final long FULL_NS = TimeUnit.SECONDS.toNanos(2);
    private static final Duration LEASE = Duration.ofMinutes(15);

    private static volatile boolean isFull;
    private static volatile Object[] kept;

    private FullHeapClient() {}

    /** Each renewal finds the heap full, if it is to be. */
    private static final class FullConsensus extends ForwardingConsensus {

        FullConsensus() {
            super(new MemConsensus());
        }

        @Override
        public boolean compareAndSet(String key, long expected, Version next) {
            if (isFull) {
                fill();
            }
            return super.compareAndSet(key, expected, next);
        }

        @Override
        public void close() {}
    }

    private static void fill() {
        int length = 1 << 16;
        while (isFull) {
            try {
                Object[] next = new Object[length];
                next[0] = kept;
                kept = next;
            } catch (OutOfMemoryError full) {
                if (length == 1) {
                    throw full;
                }
                length /= 2;
            }
        }
    }

    /** Says when all is well. */
    public static void main(String[] args) {
        ManualClock clock = new ManualClock();
        ShardConfig config = ShardConfig.builder()
                .clock(clock)
                .readerLease(LEASE)
                .writerLease(LEASE)
                .upkeep(ShardConfig.Upkeep.BACKGROUND)
                .build();
        ShardClient client = ShardClient.open(new MemBlob(), new FullConsensus(), config);
        List<Shard<String, String>> shards = new ArrayList<>();
        List<ShardWriter<String, String>> writers = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            shards.add(client.shard("s" + i, Codec.utf8(), Codec.utf8()));
            writers.add(shards.get(i).writer());
        }
        for (int i = 0; i < TIMES; i++) {
            long startNs = System.nanoTime();
            clock.advanceMs(LEASE.toMillis() / 2);
            isFull = true;
            while (System.nanoTime() - startNs < FULL_NS) {
                LockSupport.parkNanos(1000);
            }
            isFull = false;
            while (!isFree()) {
                LockSupport.parkNanos(1000);
            }
            Await.until("all leases are renewed", () -> shards.stream().allMatch(shard -> isRenewed(shard, clock)));
            Await.until("all is well", () -> client.upkeepFailure() == null);
        }
        System.out.println(Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("shard-leases") || name.startsWith("shard-upkeep"))
                .sorted()
                .toList());
        client.close();
        System.out.println("closed " + writers.size());
    }

    private static boolean isFree() {
        kept = null; // again and again: a thread may be adding to it
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()
                < Runtime.getRuntime().maxMemory() / 2;
    }

    private static boolean isRenewed(Shard<String, String> shard, ManualClock clock) {
        return shard.state().writers().values().stream().allMatch(each -> each.heartbeatMs() == clock.millis());
    }
}
