package io.persist.shard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ConsensusContract;
import io.persist.shard.location.Locations;
import io.persist.shard.location.Version;
import io.persist.shard.postgres.server.CuttingProxy;
import io.persist.shard.postgres.server.CuttingProxy.Cut;
import io.persist.shard.postgres.server.PostgresServer;
import io.persist.shard.postgres.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.util.PSQLException;

class PostgresConsensusTest extends ConsensusContract {

    private final AtomicInteger handles = new AtomicInteger();
    private PostgresServer server;
    private String schema;

    @BeforeEach
    void openPlace() throws SQLException {
        server = TestServer.get();
        schema = server.freshSchema();
    }

    /** Each has a pool of its own, as if it were another process. */
    @Override
    protected Consensus open() {
        return Locations.consensus(
                server.uri() + schema + "&connections=4&ApplicationName=handle" + handles.incrementAndGet());
    }

    @Override
    protected boolean survives() {
        return true;
    }

    private Consensus through(CuttingProxy proxy, String more) {
        return Locations.consensus(server.uri(proxy.port()) + schema + "&signals=off" + more); // they have keys, too
    }

    private static boolean set(Consensus consensus, String key, long number) {
        return consensus.compareAndSet(key, number - 1, new Version(number, new byte[] {1}));
    }

    private static long number(Consensus consensus, String key) {
        Version head = consensus.head(key);
        return head == null ? Consensus.NONE : head.number();
    }

    @Test
    void shouldShareConnectionsAmongHandlesOfAProcess() throws Exception {
        String uri = server.uri() + schema + "&signals=off&ApplicationName=shared";
        try (Consensus one = Locations.consensus(uri);
                Consensus two = Locations.consensus(uri)) {
            set(one, "k", 0);
            assertThat(number(two, "k")).isZero();
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement();
                    ResultSet count = statement.executeQuery(
                            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'shared'")) {
                count.next();
                assertThat(count.getInt(1)).isBetween(1, 2); // the pool may be making one more
            }
        }
    }

