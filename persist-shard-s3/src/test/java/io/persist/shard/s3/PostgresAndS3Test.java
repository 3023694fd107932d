package io.persist.shard.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardEvent;
import io.persist.shard.ShardListener;
import io.persist.shard.ShardReader;
import io.persist.shard.ShardWriter;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.AppendToken;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.postgres.server.CuttingProxy;
import io.persist.shard.postgres.server.CuttingProxy.Cut;
import io.persist.shard.postgres.server.PostgresServer;
import io.persist.shard.postgres.server.TestServer;
import io.persist.shard.state.BatchState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shards whose data is in S3 and whose truth is in PostgreSQL, written by several clients over bad lines. */
class PostgresAndS3Test {

    private static final String ID = "s1";
    private static final int WRITERS = 3;
    private static final int ROWS_EACH = 6;

    private PostgresServer server;
    private String schema;
    private String blob;

    @BeforeEach
    void openPlaces() throws Exception {
        server = TestServer.get();
        schema = server.freshSchema();
        blob = TestStore.freshUri();
    }

    /** A client with connections of its own, whose larger batches are objects. */
    private ShardClient client(int port, String name, Duration retryTime) {
        ShardConfig config = ShardConfig.builder()
                .inlineBatchBytes(150)
                .rollupEvery(5)
                .retryTime(retryTime)
                .build();
        String consensus = server.uri(port) + schema + "&ApplicationName=" + name;
        return ShardClient.open(blob, consensus, config);
    }

    private static Shard<String, String> shard(ShardClient client) {
        return client.shard(ID, Codec.utf8(), Codec.utf8());
    }

    /** Every second one is too long to be inline: it is an object. The others are seen in the request. */
    private static List<Update<String, String>> row(String key, int number, long time) {
        return List.of(new Update<>(key, number % 2 == 0 ? "" : "x".repeat(300), time, 1));
    }

    @Test
    void shouldLoseAndDoubleNothingOfSeveralClientsWhoseConnectionsAreCut() throws Exception {
        Set<String> acknowledged = new ConcurrentSkipListSet<>();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (CuttingProxy proxy = new CuttingProxy(server.port());
                ShardClient reading = client(server.port(), "reading", Contents.LONG)) {
            ShardReader<String, String> reader = shard(reading).reader();
            ShardListener<String, String> listener = reader.listen(0);
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = "w" + i;
                writers.add(threads.submit(() -> write(proxy, name, acknowledged)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            assertThat(proxy.cuts()).isPositive();
            Frontier upper = shard(reading).upper();
            Map<String, Long> contents = Contents.of(reader, upper.time() - 1);
            assertThat(acknowledged).hasSize(WRITERS * ROWS_EACH);
            assertThat(contents.keySet()).isEqualTo(acknowledged);
            assertThat(contents.values()).containsOnly(1L);
            assertThat(heard(listener, upper)).isEqualTo(contents);
        } finally {
            threads.shutdown();
        }
    }

    /** Appends rows behind whatever is there. The line is cut at the first attempt of those that are inline. */
    private void write(CuttingProxy proxy, String name, Set<String> acknowledged) {
        try (ShardClient client = client(proxy.port(), name, Contents.LONG)) {
            ShardWriter<String, String> writer = shard(client).writer();
            for (int i = 0; i < ROWS_EACH; i++) {
                String key = name + "-" + i;
                if (i % 2 == 0) {
                    proxy.cut(i == 2 ? Cut.BEFORE_REQUEST : Cut.BEFORE_ANSWER, key);
                }
                append(writer, key, i);
                acknowledged.add(key);
            }
        }
    }

    private static void append(ShardWriter<String, String> writer, String key, int number) {
        AppendResult result;
        do {
            Frontier upper = writer.upper();
            long time = Math.max(1, upper.time());
            result = writer.compareAndAppend(row(key, number, time), upper, Frontier.after(time));
        } while (!result.isAppended());
    }

    private static Map<String, Long> heard(ShardListener<String, String> listener, Frontier upper)
            throws InterruptedException {
        Map<String, Long> sums = new TreeMap<>();
        while (listener.frontier().isBelow(upper)) {
            ShardEvent<String, String> event = listener.poll(Contents.LONG);
            assertThat(event).as("an event within %s", Contents.LONG).isNotNull();
            if (event instanceof ShardEvent.Updates<String, String> updates) {
                updates.updates().forEach(update -> sums.merge(update.key(), update.diff(), Long::sum));
            }
        }
        return sums;
    }

    /** The one that is told is that it may have happened; the same call with the same token settles it. */
    @Test
    void shouldSayThatItMayHaveHappenedAndSettleItByTheToken() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.port());
                ShardClient client = client(proxy.port(), "cut", Duration.ZERO);
                ShardClient other = client(server.port(), "other", Contents.LONG)) {
            ShardWriter<String, String> writer = shard(client).writer();
            AppendToken token = AppendToken.random();
            proxy.cut(Cut.BEFORE_ANSWER, "row-of-this-append");
            Frontier one = Frontier.at(1);
            List<Update<String, String>> updates = List.of(new Update<>("row-of-this-append", "", 0, 1));
            assertThatThrownBy(() -> writer.compareAndAppend(token, updates, Frontier.MINIMUM, one))
                    .isInstanceOf(IndeterminateException.class);
            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(shard(other).upper()).isEqualTo(one); // it has happened
            assertThat(writer.compareAndAppend(token, updates, Frontier.MINIMUM, one)
                            .isAppended())
                    .isTrue();
            assertThat(Contents.of(shard(other).reader(), 0)).isEqualTo(Map.of("row-of-this-append", 1L));
        }
    }

    /** Whoever writes in another process is heard, though nobody signals it. */
    @Test
    void shouldHearWhatAnotherClientWrites() throws Exception {
        try (ShardClient one = client(server.port(), "one", Contents.LONG);
                ShardClient two = client(server.port(), "two", Contents.LONG)) {
            ShardListener<String, String> listener = shard(one).reader().listen(0);
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try {
                Future<Map<String, Long>> hears = thread.submit(() -> heard(listener, Frontier.at(3)));
                append(shard(two).writer(), "a", 0);
                append(shard(two).writer(), "b", 1);
                assertThat(hears.get(2, TimeUnit.MINUTES)).isEqualTo(Map.of("a", 1L, "b", 1L));
            } finally {
                thread.shutdown();
            }
        }
    }

    private List<BatchState> batches() {
        try (Consensus consensus = Locations.consensus(server.uri() + schema)) {
            return ShardMachine.look(consensus, ID).batches();
        }
    }

    @Test
    void shouldMergeAndCollectInBoth() throws Exception {
        try (ShardClient client = client(server.port(), "upkeep", Contents.LONG)) {
            Shard<String, String> shard = shard(client);
            ShardWriter<String, String> writer = shard.writer();
            for (int i = 0; i < 20; i++) {
                append(writer, "k" + i % 2, i);
            }
            shard.maintain();
            shard.maintain();
            List<BatchState> batches = batches();
            assertThat(batches).hasSizeLessThan(20);
            List<String> named =
                    batches.stream().flatMap(batch -> batch.objects().stream()).toList();
            List<String> there = new ArrayList<>();
            try (var places = Locations.blob(blob)) {
                places.list("", (name, length) -> there.add(name));
            }
            assertThat(there).containsAll(named);
            long last = shard.upper().time() - 1;
            assertThat(Contents.of(shard.reader(), last)).isEqualTo(Map.of("k0", 10L, "k1", 10L));
        }
    }
}
