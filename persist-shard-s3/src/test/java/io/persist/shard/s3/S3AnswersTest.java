package io.persist.shard.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Locations;
import io.persist.shard.s3.server.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store answers when it is not well, and what is made of it. */
class S3AnswersTest {

    private static final int OK = 200;

    /** {@code http.maxConnections} of the JVM. */
    private static final int KEPT_CONNECTIONS = 5;

    private final ConcurrentLinkedDeque<Integer> answers = new ConcurrentLinkedDeque<>();

    /** So many bytes of a body come, and then the connection is closed. */
    private final ConcurrentLinkedDeque<Integer> cuts = new ConcurrentLinkedDeque<>();

    /** Others than the usual ones. */
    private final ConcurrentLinkedDeque<String> bodies = new ConcurrentLinkedDeque<>();

    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Of the last request. */
    private volatile Headers headers = new Headers();

    /** So many requests are answered together, each on a connection of its own. */
    private volatile CyclicBarrier together = new CyclicBarrier(1);

    private HttpServer server;
    private Blob blob;

    @BeforeEach
    void start() throws IOException {
        S3Server.useCredentials();
        startServer(0);
        blob = Locations.blob(
                S3Server.uri("bucket", "http://127.0.0.1:" + server.getAddress().getPort()));
        requests.clear();
    }

    private void startServer(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        blob.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            together.await();
            headers = exchange.getRequestHeaders();
            String condition = headers.getFirst("If-None-Match");
            requests.add(exchange.getRequestMethod() + (condition == null ? "" : " if none is " + condition));
            Integer status = answers.poll();
            exchange.getResponseHeaders().add("ETag", "\"1\"");
            boolean isList = "GET".equals(exchange.getRequestMethod());
            String given = bodies.poll();
            byte[] body = (given != null ? given : isList ? "<ListBucketResult/>" : "").getBytes();
            exchange.sendResponseHeaders(status == null ? OK : status, body.length == 0 ? -1 : body.length);
            Integer cut = cuts.poll();
            exchange.getResponseBody().write(body, 0, cut == null ? body.length : cut);
            if (cut != null) {
                exchange.getResponseBody()
                        .flush(); // or nothing may come at all, which the client asks for again itself
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IOException("not all of them came", e);
        }
    }

    private void setFails(int... statuses) {
        for (int status : statuses) {
            answers.add(status);
        }
    }

    @Test
    void shouldRepeatWhatFailsForAMoment() {
        setFails(500, 503);
        blob.set("a", new byte[] {1});
        assertThat(requests).containsExactly("PUT", "PUT", "PUT");
    }

    /** The JVM keeps connections to a server. Each of those that the server has closed meanwhile costs an attempt. */
    @Test
    void shouldWriteToAServerThatWasStartedAnew() throws IOException {
        together = new CyclicBarrier(KEPT_CONNECTIONS);
        List<Future<?>> kept = new ArrayList<>();
        for (int i = 0; i < KEPT_CONNECTIONS; i++) {
            String name = "kept-" + i;
            kept.add(threads.submit(() -> blob.set(name, new byte[] {1})));
        }
        assertThat(kept).allSatisfy(one -> assertThat(one).succeedsWithin(Duration.ofMinutes(1)));
        together = new CyclicBarrier(1);
        int port = server.getAddress().getPort();
        server.stop(0);
        startServer(port);
        requests.clear();

        blob.set("a", new byte[] {1});

        assertThat(requests).containsExactly("PUT");
    }

    @Test
    void shouldNotKnowWhatAServerThatFailsHasDone() {
        setFails(500, 503, 500, 503, 500, 503);
        assertThatThrownBy(() -> blob.set("a", new byte[] {1}))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("set of object=a");
        assertThat(requests).hasSize(S3Clients.ATTEMPTS);
        setFails(500, 403); // it was refused, but the first attempt may have been done
        assertThatThrownBy(() -> blob.set("a", new byte[] {1})).isInstanceOf(IndeterminateException.class);
    }

    @Test
    void shouldKnowThatARefusalHasDoneNothing() {
        setFails(403);
        assertThatThrownBy(() -> blob.set("a", new byte[] {1}))
                .isInstanceOf(DeterminateException.class)
                .hasMessageContaining("s3:PutObject");
        setFails(500, 500, 500, 500, 500, 500);
        assertThatThrownBy(() -> blob.get("a")).isInstanceOf(DeterminateException.class);
    }

