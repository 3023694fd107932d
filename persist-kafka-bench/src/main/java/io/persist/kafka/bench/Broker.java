package io.persist.kafka.bench;

import io.persist.command.Text;
import io.persist.kafka.bench.server.RunSize;
import io.persist.kafka.bench.server.ServerSpec;
import io.persist.kafka.bench.server.WorkflowCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** A broker: one in this process, on this machine alone, or one that is there. */
final class Broker implements AutoCloseable {

    private static final int ADMIN_SECONDS = 15;
    private static final int STEP = 100;

    private final KafkaClusterTestKit kit;
    private final String bootstrap;

    private Broker(KafkaClusterTestKit kit, String bootstrap) {
        this.kit = kit;
        this.bootstrap = bootstrap;
    }

    /** Starts one in this process, whose files are in {@code directory} until it is closed. */
    static Broker start(Path directory) throws IOException {
        KafkaClusterTestKit kit = null;
        try {
            TestKitNodes nodes = new TestKitNodes.Builder()
                    .setCombined(true)
                    .setNumBrokerNodes(1)
                    .setNumControllerNodes(1)
                    .setBaseDirectory(Files.createDirectories(directory))
                    .build();
            kit = new KafkaClusterTestKit.Builder(nodes)
                    .setConfigProp("offsets.topic.num.partitions", "1")
                    .setConfigProp("offsets.topic.replication.factor", "1")
                    .setConfigProp("transaction.state.log.num.partitions", "1")
                    .setConfigProp("transaction.state.log.replication.factor", "1")
                    .setConfigProp("transaction.state.log.min.isr", "1")
                    .setConfigProp("group.initial.rebalance.delay.ms", "0")
                    .build();
            format(kit);
            kit.startup();
            kit.waitForReadyBrokers();
            return new Broker(kit, kit.bootstrapServers());
        } catch (Exception | LinkageError e) { // classes that want a shutdown hook, while the JVM ends
            IOException failure = new IOException("the broker does not start: " + reason(e), e);
            closeAfter(failure, kit);
            throw failure;
        }
    }

    private static String reason(Throwable failed) {
        boolean isWrapped = failed instanceof LinkageError && failed.getCause() != null;
        return Text.describe(isWrapped ? failed.getCause() : failed);
    }

    private static void closeAfter(IOException failure, KafkaClusterTestKit kit) {
        try {
            if (kit != null) {
                kit.close();
            }
        } catch (Exception | LinkageError e) {
            failure.addSuppressed(e);
        }
    }

    /** It says so on standard output, where only results belong. */
    private static void format(KafkaClusterTestKit kit) throws Exception {
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try {
            kit.format();
        } finally {
            System.setOut(out);
        }
    }

    /** One that is there. */
    static Broker at(String bootstrap) {
        return new Broker(null, bootstrap);
    }

    String bootstrap() {
        return bootstrap;
    }

    private Admin admin() {
        int timeoutMs = 1000 * ADMIN_SECONDS;
        return Admin.create(Map.of(
                "bootstrap.servers", bootstrap, "default.api.timeout.ms", timeoutMs, "request.timeout.ms", timeoutMs));
    }

    /** Makes the topic of the commands, with one partition, if it is not there. */
    void createInput(String application) throws IOException, InterruptedException {
        try (Admin admin = admin()) {
            NewTopic topic = new NewTopic(ServerSpec.inputOf(application), 1, (short) 1);
            await(admin.createTopics(List.of(topic)).all());
        } catch (IOException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    /** Deletes all topics of an application. */
    void deleteTopics(String application) throws IOException, InterruptedException {
        try (Admin admin = admin()) {
            Set<String> topics = await(admin.listTopics().names());
            await(admin.deleteTopics(topics.stream()
                            .filter(name -> name.equals(ServerSpec.inputOf(application))
                                    || name.equals(ServerSpec.changelogOf(application)))
                            .toList())
                    .all());
        }
    }

    <T> T await(Future<T> answer) throws IOException, InterruptedException {
        try {
            return answer.get(2L * ADMIN_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw noAnswer(e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof org.apache.kafka.common.errors.TimeoutException) {
                throw noAnswer(cause);
            }
            throw new IOException("the broker at " + bootstrap + " refuses: " + cause.getMessage(), cause);
        }
    }

    private IOException noAnswer(Throwable cause) {
        return new IOException(
                "the broker at " + bootstrap + " does not answer"
                        + (cause.getMessage() == null ? "" : ": " + cause.getMessage())
                        + "; start it, or name another one",
                cause);
    }

    /**
     * Sends all commands as fast as the broker takes them, in one order.
     *
     * @param progress is told how many are on their way, now and then; may throw to end it
     */
    void send(String application, RunSize size, long run, LongConsumer progress) throws IOException {
        Map<String, Object> settings = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ProducerConfig.LINGER_MS_CONFIG,
                5,
                ProducerConfig.BATCH_SIZE_CONFIG,
                1 << 18);
        AtomicReference<Exception> failure = new AtomicReference<>();
        long[] sent = {0};
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            WorkflowCommand.forEach(size, run, command -> {
                Future<?> ignored = producer.send(
                        new ProducerRecord<>(ServerSpec.inputOf(application), 0, null, command.encode()),
                        (metadata, failed) -> failure.compareAndSet(null, failed));
                if (++sent[0] % STEP == 0) {
                    progress.accept(sent[0]);
                }
            });
        }
        if (failure.get() != null) {
            throw new IOException(
                    "the broker refuses a command: " + failure.get().getMessage(), failure.get());
        }
    }

    @Override
    public void close() throws IOException {
        if (kit != null) {
            try {
                kit.close();
            } catch (Exception e) {
                throw new IOException("the broker does not stop: " + e.getMessage(), e);
            }
        }
    }
}
