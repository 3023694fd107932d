package io.persist.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Instances that are killed at random moments, on a real broker: output and state are as without kills. A killed
 * instance is started again on its own files; while it is away the other one takes its tasks over.
 */
class KillTest {

    private static final int KEYS = 20;
    private static final int BATCH = 200;

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private final List<Map.Entry<String, String>> sent = new ArrayList<>();
    private final Set<Process> atWork = new HashSet<>();

    @TempDir
    Path directory;

    @Test
    void shouldHaveEachRecordOnceAfterAKillUnderExactlyOnce() throws Exception {
        try (Broker broker = Broker.start()) {
            exactlyOnce(broker, 1, 1);
        }
    }

    @Test
    @Tag("nightly")
    void shouldHaveEachRecordOnceAfterFiftyKillsUnderExactlyOnce() throws Exception {
        try (Broker broker = Broker.start()) {
            exactlyOnce(broker, 50, 2);
        }
    }

    @Test
    @Tag("nightly")
    void shouldLoseNothingByFiftyKillsUnderAtLeastOnce() throws Exception {
        try (Broker broker = Broker.start()) {
            atLeastOnce(broker, 50, 2);
        }
    }

    private void exactlyOnce(Broker broker, int kills, int instances) throws Exception {
        String name = "once";
        KafkaStreams last = runWithKills(broker, StreamsConfig.EXACTLY_ONCE_V2, name, kills, instances, "+");
        Map<String, List<Long>> output = byKey(broker.readUntil(name + "-out", all -> all.size() >= sent.size()));
        assertThat(output).as("seed=" + seed).isEqualTo(byKey(expected()));
        assertThat(state(last)).as("seed=" + seed).isEqualTo(expectedState());
        stop(last);
        assertThat(broker.read(name + "-out")).as("seed=" + seed).hasSize(sent.size());
    }

    private void atLeastOnce(Broker broker, int kills, int instances) throws Exception {
        String name = "least";
        KafkaStreams last = runWithKills(broker, StreamsConfig.AT_LEAST_ONCE, name, kills, instances, "=");
        List<Map.Entry<String, Long>> expected = expected();
        Map<String, List<Long>> wanted = byKey(expected);
        broker.readUntil(name + "-out", all -> {
            Map<String, List<Long>> seen = byKey(all);
            return seen.keySet().equals(wanted.keySet())
                    && wanted.keySet().stream()
                            .allMatch(key -> lastOf(seen.get(key)).equals(lastOf(wanted.get(key))));
        });
        assertThat(state(last)).as("seed=" + seed).isEqualTo(expectedState());
        stop(last);
        Map<String, List<Long>> seen = byKey(broker.read(name + "-out"));
        wanted.forEach((key, values) ->
                assertThat(seen.get(key)).as("seed=" + seed + ", key=" + key).containsAll(values));
    }

    /** Returns the last instance, which has all tasks, on the files of one that was killed. */
    private KafkaStreams runWithKills(
            Broker broker, String guarantee, String name, int kills, int instances, String verb) throws Exception {
        broker.createTopics(2, name + "-in", name + "-out");
        Process[] running = new Process[instances];
        try {
            for (int kill = 0; kill < kills; kill++) {
                for (int i = 0; i < instances; i++) {
                    if (running[i] == null) {
                        running[i] = spawn(broker, guarantee, name, i);
                    }
                }
                int victim = random.nextInt(instances);
                if (kill == 0 || random.nextInt(4) > 0) { // else while it starts
                    awaitWork(running[victim], victim);
                }
                send(broker, name, verb);
                boolean hasEnded = running[victim].waitFor(random.nextInt(1, 400), TimeUnit.MILLISECONDS);
                assertThat(hasEnded).as(() -> "ended by itself: " + log(victim)).isFalse();
                running[victim].destroyForcibly().waitFor();
                running[victim] = null;
            }
            send(broker, name, verb);
        } finally {
            for (Process process : running) {
                if (process != null) {
                    process.destroyForcibly().waitFor();
                }
            }
        }
        KafkaStreams last = LedgerApp.make(broker.bootstrapServers(), directory.resolve("0"), guarantee, name);
        last.start();
        return last;
    }

    private Process spawn(Broker broker, String guarantee, String name, int instance) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                LedgerApp.class.getName(),
                broker.bootstrapServers(),
                directory.resolve(Integer.toString(instance)).toString(),
                guarantee,
                name);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        File log = directory.resolve("log-" + instance).toFile();
        return builder.redirectError(ProcessBuilder.Redirect.appendTo(log)).start();
    }

    /** Reads what an instance says until it works; it says little, so nobody has to read the rest. */
    private void awaitWork(Process process, int instance) throws IOException {
        if (!atWork.add(process)) {
            return; // it has said so
        }
        BufferedReader said = process.inputReader();
        String line = said.readLine();
        while (line != null && !line.equals(LedgerApp.AT_WORK)) {
            line = said.readLine();
        }
        assertThat(line).as(() -> "ended by itself: " + log(instance)).isNotNull();
    }

    private String log(int instance) {
        try {
            return Files.readString(directory.resolve("log-" + instance));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void send(Broker broker, String name, String verb) {
        List<Map.Entry<String, String>> batch = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            String change = random.nextInt(10) == 0 ? "-" : verb.equals("=") ? "=" + (sent.size() + i + 1) : verb;
            batch.add(Map.entry("key" + random.nextInt(KEYS), change));
        }
        sent.addAll(batch);
        broker.send(name + "-in", batch);
    }

    /** What the application says if nothing happens to it. */
    private List<Map.Entry<String, Long>> expected() {
        Map<String, Long> state = new HashMap<>();
        List<Map.Entry<String, Long>> output = new ArrayList<>();
        for (Map.Entry<String, String> change : sent) {
            Long after = state.compute(change.getKey(), (key, before) -> LedgerApp.next(before, change.getValue()));
            output.add(Map.entry(change.getKey(), after == null ? Long.valueOf(0) : after));
        }
        return output;
    }

    private Map<String, Long> expectedState() {
        Map<String, Long> state = new TreeMap<>();
        sent.forEach(
                change -> state.compute(change.getKey(), (key, before) -> LedgerApp.next(before, change.getValue())));
        return state;
    }

    private static Map<String, List<Long>> byKey(List<Map.Entry<String, Long>> records) {
        Map<String, List<Long>> byKey = new TreeMap<>();
        records.forEach(row ->
                byKey.computeIfAbsent(row.getKey(), key -> new ArrayList<>()).add(row.getValue()));
        return byKey;
    }

    private static Long lastOf(List<Long> values) {
        return values.get(values.size() - 1);
    }

    private static Map<String, Long> state(KafkaStreams streams) {
        Map<String, Long> state = new TreeMap<>();
        ReadOnlyKeyValueStore<String, Long> store = store(streams);
        try (KeyValueIterator<String, Long> all = store.all()) {
            all.forEachRemaining(next -> state.put(next.key, next.value));
        }
        return state;
    }

    /** The store, as soon as no rebalance is under way. */
    private static ReadOnlyKeyValueStore<String, Long> store(KafkaStreams streams) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try {
                return streams.store(
                        StoreQueryParameters.fromNameAndType(LedgerApp.STORE, QueryableStoreTypes.keyValueStore()));
            } catch (InvalidStateStoreException e) {
                assertThat(System.nanoTime()).as(e.toString()).isLessThan(deadline);
                Thread.onSpinWait();
            }
        }
    }

    private static void stop(KafkaStreams streams) {
        assertThat(streams.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)))
                .isTrue();
    }
}