    /** It is not a damaged object, which nobody would read again. */
    @Test
    void shouldReadAgainWhatWasCut() {
        cuts.addAll(List.of(4, 0));
        assertThat(blob.get("a")).isEqualTo("<ListBucketResult/>".getBytes());
        assertThat(requests).containsExactly("GET", "GET", "GET");
        cuts.addAll(Collections.nCopies(S3Clients.ATTEMPTS, 4));
        assertThatThrownBy(() -> blob.get("a"))
                .isInstanceOf(DeterminateException.class)
                .hasMessageContaining("get of object=a: "); // newer JVMs say themselves that it was cut
        assertThat(requests).hasSize(3 + S3Clients.ATTEMPTS);
    }

    /** This server answers a HEAD without a length. */
    @Test
    void shouldNotDeleteWhatHasNoLength() {
        assertThatThrownBy(() -> blob.delete("a"))
                .isInstanceOf(DeterminateException.class)
                .hasMessageContaining("delete of object=a: the store does not say how long it is");
        assertThat(requests).containsExactly("HEAD");
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "s1/w/" + i).toList();
    }

    @Test
    void shouldDeleteAThousandByOneRequest() {
        blob.deleteAll(names(2_001));
        assertThat(requests).containsExactly("POST", "POST", "POST");
        assertThat(headers).as("what older stores want").containsKey("Content-md5");
    }

    /** Some stores do not know it, and what is wrong with one object is said by its own deletion. */
    @Test
    void shouldDeleteOneByOneWhatIsRefusedTogether() {
        for (int refusal : new int[] {400, 403, 405, 501}) {
            requests.clear();
            setFails(refusal);
            blob.deleteAll(names(3));
            assertThat(requests).containsExactly("POST", "DELETE", "DELETE", "DELETE");
        }
        requests.clear();
        bodies.add("<DeleteResult><Error><Key>s1/w/1</Key><Code>InternalError</Code></Error></DeleteResult>");
        blob.deleteAll(names(3));
        assertThat(requests).containsExactly("POST", "DELETE", "DELETE", "DELETE");
        setFails(403, 403);
        assertThatThrownBy(() -> blob.deleteAll(names(3)))
                .isInstanceOf(DeterminateException.class)
                .hasMessageContaining("delete of object=s1/w/0")
                .hasMessageContaining("s3:DeleteObject");
    }

    /** S3 does not say it, and others do: somebody else may have deleted it meanwhile. */
    @Test
    void shouldTakeForDeletedWhatIsGoneAlready() {
        setFails(501, 404);
        blob.deleteAll(names(2));
        assertThat(requests).containsExactly("POST", "DELETE", "DELETE");
    }

    @Test
    void shouldNotDeleteOneByOneWhileTheStoreDoesNotAnswer() {
        setFails(500, 503, 500, 503, 500, 503);
        assertThatThrownBy(() -> blob.deleteAll(names(3)))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("delete of 3 objects");
        assertThat(requests).hasSize(S3Clients.ATTEMPTS).containsOnly("POST");
    }

    /** A property of the SDK leads here in place of AWS: a URI without an endpoint sends what the others do. */
    @Test
    void shouldSendTheSameToAws() {
        String endpoint = "aws.endpointUrlS3";
        System.setProperty(endpoint, "http://127.0.0.1:" + server.getAddress().getPort());
        try (Blob aws = Locations.blob("s3://bucket/?region=us-east-1")) {
            for (Blob each : List.of(blob, aws)) {
                requests.clear();
                each.set("a", new byte[] {1});
                assertThat(requests).containsExactly("PUT");
                assertThat(headers.keySet())
                        .isNotEmpty()
                        .noneMatch(name -> name.toLowerCase(Locale.ROOT).contains("checksum"))
                        .noneMatch(name -> name.equalsIgnoreCase("x-amz-trailer"));
            }
        } finally {
            System.clearProperty(endpoint);
        }
    }

    @Test
    void shouldCreateWithoutAConditionIfTheStoreKnowsNone() {
        blob.create("a", new byte[] {1});
        assertThat(requests).containsExactly("PUT if none is *");
        requests.clear();
        setFails(501);
        blob.create("b", new byte[] {1});
        assertThat(requests).startsWith("PUT if none is *").endsWith("PUT");
        requests.clear();
        blob.create("c", new byte[] {1});
        assertThat(requests).containsExactly("PUT");
    }
}
