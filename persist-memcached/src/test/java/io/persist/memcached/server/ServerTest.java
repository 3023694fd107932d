package io.persist.memcached.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.persist.memcached.cache.Cache;
import io.persist.memcached.cache.Counters;
import io.persist.memcached.cache.Counters.Counter;
import io.persist.memcached.cache.HeapItems;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that behave badly, on sockets, with one event loop for all: the others do not notice. */
class ServerTest {

    private static final int MAX_CONNECTIONS = 8;

    /** More than one client can leave unread. */
    private static final int MOST_UNREAD = 4 << 20;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Cache cache;
    private Server server;

    @BeforeEach
    void start() throws IOException {
        cache = new Cache(new HeapItems(64 << 20), () -> 1_800_000_000L, new Counters());
        Stats stats = new Stats(cache, Map::of, Map.of(), new PrintStream(err, true, ISO_8859_1));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = Server.start(Service.of(cache, stats, MOST_UNREAD), any, 1, MAX_CONNECTIONS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(server.address());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static String ask(Socket socket, String text, int length) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return new String(socket.getInputStream().readNBytes(length), ISO_8859_1);
    }

    private void assertServes(Socket socket) throws IOException {
        for (int i = 0; i < 100; i++) {
            String value = Integer.toString(1000 + i);
            String answer = "STORED\r\nVALUE k 0 4\r\n" + value + "\r\nEND\r\n";
            assertThat(ask(socket, "set k 0 0 4\r\n" + value + "\r\nget k\r\n", answer.length()))
                    .isEqualTo(answer);
        }
    }

    /** It asks for 10 GiB and reads none of it. What the server holds for it is bounded. */
    @Test
    void shouldNotMindAClientThatNeverReads() throws IOException {
        try (Socket good = connect();
                SocketChannel bad = SocketChannel.open(server.address())) {
            String big = "x".repeat(1 << 20);
            assertThat(ask(good, "set big 0 0 " + big.length() + "\r\n" + big + "\r\n", 8))
                    .isEqualTo("STORED\r\n");
            bad.setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
            bad.configureBlocking(false);
            byte[] requests = "get big\r\n".repeat(1000).getBytes(ISO_8859_1);
            long sent = 0;
            int refusals = 0;
            while (refusals < 3 && sent < 64 << 20) {
                int written = bad.write(ByteBuffer.wrap(requests));
                sent += written;
                refusals = written == 0 ? refusals + 1 : 0;
                if (written < requests.length) {
                    assertServes(good); // the one event loop has gone round
                }
            }
            assertThat(sent).as("the server reads no more").isLessThan(64 << 20);
            assertThat(cache.counters().value(Counter.BYTES_WRITTEN))
                    .as("what is in the sockets and in the server")
                    .isLessThan(32 << 20);
            assertServes(good);
        }
    }

    /** Netty counts what is in a buffer, if nobody tells it better. */
    @Test
    void shouldCountWhatTheBuffersTakeThatClientsHaveNotRead() throws IOException {
        try (Socket good = connect()) {
            assertServes(good);
            assertThat(List.copyOf(server.channels()))
                    .isNotEmpty()
                    .allMatch(each -> each.config().getMessageSizeEstimator() == Taken.ESTIMATOR);
        }
    }

    /** Together they would use up the direct memory, which others need as well. */
    @Test
    void shouldCloseTheWorstOfManyClientsThatDoNotRead() throws IOException {
        List<SocketChannel> bad = new ArrayList<>();
        try (Socket good = connect()) {
            String big = "x".repeat(1 << 20);
            assertThat(ask(good, "set big 0 0 " + big.length() + "\r\n" + big + "\r\n", 8))
                    .isEqualTo("STORED\r\n");
            while (bad.size() < MAX_CONNECTIONS - 1) {
                SocketChannel client = SocketChannel.open();
                bad.add(client);
                client.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
                client.connect(server.address());
                client.write(ByteBuffer.wrap("get big\r\n".repeat(20).getBytes(ISO_8859_1)));
            }
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (err.size() == 0) {
                assertThat(System.nanoTime()).as("one is closed").isLessThan(deadline);
                assertServes(good);
            }
            assertThat(err.toString(ISO_8859_1))
                    .startsWith("persist memcached: a client that does not read its answers was closed: unread=");
            assertServes(good);
        } finally {
            for (SocketChannel client : bad) {
                client.close();
            }
        }
    }

    @Test
    void shouldNotMindGarbageOrSilence() throws IOException {
        long seed = Long.getLong("seed", new Random().nextLong());
        Random random = new Random(seed);
        try (Socket good = connect();
                Socket silent = connect();
                Socket half = connect()) {
            half.getOutputStream().write("set half 0 0 1000000\r\nabc".getBytes(ISO_8859_1));
            for (int i = 0; i < 20; i++) {
                try (Socket bad = connect()) {
                    byte[] garbage = new byte[1 + random.nextInt(10_000)];
                    random.nextBytes(garbage);
                    bad.getOutputStream().write(garbage);
                } catch (IOException closed) {
                    // by the server, in the middle of it
                }
            }
            assertServes(good);
            assertThat(ask(silent, "get none\r\n", 5)).as("seed=" + seed).isEqualTo("END\r\n");
        }
    }

    /** One that has gone without a word would hold its place, which is one of a bounded number. */
    @Test
    void shouldHaveTheSystemAskWhetherASilentClientIsStillThere() throws IOException {
        try (Socket client = connect()) {
            assertThat(ask(client, "get none\r\n", 5)).isEqualTo("END\r\n");
            assertThat(List.copyOf(server.channels()))
                    .singleElement()
                    .satisfies(channel -> assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE))
                            .isTrue());
        }
    }

    /** Its clients would wait for ever, and so would the end of the server. */
    @Test
    void shouldSayThatAnErrorHasEndedAnEventLoopAndCloseAllTheSame() throws Exception {
        try (Socket client = connect();
                LoopKiller killer = LoopKiller.open()) {
            assertThat(ask(client, "get none\r\n", 5)).isEqualTo("END\r\n");
            assertThat(server.failure()).isNotDone();
            killer.kill(List.copyOf(server.channels()).get(0).eventLoop());
            assertThat(server.failure().get(1, TimeUnit.MINUTES)).hasMessage("an event loop has ended");
            server.close();
        }
    }

    /** Netty would log it, and without a file for that the event loop would end. */
    @Test
    void shouldSayOnceThatNoConnectionCanBeAcceptedAndServeThoseThatThereAre() throws IOException {
        try (Socket client = connect()) {
            assertThat(ask(client, "get none\r\n", 5)).isEqualTo("END\r\n");
            ChannelPipeline listening = server.listening().pipeline();
            listening.fireExceptionCaught(new IOException("Too many open files"));
            listening.fireExceptionCaught(new IOException("Too many open files"));
            assertServes(client); // in the loop that was told
        }
        assertThat(err.toString(ISO_8859_1))
                .startsWith("persist memcached: no connection can be accepted (Too many open files)")
                .endsWith("or raise ulimit -n\n")
                .hasLineCount(1);
    }

    @Test
    void shouldRefuseConnectionsAboveTheBound() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < MAX_CONNECTIONS; i++) {
                open.add(connect());
                assertThat(ask(open.get(i), "get none\r\n", 5)).isEqualTo("END\r\n");
            }
            try (Socket refused = connect();
                    InputStream in = refused.getInputStream()) {
                assertThat(new String(in.readAllBytes(), ISO_8859_1)).isEqualTo("ERROR Too many open connections\r\n");
            }
            assertServes(open.get(0));
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }
}