    @Test
    void shouldTakeThePasswordOfTheFileOfPasswords(@TempDir Path directory) throws Exception {
        assumeThat(System.getenv("PGPASSWORD")).as("one that goes first").isNull();
        Path file = directory.resolve("pgpass");
        Files.writeString(file, "127.0.0.1:" + server.port() + ":*:persist:" + server.password() + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        System.setProperty("org.postgresql.pgpassfile", file.toString());
        try (Consensus consensus =
                Locations.consensus("postgresql://persist@127.0.0.1:" + server.port() + "/postgres" + schema)) {
            assertThat(set(consensus, "k", 0)).isTrue();
        } finally {
            System.clearProperty("org.postgresql.pgpassfile");
        }
    }

    /** Text has twice as many: of long versions that is more than the server gives. */
    @Test
    void shouldReadBytesFromTheFirst() {
        try (Consensus consensus =
                Locations.consensus(server.uri() + schema + "&signals=off&connections=1&maxResultBuffer=1500000")) {
            byte[] data = new byte[1 << 20];
            assertThat(consensus.compareAndSet("k", Consensus.NONE, new Version(0, data)))
                    .isTrue();
            assertThat(consensus.head("k").data()).hasSameSizeAs(data);
            assertThat(consensus.scan("k", 0, 1)).hasSize(1);
        }
    }

    /** The pool asks whether a connection lives if it was idle for a while, so not each of them has to. */
    @Test
    void shouldTakeOneRoundTripForACompareAndSet() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.port());
                Consensus consensus = through(proxy, "&connections=1")) {
            int least = Integer.MAX_VALUE;
            for (int i = 0; i < 20; i++) {
                int before = proxy.questions();
                assertThat(set(consensus, "k", i)).isTrue();
                least = Math.min(least, proxy.questions() - before);
            }
            assertThat(least).isEqualTo(1);
        }
    }

    /** Numbers need not follow each other: two that are both above the head must not both win. */
    @Test
    void shouldLetOneWinIfBothHaveOtherNumbers() throws Exception {
        try (Consensus one = open();
                Consensus two = open()) {
            set(one, "k", 0);
            long head = 0;
            for (int i = 0; i < 50; i++) {
                long expected = head;
                boolean[] won = new boolean[2];
                Thread other = new Thread(
                        () -> won[0] = one.compareAndSet("k", expected, new Version(expected + 1, new byte[1])));
                other.start();
                won[1] = two.compareAndSet("k", expected, new Version(expected + 2, new byte[1]));
                other.join();
                assertThat(won[0]).isNotEqualTo(won[1]);
                head = number(one, "k");
                assertThat(head).isEqualTo(expected + (won[0] ? 1 : 2));
            }
        }
    }

    @Test
    void shouldNotKnowWhatHappenedWhenTheConnectionIsCut() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.port());
                Consensus consensus = through(proxy, "");
                Consensus other = open()) {
            set(consensus, "cut-here", 0);
            proxy.cut(Cut.BEFORE_ANSWER, "cut-here");
            assertThatThrownBy(() -> set(consensus, "cut-here", 1))
                    .isInstanceOf(IndeterminateException.class)
                    .hasMessageContaining("compare-and-set of key=cut-here")
                    .hasMessageContaining("the connection was lost");
            assertThat(number(other, "cut-here")).isEqualTo(1); // it has happened
            assertThat(number(consensus, "cut-here")).isEqualTo(1);

            proxy.cut(Cut.BEFORE_REQUEST, "cut-here");
            assertThatThrownBy(() -> set(consensus, "cut-here", 2)).isInstanceOf(IndeterminateException.class);
            assertThat(number(other, "cut-here")).isEqualTo(1); // it has not
            assertThat(set(consensus, "cut-here", 2)).isTrue();

            proxy.cut(Cut.BEFORE_ANSWER, "cut-here");
            assertThatThrownBy(() -> consensus.truncate("cut-here", 2)).isInstanceOf(IndeterminateException.class);
            proxy.cut(Cut.BEFORE_ANSWER, "cut-here");
            assertThatThrownBy(() -> consensus.head("cut-here")).isInstanceOf(DeterminateException.class);
            assertThat(consensus.scan("cut-here", 0, 10)).hasSize(1);
            assertThat(proxy.cuts()).isEqualTo(4);
        }
    }

    private String schemaName() {
        return schema.substring(schema.indexOf('=') + 1);
    }

    /** Has the server run {@code body} before it stores a version. */
    private void beforeEachVersion(String trigger, String body) throws Exception {
        String name = schemaName();
        server.execute(
                "CREATE FUNCTION " + name + "." + trigger + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + body
                        + " END $$",
                "CREATE TRIGGER " + trigger + " BEFORE INSERT ON " + name + ".persist_versions FOR EACH ROW"
                        + " EXECUTE FUNCTION " + name + "." + trigger + "()");
    }

    private void nothingBeforeEachVersion(String trigger) throws Exception {
        server.execute("DROP TRIGGER " + trigger + " ON " + schemaName() + ".persist_versions");
    }

    /** A server says ERROR in its own language. */
    @Test
    void shouldKnowARefusalInAnyLanguage() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.port());
                Consensus consensus = through(proxy, "")) {
            set(consensus, "k", 0);
            beforeEachVersion("fill", "RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100';");
            proxy.translateErrors();
            assertThatThrownBy(() -> set(consensus, "k", 1))
                    .isInstanceOf(DeterminateException.class)
                    .hasMessageContaining("free space on the server's disk")
                    .satisfies(refused -> assertThat(((PSQLException) refused.getCause())
                                    .getServerErrorMessage()
                                    .getSeverity())
                            .isEqualTo("FEHLR"));
            nothingBeforeEachVersion("fill");
            assertThat(set(consensus, "k", 1)).isTrue();
        }
    }

    /** The server says so, and ends the session: what it has done by then is not known. */
    @Test
    void shouldNotKnowWhatHappenedWhenTheServerEndsTheSession() throws Exception {
        try (Consensus consensus = open()) {
            set(consensus, "k", 0);
            beforeEachVersion(
                    "stop", "PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NEW;");
            assertThatThrownBy(() -> set(consensus, "k", 1)).isInstanceOf(IndeterminateException.class);
            nothingBeforeEachVersion("stop");
            assertThat(set(consensus, "k", 1)).isTrue();
        }
    }

    @Test
    void shouldTryAgainWhatTheServerTookBackBecauseOfOthers() throws Exception {
        try (Consensus consensus = open()) {
            set(consensus, "k", 0);
            String name = schemaName();
            server.execute("CREATE SEQUENCE " + name + ".tries");
            beforeEachVersion(
                    "fail",
                    "IF nextval('" + name + ".tries') < 4 THEN RAISE EXCEPTION 'others were faster'"
                            + " USING ERRCODE = '40001'; END IF; RETURN NEW;");
            assertThat(set(consensus, "k", 1)).isTrue();
            assertThat(consensus.scan("k", 0, 10)).hasSize(2);

            server.execute("ALTER SEQUENCE " + name + ".tries RESTART MINVALUE -1000 START -1000");
            assertThatThrownBy(() -> set(consensus, "k", 2))
                    .isInstanceOf(DeterminateException.class)
                    .hasMessageContaining("others were faster");
            assertThat(number(consensus, "k")).isEqualTo(1);
        }
    }

    @Tag("nightly") // it takes as long as its deadline
    @Test
    void shouldSurelyNotHaveHappenedWhenTheServerGivesUp() throws Exception {
        try (Consensus consensus = Locations.consensus(server.uri() + schema + "&timeout=1");
                Connection other = server.connect();
                Statement statement = other.createStatement()) {
            set(consensus, "k", 0);
            other.setAutoCommit(false);
            other.setSchema(schemaName());
            statement.execute("SELECT * FROM persist_heads FOR UPDATE");
            assertThatThrownBy(() -> set(consensus, "k", 1))
                    .isInstanceOf(DeterminateException.class)
                    .hasMessageContaining("?timeout=");
            other.rollback();
            assertThat(number(consensus, "k")).isZero();
            assertThat(set(consensus, "k", 1)).isTrue();
        }
    }

    @Test
    void shouldRaiseCommitsThatAreNotDurable() throws Exception {
        server.execute("CREATE ROLE loose LOGIN PASSWORD 'loose'", "GRANT ALL ON SCHEMA " + schemaName() + " TO loose");
        server.execute("ALTER ROLE loose SET synchronous_commit = off");
        String uri = server.uri().replaceFirst("//.*@", "//loose:loose@") + schema;
        try (Consensus consensus = Locations.consensus(uri)) {
            beforeEachVersion(
                    "look",
                    "IF current_setting('synchronous_commit') <> 'on' THEN RAISE EXCEPTION 'not durable';"
                            + " END IF; RETURN NEW;");
            assertThat(set(consensus, "k", 0)).isTrue();
        } finally {
            server.execute("DROP OWNED BY loose", "DROP ROLE loose");
        }
    }

    @Tag("nightly") // it takes as long as its deadline
    @Test
    void shouldNotWaitForeverForAServerThatSaysNothing() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.port());
                Consensus consensus = through(proxy, "&timeout=1&socketTimeout=1")) {
            set(consensus, "cut-here", 0);
            proxy.cut(Cut.SILENCE, "cut-here");
            assertThatThrownBy(() -> set(consensus, "cut-here", 1)).isInstanceOf(IndeterminateException.class);
            assertThat(set(consensus, "cut-here", 1)).isTrue();
        }
    }
}
