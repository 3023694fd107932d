package io.persist.shard.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardWriter;
import io.persist.shard.Snapshot;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import io.persist.shard.location.Version;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.postgres.server.PostgresServer;
import io.persist.shard.postgres.server.TestServer;
import io.persist.support.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server is killed again and again in the midst of writes, and recovers. It is one whose commits are not durable
 * by themselves. {@code -Dpersist.crashes=} says how often.
 */
@Tag("nightly")
class KilledServerTest {

    private static final int CRASHES = Integer.getInteger("persist.crashes", 10);
    private static final int WRITERS = 2; // of each kind
    private static final int WRITES_BEFORE = 20;
    private static final long MOST_NS_BEFORE = 30_000_000;
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final Semaphore writes = new Semaphore(0);
    private final AtomicInteger determinate = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final Set<String> acknowledged = new ConcurrentSkipListSet<>();

    @Test
    void shouldLoseNothingAcknowledgedAndTellWhatIsUnknown() throws Exception {
        TestServer.get(); // or it is skipped
        SplittableRandom random = new SplittableRandom(Seeds.seed());
        ExecutorService threads = Executors.newCachedThreadPool();
        try (PostgresServer server = PostgresServer.start("synchronous_commit=off");
                Consensus consensus = Locations.consensus(server.freshUri());
                ShardClient client = ShardClient.open(
                        "file://" + directory,
                        server.freshUri(),
                        ShardConfig.builder()
                                .retryTime(LONG)
                                .inlineBatchBytes(100)
                                .build())) {
            Shard<String, String> shard = client.shard("s1", Codec.utf8(), Codec.utf8());
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = "w" + i;
                running.add(threads.submit((Callable<Void>) () -> count(consensus, name)));
                running.add(threads.submit((Callable<Void>) () -> append(shard, name)));
            }
            for (int i = 0; i < CRASHES && running.stream().noneMatch(Future::isDone); i++) {
                assertThat(writes.tryAcquire(WRITES_BEFORE, LONG.toMinutes(), TimeUnit.MINUTES))
                        .as("it writes")
                        .isTrue();
                LockSupport.parkNanos(random.nextLong(MOST_NS_BEFORE)); // the moment, not a wait for something
                server.crash();
                writes.drainPermits();
            }
            isOver.set(true);
            for (Future<?> each : running) {
                each.get(LONG.toMinutes(), TimeUnit.MINUTES);
            }
            check(shard);
        } finally {
            isOver.set(true);
            threads.shutdown();
        }
        System.out.println("KilledServerTest: " + CRASHES + " crashes, " + acknowledged.size() + " rows acknowledged, "
                + unknown + " unknown outcomes, " + determinate + " that surely did not happen");
    }

    /** Versions of a key that nobody else writes: each answer is held against what is there. */
    private Void count(Consensus consensus, String key) {
        long head = Consensus.NONE;
        while (!isOver.get()) {
            long next = head + 1;
            try {
                assertThat(consensus.compareAndSet(key, head, new Version(next, new byte[100])))
                        .as("%s has its last version, %d", key, head)
                        .isTrue();
                head = next;
                writes.release();
            } catch (DeterminateException notDone) {
                determinate.incrementAndGet();
                assertThat(number(consensus, key))
                        .as("it surely did not happen")
                        .isEqualTo(head);
            } catch (IndeterminateException mayBe) {
                unknown.incrementAndGet();
                long there = number(consensus, key);
                assertThat(there).as("it happened or not").isBetween(head, next);
                head = there;
            }
        }
        assertThat(number(consensus, key)).isEqualTo(head);
        return null;
    }

    /** The newest number, when the server answers again. */
    private static long number(Consensus consensus, String key) {
        while (true) {
            try {
                Version head = consensus.head(key);
                return head == null ? Consensus.NONE : head.number();
            } catch (DeterminateException down) {
                Thread.yield();
            }
        }
    }

    private Void append(Shard<String, String> shard, String name) {
        try (ShardWriter<String, String> writer = shard.writer()) {
            for (int i = 0; !isOver.get(); i++) {
                String key = name + "-" + i;
                AppendResult result;
                do {
                    Frontier upper = writer.upper();
                    String value = i % 2 == 0 ? "" : "x".repeat(200);
                    result = writer.compareAndAppend(
                            List.of(new Update<>(key, value, upper.time(), 1)), upper, Frontier.after(upper.time()));
                } while (!result.isAppended());
                acknowledged.add(key);
                writes.release();
            }
        }
        return null;
    }

    private void check(Shard<String, String> shard) throws InterruptedException {
        Frontier upper = shard.upper();
        Map<String, Long> contents = new TreeMap<>();
        try (Snapshot<String, String> snapshot = shard.reader().snapshot(upper.time() - 1, LONG)) {
            snapshot.forEachRemaining(update -> contents.merge(update.key(), update.diff(), Long::sum));
        }
        assertThat(contents.keySet())
                .as("nothing is lost, and nothing more is there")
                .isEqualTo(acknowledged);
        assertThat(contents.values()).as("nothing is there twice").containsOnly(1L);
        assertThat((long) contents.size()).as("one row at each time").isEqualTo(upper.time());
    }
}
