package io.persist.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of a server while clients set: each set that it has acknowledged is there after a restart. */
class KillTest {

    private static final int CLIENTS = 4;
    private static final int KEYS = 50;
    private static final int PIPELINE = 5;

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, Integer> sent = new ConcurrentHashMap<>();

    @TempDir
    Path directory;

    @Test
    void shouldHaveEachAcknowledgedSetAfterKills() throws Exception {
        kill(2);
    }

    @Test
    @Tag("nightly")
    void shouldHaveEachAcknowledgedSetAfterHundredKills() throws Exception {
        kill(100);
    }

    private void kill(int kills) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            for (int kill = 0; kill < kills; kill++) {
                try (Child server = Child.start(directory, "sync")) {
                    check(server);
                    int before = total();
                    List<Future<?>> running = new ArrayList<>();
                    for (int i = 0; i < CLIENTS; i++) {
                        int client = i;
                        running.add(clients.submit(() -> set(server, client)));
                    }
                    int enough = 1 + random.nextInt(300);
                    while (total() < before + enough && server.process.isAlive()) {
                        LockSupport.parkNanos(50_000); // the server needs this CPU
                    }
                    assertThat(server.process.isAlive()).as("ended by itself").isTrue();
                    server.process.destroyForcibly().waitFor();
                    for (Future<?> client : running) {
                        client.get(1, TimeUnit.MINUTES);
                    }
                }
            }
            try (Child server = Child.start(directory, "sync")) {
                check(server);
                assertThat(acknowledged).isNotEmpty();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private int total() {
        return acknowledged.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Each key belongs to one client, and its values go up by one. */
    private void set(Child server, int number) {
        try (Child.Client client = server.client()) {
            for (int i = 0; ; i++) {
                StringBuilder pipeline = new StringBuilder();
                List<String> keys = new ArrayList<>();
                for (int j = 0; j < PIPELINE; j++) {
                    String key = "key" + number + "-" + (i * PIPELINE + j) % KEYS;
                    String value = Integer.toString(sent.merge(key, 1, Integer::sum));
                    pipeline.append("set " + key + " 0 0 " + value.length() + "\r\n" + value + "\r\n");
                    keys.add(key);
                }
                client.send(pipeline.toString());
                for (String key : keys) {
                    if (!"STORED".equals(client.line())) {
                        return;
                    }
                    acknowledged.merge(key, 1, Integer::sum);
                }
            }
        } catch (IOException killed) {
            // Nothing more is acknowledged.
        }
    }

    private void check(Child server) throws IOException {
        try (Child.Client client = server.client()) {
            for (Map.Entry<String, Integer> entry : sent.entrySet()) {
                String key = entry.getKey();
                int most = entry.getValue();
                int least = acknowledged.getOrDefault(key, 0);
                int found = 0;
                String line = client.ask("get " + key);
                if (!line.equals("END")) {
                    found = Integer.parseInt(client.line());
                    assertThat(client.line()).isEqualTo("END");
                }
                assertThat(found).as(key + ", seed=" + seed).isBetween(least, most);
                acknowledged.put(key, found); // what was on its way may be there or not; from now on it is known
                sent.put(key, found);
            }
        }
    }
}
