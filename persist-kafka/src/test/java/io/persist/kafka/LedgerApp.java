package io.persist.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * An application that keeps a number for each key, and tells each change of it: "+" adds one, "=n" sets it, "-" takes
 * the key away. It can be a process of its own, which is there to be killed.
 */
final class LedgerApp {

    static final String STORE = "ledger";
    static final String AT_WORK = "at work";

    private LedgerApp() {}

    /** The application, not started yet. */
    static KafkaStreams make(String bootstrapServers, Path stateDirectory, String guarantee, String name) {
        return make(bootstrapServers, stateDirectory, guarantee, name, Map.of());
    }

    /** The same with more settings. */
    static KafkaStreams make(
            String bootstrapServers, Path stateDirectory, String guarantee, String name, Map<String, ?> more) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, name);
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 20);
        settings.put(StreamsConfig.mainConsumerPrefix("session.timeout.ms"), 1500);
        settings.put(StreamsConfig.mainConsumerPrefix("heartbeat.interval.ms"), 300);
        settings.put(StreamsConfig.consumerPrefix("max.poll.records"), 10); // so that there are many commits
        settings.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), 2000);
        settings.put(PersistSettings.SEGMENT_LENGTH, 64 << 10);
        settings.putAll(more);
        StreamsBuilder builder = new StreamsBuilder();
        builder.addStateStore(
                Stores.keyValueStoreBuilder(PersistStores.keyValueStore(STORE), Serdes.String(), Serdes.Long()));
        builder.stream(name + "-in", Consumed.with(Serdes.String(), Serdes.String()))
                .process(Ledger::new, STORE)
                .to(name + "-out", Produced.with(Serdes.String(), Serdes.Long()));
        return new KafkaStreams(builder.build(), settings);
    }

    /** The number after {@code change}; null if the key is gone. */
    static Long next(Long before, String change) {
        return switch (change.charAt(0)) {
            case '+' -> before == null ? 1L : Long.valueOf(before + 1);
            case '=' -> Long.valueOf(change.substring(1));
            default -> null;
        };
    }

    private static final class Ledger implements Processor<String, String, String, Long> {

        private ProcessorContext<String, Long> context;
        private KeyValueStore<String, Long> store;

        @Override
        public void init(ProcessorContext<String, Long> given) {
            context = given;
            store = given.getStateStore(STORE);
        }

        @Override
        public void process(Record<String, String> change) {
            Long after = next(store.get(change.key()), change.value());
            store.put(change.key(), after);
            context.forward(change.withValue(after == null ? Long.valueOf(0) : after));
        }
    }

    /** A process that works until it is killed, or who started it has ended. It says when it works. */
    public static void main(String[] args) throws IOException {
        KafkaStreams streams = make(args[0], Path.of(args[1]), args[2], args[3]);
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.RUNNING) {
                System.out.println(AT_WORK);
            }
        });
        streams.start();
        while (System.in.read() >= 0) {
            // nobody writes
        }
        Runtime.getRuntime().halt(0);
    }
}
