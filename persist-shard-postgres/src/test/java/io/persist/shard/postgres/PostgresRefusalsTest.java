package io.persist.shard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import io.persist.shard.location.Version;
import io.persist.shard.postgres.PostgresFailures.Sent;
import io.persist.shard.postgres.server.CuttingProxy;
import io.persist.shard.postgres.server.PostgresServer;
import io.persist.shard.postgres.server.TestServer;
import io.persist.support.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is refused at once, by one line that says what to do and no password. */
class PostgresRefusalsTest {

    private static final AtomicInteger ROLES = new AtomicInteger();

    private PostgresServer server;
    private String schema;

    @BeforeEach
    void openPlace() throws SQLException {
        server = TestServer.get();
        schema = server.freshSchema();
    }

    private String name() {
        return schema.substring(schema.indexOf('=') + 1);
    }

    /** Which session of the server answers. */
    private static int session(PostgresConsensus consensus) {
        return consensus.run("reading", "k", Sent.READ, "SELECT pg_backend_pid()", statement -> {
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        });
    }

    /** Its answer may still come, and would be taken for that of the next question. */
    @Test
    void shouldNotUseAConnectionAgainAfterAnError() {
        URI uri = URI.create(server.uri() + schema + "&signals=off&connections=1");
        try (PostgresConsensus consensus = PostgresConsensus.open(PostgresUri.parse(uri, Map.of()))) {
            int before = session(consensus);
            assertThat(session(consensus)).isEqualTo(before);
            OutOfMemoryError full = new OutOfMemoryError("of this test");
            assertThatThrownBy(() -> consensus.run("reading", "k", Sent.READ, "SELECT 1", statement -> {
                        throw full;
                    }))
                    .isSameAs(full);
            assertThat(session(consensus)).isNotEqualTo(before);
        }
    }

    private String as(String user, String password) {
        return server.uri().replaceFirst("//.*@", "//" + user + ":" + password + "@") + schema;
    }

