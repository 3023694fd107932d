package io.persist.shard.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardEvent;
import io.persist.shard.ShardListener;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.postgres.server.TestServer;
import io.persist.support.ChildJvm;
import io.persist.support.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three processes write one shard over PostgreSQL and S3. Again and again one of them is killed, at any moment, and
 * another one takes its place, which has been waiting: most of a kill is the start of a JVM. {@code -Dpersist.kills=}
 * says how often.
 */
@Tag("nightly")
class KilledWritersTest {

    private static final int PROCESSES = 3;
    private static final int WAITING = 2;
    private static final int KILLS = Integer.getInteger("persist.kills", 100);
    private static final int MOST_ROWS_BEFORE = 8;
    private static final long MOST_NS_BEFORE = 30_000_000;

    private final Set<String> acknowledged = new ConcurrentSkipListSet<>();
    private final String blob = TestStore.freshUri();
    private String consensus;
    private int started;

    /** One of the processes; what it acknowledges is heard by a thread. */
    private final class Writer {
        private final ChildJvm jvm;
        private final Thread hearing;
        private final Semaphore rows = new Semaphore(0);

        private Writer() throws IOException {
            List<String> command = ChildJvm.command(AppendingProcess.class, blob, consensus, "s1", "p" + started++);
            command.addAll(1, List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // it is dead soon
            jvm = ChildJvm.run(command);
            hearing = new Thread(this::hear);
            hearing.start();
        }

        private void hear() {
            try {
                for (String key = jvm.hear(); key != null; key = jvm.hear()) {
                    acknowledged.add(key);
                    rows.release();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private Writer begin() {
            jvm.tell("go");
            return this;
        }

        private void awaitRows(int count) throws InterruptedException {
            assertThat(rows.tryAcquire(count, 5, TimeUnit.MINUTES))
                    .as("it appends")
                    .isTrue();
        }

        private void kill() throws InterruptedException {
            jvm.kill();
            hearing.join();
        }

        private void end() throws InterruptedException {
            assertThat(jvm.awaitEnd()).isZero();
            hearing.join();
        }
    }

    @Test
    void shouldLoseAndDoubleNothingWhenWritersAreKilled() throws Exception {
        consensus = TestServer.get().freshUri() + "&connectTimeout=120&loginTimeout=120"; // beside load
        SplittableRandom random = new SplittableRandom(Seeds.seed());
        List<Writer> writers = new ArrayList<>();
        Queue<Writer> waiting = new ArrayDeque<>();
        for (int i = 0; i < PROCESSES; i++) {
            writers.add(new Writer().begin());
        }
        for (int i = 0; i < WAITING; i++) {
            waiting.add(new Writer());
        }
        try (ShardClient client = ShardClient.open(blob, consensus)) {
            Shard<String, String> shard = client.shard("s1", Codec.utf8(), Codec.utf8());
            ShardListener<String, String> listener = shard.reader().subscribe(0);
            for (int i = 0; i < KILLS; i++) {
                int which = random.nextInt(PROCESSES);
                writers.get(which).awaitRows(1 + random.nextInt(MOST_ROWS_BEFORE));
                LockSupport.parkNanos(random.nextLong(MOST_NS_BEFORE)); // the moment, not a wait for something
                writers.get(which).kill();
                writers.set(which, waiting.remove().begin());
                waiting.add(new Writer());
                if (i % 10 == 9) {
                    System.out.println("KilledWritersTest: " + (i + 1) + " kills");
                }
            }
            for (Writer writer : writers) {
                writer.awaitRows(1);
                writer.end();
            }
            check(shard, listener);
        } finally {
            writers.addAll(waiting);
            for (Writer writer : writers) {
                writer.jvm.close();
            }
        }
    }

    private void check(Shard<String, String> shard, ShardListener<String, String> listener) throws Exception {
        Frontier upper = shard.upper();
        Map<String, Long> contents = Contents.of(shard.reader(), upper.time() - 1);
        System.out.println("KilledWritersTest: " + KILLS + " kills, " + acknowledged.size() + " rows acknowledged, "
                + contents.size() + " there");
        assertThat(contents.keySet()).as("nothing acknowledged is lost").containsAll(acknowledged);
        assertThat(contents.values()).as("nothing is there twice").containsOnly(1L);
        assertThat((long) contents.size()).as("one row at each time").isEqualTo(upper.time());
        Map<String, Long> heard = new TreeMap<>();
        while (listener.frontier().isBelow(upper)) {
            ShardEvent<String, String> event = listener.poll(Contents.LONG);
            assertThat(event).isNotNull();
            if (event instanceof ShardEvent.Updates<String, String> updates) {
                updates.updates().forEach(update -> heard.merge(update.key(), update.diff(), Long::sum));
            }
        }
        assertThat(heard).as("what was listened to").isEqualTo(contents);
    }
}
