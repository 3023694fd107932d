package io.persist.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** A real broker in the JVM of the test, on this machine alone, and what tests do with it. */
final class Broker implements AutoCloseable {

    private final KafkaClusterTestKit kit;

    private Broker(KafkaClusterTestKit kit) {
        this.kit = kit;
    }

    static Broker start() throws Exception {
        TestKitNodes nodes = new TestKitNodes.Builder()
                .setCombined(true)
                .setNumBrokerNodes(1)
                .setNumControllerNodes(1)
                .build();
        KafkaClusterTestKit kit = new KafkaClusterTestKit.Builder(nodes)
                .setConfigProp("offsets.topic.num.partitions", "1")
                .setConfigProp("offsets.topic.replication.factor", "1")
                .setConfigProp("transaction.state.log.num.partitions", "1")
                .setConfigProp("transaction.state.log.replication.factor", "1")
                .setConfigProp("transaction.state.log.min.isr", "1")
                .setConfigProp("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200")
                .setConfigProp("group.initial.rebalance.delay.ms", "0")
                .setConfigProp("group.min.session.timeout.ms", "500")
                .build();
        kit.format();
        kit.startup();
        kit.waitForReadyBrokers();
        return new Broker(kit);
    }

    String bootstrapServers() {
        return kit.bootstrapServers();
    }

    void createTopics(int partitions, String... names) throws Exception {
        try (Admin admin = kit.admin()) {
            admin.createTopics(Arrays.stream(names)
                            .map(name -> new NewTopic(name, partitions, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
    }

    /** Sends records that have a key and, as value, a text. */
    void send(String topic, List<Map.Entry<String, String>> records) {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers(), "linger.ms", 5);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            records.forEach(row -> producer.send(new ProducerRecord<>(topic, row.getKey(), row.getValue())));
        }
    }

    /** Reads the committed records of all partitions until {@code last} is one of them. */
    List<Map.Entry<String, Long>> await(String topic, Map.Entry<String, Long> last) {
        return readUntil(topic, all -> all.contains(last));
    }

    /** Reads the committed records of all partitions until they are enough. */
    List<Map.Entry<String, Long>> readUntil(String topic, Predicate<List<Map.Entry<String, Long>>> isEnough) {
        return readUntil(topic, (all, isAtEnd) -> isEnough.test(all));
    }

    /** The committed records of all partitions by now. */
    List<Map.Entry<String, Long>> read(String topic) {
        return readUntil(topic, (all, isAtEnd) -> isAtEnd);
    }

    private List<Map.Entry<String, Long>> readUntil(
            String topic, BiPredicate<List<Map.Entry<String, Long>>, Boolean> isEnough) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", bootstrapServers(), "isolation.level", "read_committed");
        List<Map.Entry<String, Long>> all = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        try (KafkaConsumer<String, Long> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new LongDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (!isEnough.test(all, partitions.stream().allMatch(one -> consumer.position(one) >= ends.get(one)))) {
                assertThat(System.nanoTime()).as("deadline, after " + all).isLessThan(deadline);
                for (ConsumerRecord<String, Long> row : consumer.poll(Duration.ofMillis(100))) {
                    all.add(Map.entry(row.key(), row.value()));
                }
            }
        }
        return all;
    }

    @Override
    public void close() {
        try {
            kit.close();
        } catch (Exception e) {
            throw new IllegalStateException("the broker does not stop", e);
        }
    }
}
