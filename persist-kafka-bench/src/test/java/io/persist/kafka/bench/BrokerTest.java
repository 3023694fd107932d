package io.persist.kafka.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerTest {

    @TempDir
    Path directory;

    /** A JVM that ends while a broker starts: then Kafka's classes cannot be initialised. */
    static final class Ending {

        private Ending() {}

        public static void main(String[] args) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> start(Path.of(args[0]))));
        }

        private static void start(Path directory) {
            try (Broker broker = Broker.start(directory)) {
                System.out.println("started " + broker.bootstrap());
            } catch (IOException refused) {
                System.out.println("refused: " + refused.getMessage());
            }
        }
    }

    @Test
    void shouldTellABrokerThatRefusesFromOneThatDoesNotAnswer() {
        assertFailure(failed(new TopicExistsException("it is there")), "refuses: it is there");
        assertFailure(
                failed(new TimeoutException("timed out")), "does not answer: timed out; start it, or name another one");
        Future<Void> late = new CompletableFuture<>() {
            @Override
            public Void get(long timeout, TimeUnit unit) throws java.util.concurrent.TimeoutException {
                throw new java.util.concurrent.TimeoutException();
            }
        };
        assertFailure(late, "does not answer; start it, or name another one");
    }

    private static Future<Void> failed(Exception cause) {
        return CompletableFuture.failedFuture(cause);
    }

    private static void assertFailure(Future<Void> answer, String says) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Broker.at("host:1").await(answer))
                .withMessage("the broker at host:1 " + says);
    }

    @Test
    void shouldBeRefusedWhileTheJvmEnds() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Ending.class.getName(),
                        directory.resolve("broker").toString())
                .redirectErrorStream(true)
                .start();
        String says = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(says).contains("refused: the broker does not start: ").doesNotContain("\tat ");
    }
}