    private void assertRefused(String uri, String... words) {
        assertThatThrownBy(() -> Locations.consensus(uri).close())
                .isInstanceOf(DeterminateException.class)
                .satisfies(refused -> {
                    assertThat(refused.getMessage()).contains(words).doesNotContain("\n");
                    for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
                        assertThat(String.valueOf(cause.getMessage())).doesNotContain(server.password(), "pa55word");
                    }
                });
    }

    /** A machine that is off answers nothing, and a listener whose queue is full takes no connection. */
    @Test
    void shouldAskTheNextHostIfTheFirstOneIsSilent() throws IOException {
        besideASilentHost(uri -> {
            try (Consensus consensus = Locations.consensus(uri + "&timeout=5")) {
                assertThat(consensus.keys()).isEmpty();
            }
        });
    }

    /** As hosts that were not asked for a while: the driver knows nothing of them, and asks in their order. */
    @Test
    void shouldAskTheNextHostAlsoLater() throws IOException {
        besideASilentHost(uri -> {
            String forgetful = uri + "&timeout=2&connectTimeout=3&hostRecheckSeconds=0";
            try (Consensus consensus = Locations.consensus(forgetful)) {
                Await.until("a connection of the pool is there", () -> isAnswered(consensus));
            }
        });
    }

    private static boolean isAnswered(Consensus consensus) {
        try {
            return consensus.keys().isEmpty();
        } catch (DeterminateException none) {
            return false;
        }
    }

    /** Tells {@code use} a URI whose first host takes no connection, and does not refuse one either. */
    private void besideASilentHost(Consumer<String> use) throws IOException {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 1, here)) {
            SocketAddress address = new InetSocketAddress(here, silent.getLocalPort());
            boolean isFull = false;
            while (!isFull && waiting.size() < 100) {
                Socket socket = new Socket();
                waiting.add(socket);
                isFull = !isConnected(socket, address);
            }
            assumeThat(isFull).as("this system takes them all").isTrue();
            String hosts = "@127.0.0.1:" + silent.getLocalPort() + ",127.0.0.1:";
            use.accept(server.uri().replace("@127.0.0.1:", hosts) + schema);
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    private static boolean isConnected(Socket socket, SocketAddress address) throws IOException {
        try {
            socket.connect(address, 500);
            return true;
        } catch (SocketTimeoutException silence) {
            return false;
        }
    }

    private String role(String... rights) throws SQLException {
        String role = "role" + ROLES.incrementAndGet();
        server.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'pa55word'");
        for (String right : rights) {
            server.execute(right + " TO " + role);
        }
        return as(role, "pa55word");
    }

    @Test
    void shouldRefuseAWrongPasswordAndAWrongUser() {
        assertRefused(as("persist", "pa55word"), "password authentication failed", "PGPASSWORD");
        assertRefused(as("nobody-here", "pa55word"), "PGPASSWORD", "postgresql://nobody-here:***@127.0.0.1");
    }

    @Test
    void shouldSayThatThereIsNoPassword() {
        assumeThat(System.getenv("PGPASSWORD")).as("one that goes first").isNull();
        assertRefused(server.uri().replace(":" + server.password(), "") + schema, "no password", "PGPASSWORD");
    }

    /** It is no matter of the network, or of a password. */
    @Test
    void shouldGiveNoAdviceOfTheServerWhenAParameterIsWrong() {
        for (String wrong : new String[] {"sslmode=foo", "targetServerType=any2", "socketFactory=no.such.Class"}) {
            assertThatThrownBy(() -> Locations.consensus(server.uri() + schema + "&" + wrong))
                    .isInstanceOf(DeterminateException.class)
                    .hasMessageContaining(wrong.replaceFirst(".*=", ""))
                    .message()
                    .doesNotContain(";");
        }
        assertThatThrownBy(() -> Locations.consensus(
                        server.uri().replace(":" + server.password(), "") + schema + "&sslmode=require"))
                .hasMessageContaining("SSL")
                .message()
                .doesNotContain("PGPASSWORD");
    }

    @Test
    void shouldRefuseADatabaseAndASchemaThatAreNotThere() {
        assertRefused(server.uri().replace("/postgres", "/none-such"), "none-such", "CREATE DATABASE");
        assertRefused(server.uri() + "?currentSchema=none_such", "CREATE SCHEMA");
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        int port;
        try (CuttingProxy proxy = new CuttingProxy(server.port())) {
            port = proxy.port();
        }
        assertRefused(server.uri(port), "Connection to 127.0.0.1:" + port + " refused", "is the server running");
    }

    @Test
    void shouldRefuseTablesOfSomethingElse() throws Exception {
        server.execute("CREATE TABLE " + name() + ".persist_versions (key text, number int)");
        assertRefused(
                server.uri() + schema,
                "persist_versions is (key text, number integer; no primary key)",
                "data bytea; PRIMARY KEY (key, number)",
                "another schema");
    }

    @Test
    void shouldRefuseARoleThatMayNotDoItAll() throws Exception {
        assertRefused(role("GRANT USAGE ON SCHEMA " + name()), "permission denied", "CREATE on the schema");
        Locations.consensus(server.uri() + schema).close();
        assertRefused(
                role(
                        "GRANT USAGE ON SCHEMA " + name(),
                        "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA " + name()),
                "permission denied for table persist_versions",
                "DELETE");
        String enough = role(
                "GRANT USAGE ON SCHEMA " + name(),
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + name());
        try (Consensus consensus = Locations.consensus(enough)) {
            assertThat(consensus.compareAndSet("k", Consensus.NONE, new Version(0, new byte[1])))
                    .isTrue();
        }
        server.execute("ALTER ROLE role" + ROLES.get() + " SET default_transaction_read_only = on");
        assertRefused(enough, "read-only", "primary");
    }

    /** A right, or a table, that is taken away while it is open. */
    @Test
    void shouldSayWhatIsMissingLater() throws Exception {
        try (Consensus consensus = Locations.consensus(server.uri() + schema)) {
            server.execute("DROP TABLE " + name() + ".persist_versions");
            assertThatThrownBy(() -> consensus.head("k"))
                    .isInstanceOf(DeterminateException.class)
                    .hasMessageContaining("the tables are gone");
            assertThatThrownBy(() -> consensus.compareAndSet("k", Consensus.NONE, new Version(0, new byte[1])))
                    .isInstanceOf(DeterminateException.class);
        }
    }

    /** The tests' own server: it leaves nothing behind. */
    @Test
    void shouldRemoveTheDataOfAServerThatIsClosed() throws Exception {
        Path directory;
        try (PostgresServer another = PostgresServer.start("fsync=off")) {
            directory = another.directory();
            another.execute("SELECT 1");
            assertThat(Files.exists(directory)).isTrue();
        }
        assertThat(Files.exists(directory)).isFalse();
    }
}
