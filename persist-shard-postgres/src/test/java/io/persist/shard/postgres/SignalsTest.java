package io.persist.shard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.location.Version;
import io.persist.shard.postgres.server.PostgresServer;
import io.persist.shard.postgres.server.TestServer;
import io.persist.support.Seeds;
import java.lang.Thread.State;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two consensuses with pools of their own, as two processes have them. */
class SignalsTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final long PAUSE_NS = 20_000_000;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);

    private PostgresServer server;
    private String schema;
    private PostgresConsensus writing;
    private PostgresConsensus waiting;

    /** While signals come the one that waits does not look for an hour. */
    @BeforeEach
    void openBoth() throws Exception {
        server = TestServer.get();
        schema = server.freshSchema();
        writing = open("writing");
        waiting = open("waiting");
        set(writing, 0);
    }

    @AfterEach
    void closeBoth() {
        if (waiting != null) {
            writing.close();
            waiting.close();
        }
    }

    private PostgresConsensus open(String name) {
        String uri = server.uri() + schema + "&connections=3&ApplicationName=" + name;
        return PostgresConsensus.open(PostgresUri.parse(URI.create(uri), Map.of()), TimeUnit.HOURS.toNanos(1));
    }

    private static void set(PostgresConsensus consensus, long number) {
        assertThat(consensus.compareAndSet("k", number - 1, new Version(number, new byte[] {1})))
                .isTrue();
    }

    private Thread awaitAbove(long number) {
        Thread thread = new Thread(() -> {
            try {
                waiting.awaitChange("k", number, LONG, () -> {});
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    private static void await(BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - startNs).as("it is so in the end").isLessThan(PATIENCE_NS);
            Thread.yield();
        }
    }

    private static void awaitEnd(Thread thread) throws InterruptedException {
        thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
        assertThat(thread.isAlive()).as("it still waits").isFalse();
    }

    @Test
    void shouldWakeWhoWaitsInAnotherProcess() throws Exception {
        Thread thread = awaitAbove(0);
        await(waiting::isHearing);
        assertThat(writing.isHearing()).isFalse(); // there nobody waits
        set(writing, 1);
        awaitEnd(thread);
        for (int number = 2; number < 10; number++) {
            Thread next = awaitAbove(number - 1L);
            await(() -> next.getState() == State.TIMED_WAITING);
            LockSupport.parkNanos(PAUSE_NS); // so that it has looked, most of the time
            set(writing, number);
            awaitEnd(next);
        }
    }

    /** Nobody looks here: what is heard was said. */
    @Test
    void shouldHearWhatWasSaid() throws Exception {
        News news = new News();
        try (Signals hearing = new Signals(server::connect, server::connect, "persist_x", news);
                Signals telling = new Signals(server::connect, server::connect, "persist_x", new News())) {
            hearing.hear();
            await(hearing::isHearing);
            telling.send("k", 4);
            telling.send("other", 9);
            assertThat(news.await("k", 3, PATIENCE_NS, 1, () -> {})).isTrue();
            assertThat(news.await("other", 8, PATIENCE_NS, 1, () -> {})).isTrue();
            assertThat(news.await("other", 9, 0, 1, () -> {})).isFalse();
        }
    }

    private Connection afterAnError(AtomicInteger errors) throws SQLException {
        if (errors.getAndIncrement() == 0) {
            throw new OutOfMemoryError("of this test");
        }
        return server.connect();
    }

    /** Nobody else starts the threads again. */
    @Test
    void shouldGoOnAfterAnError() throws Exception {
        News news = new News();
        AtomicInteger ofHearing = new AtomicInteger();
        AtomicInteger ofSending = new AtomicInteger();
        try (Signals hearing = new Signals(server::connect, () -> afterAnError(ofHearing), "persist_y", news);
                Signals telling =
                        new Signals(() -> afterAnError(ofSending), server::connect, "persist_y", new News())) {
            hearing.hear();
            await(hearing::isHearing);
            telling.send("k", 4);
            await(() -> ofSending.get() > 0);
            telling.send("k", 5);
            await(() -> news.told("k").number() == 5);
        }
    }

    @Test
    void shouldLookWhileSignalsDoNotCome() throws Exception {
        Thread thread = awaitAbove(0);
        await(waiting::isHearing);
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE application_name = 'waiting' AND query LIKE 'LISTEN%'");
        set(writing, 1);
        awaitEnd(thread);
        if (Seeds.isNightly()) {
            Thread next = awaitAbove(1);
            await(waiting::isHearing); // it has come back
            set(writing, 2);
            awaitEnd(next);
        }
    }

    private void signal(String text) throws Exception {
        String channel = "persist_'||CAST(CAST(to_regclass('" + schema.substring(schema.indexOf('=') + 1)
                + ".persist_heads') AS oid) AS bigint)";
        server.execute("SELECT pg_notify('" + channel + ", '" + text + "')");
    }

    /** That a thread waits for a version above {@code number} until it is asked whether it still has to. */
    private void assertWaits(long number) {
        RuntimeException enough = new IllegalStateException("it waits");
        assertThatThrownBy(() -> waiting.awaitChange("k", number, LONG, () -> {
                    throw enough;
                }))
                .isSameAs(enough);
    }

    /** It would look without a pause until there is such a version. */
    @Test
    void shouldBelieveAWrongNumberOnceAtMost() throws Exception {
        Thread thread = awaitAbove(0);
        await(waiting::isHearing);
        signal("k 100000000000000000");
        awaitEnd(thread);
        assertWaits(0);
        set(waiting, 1);
        waiting.awaitChange("k", 0, LONG, () -> {});
        assertWaits(1);
    }

    /** As by a restore from an older copy: what was told counts for other versions than there are now. */
    @Test
    void shouldWaitIfVersionsAreGone() throws Exception {
        set(waiting, 1);
        String heads = schema.substring(schema.indexOf('=') + 1) + ".persist_heads";
        server.execute("UPDATE " + heads + " SET number = 0");
        assertWaits(0);
    }

    /** Anybody may say anything there. */
    @Test
    void shouldTakeNoNotice() throws Exception {
        Thread thread = awaitAbove(0);
        await(waiting::isHearing);
        for (String text : new String[] {"", "k", "k x", "k 99999999999999999999", " 1"}) {
            signal(text);
        }
        assertThat(thread.isAlive()).isTrue();
        set(writing, 1);
        awaitEnd(thread);
    }
}
