package io.persist.shard.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.LocationException;
import io.persist.shard.location.Backoff;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.NewestVersion;
import io.persist.shard.location.Version;
import io.persist.shard.postgres.PostgresFailures.Sent;
import io.persist.shard.postgres.Signals.Connector;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Versions in two tables of a PostgreSQL database. A compare-and-set is one statement, and one round trip.
 *
 * <p>What it returns is as durable as commits of the server are: its setting {@code synchronous_commit} is raised from
 * off to on.
 */
public final class PostgresConsensus implements Consensus {

    private static final int ATTEMPTS = 10;
    private static final long FIRST_PAUSE_NS = 1_000_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000_000;

    private final PostgresUri uri;
    private final HikariDataSource pool;
    private final PostgresFailures failures;
    private final News news = new News();

    /** Null if they are off. */
    private final @Nullable Signals signals;

    private final long longestPauseNs;

    private PostgresConsensus(
            PostgresUri uri,
            HikariDataSource pool,
            PostgresFailures failures,
            @Nullable Connector connector,
            String channel,
            long pauseNs) {
        this.uri = uri;
        this.pool = pool;
        this.failures = failures;
        this.signals = connector == null ? null : new Signals(pool::getConnection, connector, channel, news);
        this.longestPauseNs = pauseNs;
    }

    /**
     * The consensus of {@code uri}; its tables are made if they are not there.
     *
     * @throws DeterminateException if the server cannot be reached, refuses, or has other tables of these names
     */
    static PostgresConsensus open(PostgresUri uri) {
        return open(uri, LONGEST_PAUSE_NS);
    }

    /** The same; while signals come it looks for changes without one every {@code longestPauseNs} only. */
    static PostgresConsensus open(PostgresUri uri, long longestPauseNs) {
        PostgresFailures failures = new PostgresFailures(uri);
        try {
            SessionSource source = SessionSource.of(uri);
            try (Connection connection = source.getConnection()) { // its refusal is told at once, the pool's is not
                try (Statement statement = connection.createStatement()) {
                    statement.execute(settings(uri));
                }
                Tables.prepare(connection, uri);
                String channel = "persist_" + Tables.id(connection);
                return new PostgresConsensus(
                        uri,
                        new HikariDataSource(settingsOfPool(uri, source)),
                        failures,
                        uri.isSignalled() ? source::getConnection : null,
                        channel,
                        longestPauseNs);
            }
        } catch (SQLException refused) {
            throw failures.of("open", Sent.NOTHING, refused);
        }
    }

    /** For each connection: the server gives up before the client does, and commits are durable. */
    private static String settings(PostgresUri uri) {
        return "SELECT set_config('statement_timeout', '" + uri.timeoutS() + "s', false), "
                + "CASE current_setting('synchronous_commit') WHEN 'off'"
                + " THEN set_config('synchronous_commit', 'on', false) END";
    }

    private static HikariConfig settingsOfPool(PostgresUri uri, SessionSource source) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("persist-shard " + uri.shown());
        config.setDataSource(source);
        config.setConnectionInitSql(settings(uri));
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setMaximumPoolSize(uri.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(uri.timeoutS()));
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /** What is done by a statement. */
    interface Work<T> {
        T on(PreparedStatement statement) throws SQLException;
    }

    /**
     * Does {@code work}. A connection on which anything else fails than SQL, as for want of memory, may be in the
     * middle of a question or an answer, which would be taken for the next one's: nobody has it again.
     */
    <T> T run(String what, String key, Sent kind, String sql, Work<T> work) {
        int attempt = 1;
        while (true) {
            Sent sent = Sent.NOTHING;
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(sql)) { // nothing is sent by that
                sent = kind;
                try {
                    try {
                        return work.on(statement);
                    } catch (SQLException failed) { // to look whether it was refused asks the server once more
                        boolean isRefusal = kind == Sent.WRITE && PostgresFailures.isRefusal(failed, connection);
                        sent = isRefusal ? Sent.REFUSED : kind;
                        throw failed;
                    }
                } catch (RuntimeException | Error broken) {
                    pool.evictConnection(connection);
                    throw broken;
                }
            } catch (SQLException failed) {
                if (!PostgresFailures.isWorthRepeating(failed) || attempt == ATTEMPTS) {
                    throw failures.of(what + " of key=" + key, sent, failed);
                }
                attempt++;
            }
        }
    }

    @Override
    public List<String> keys() {
        return run("listing", "*", Sent.READ, Tables.KEYS, statement -> {
            List<String> keys = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keys.add(rows.getString(1));
                }
            }
            return keys;
        });
    }

    @Override
    public @Nullable Version head(String key) {
        List<Version> newest = run("reading", Blob.checkName(key), Sent.READ, Tables.HEAD, statement -> {
            statement.setString(1, key);
            return versions(statement);
        });
        return newest.isEmpty() ? null : newest.get(0);
    }

    @Override
    public List<Version> scan(String key, long from, int limit) {
        return run("reading", Blob.checkName(key), Sent.READ, Tables.SCAN, statement -> {
            statement.setString(1, key);
            statement.setLong(2, from);
            statement.setInt(3, limit);
            return versions(statement);
        });
    }

    private static List<Version> versions(PreparedStatement statement) throws SQLException {
        List<Version> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(new Version(rows.getLong(1), rows.getBytes(2)));
            }
        }
        return found;
    }

    @Override
    public boolean compareAndSet(String key, long expected, Version next) {
        NewestVersion.checkNext(key, expected, next);
        if (next.data().length > mostBytes()) {
            throw new DeterminateException(
                    uri.shown() + ": compare-and-set of key=" + key + ": a version of " + next.data().length
                            + " bytes is longer than the server takes and gives, which is " + mostBytes(),
                    null);
        }
        boolean isSet = expected == NONE
                ? run("compare-and-set", key, Sent.WRITE, Tables.FIRST, statement -> {
                    statement.setString(1, key);
                    statement.setLong(2, next.number());
                    statement.setBytes(3, next.data());
                    return statement.executeUpdate() == 1;
                })
                : run("compare-and-set", key, Sent.WRITE, Tables.NEXT, statement -> {
                    statement.setLong(1, next.number());
                    statement.setString(2, key);
                    statement.setLong(3, expected);
                    statement.setBytes(4, next.data());
                    return statement.executeUpdate() == 1;
                });
        if (isSet) {
            news.tell(key, next.number());
            if (signals != null) {
                signals.send(key, next.number());
            }
        }
        return isSet;
    }

    @Override
    public int truncate(String key, long number) {
        int deleted = run("truncation", Blob.checkName(key), Sent.WRITE, Tables.TRUNCATE, statement -> {
            statement.setString(1, key);
            statement.setLong(2, number);
            statement.setString(3, key);
            statement.setLong(4, number);
            try (ResultSet counts = statement.executeQuery()) {
                counts.next();
                return counts.getInt(1) == 0 ? -1 : counts.getInt(2);
            }
        });
        if (deleted < 0) {
            throw new IllegalArgumentException(
                    "key=" + key + ": number=" + number + " is greater than the newest, or there is none");
        }
        return deleted;
    }

    @Override
    public int mostBytes() {
        return uri.mostBytes();
    }

    /**
     * Threads of this process are woken by it, and by signals of others. While there are none, or in case that one is
     * lost, it looks: after pauses from 1 ms to 1 s. It looks, too, if a number was told before: that may be wrong, as
     * anybody may send a signal, and versions may be gone.
     */
    @Override
    public void awaitChange(String key, long number, Duration timeout, Runnable check) throws InterruptedException {
        long startNs = System.nanoTime();
        long budgetNs = Backoff.nanos(timeout);
        long pauseNs = FIRST_PAUSE_NS;
        long gaps = news.gaps();
        if (signals != null) {
            signals.hear();
        }
        News.Told told = news.told(key);
        if (told.number() > number) {
            if (hasChanged(key, number)) {
                return;
            }
            news.forget(key, told);
        }
        while (true) {
            long leftNs = budgetNs - (System.nanoTime() - startNs);
            if (leftNs <= 0 || news.await(key, number, Math.min(leftNs, pauseNs), gaps, check)) {
                return;
            }
            gaps = news.gaps(); // before it looks: a gap behind that is one to look again
            if (hasChanged(key, number)) {
                return;
            }
            pauseNs = isHearing() ? longestPauseNs : Math.min(LONGEST_PAUSE_NS, 2 * pauseNs);
        }
    }

    /** Whether signals of others come. */
    boolean isHearing() {
        return signals != null && signals.isHearing();
    }

    /** If the server does not answer that is said by the read that follows. */
    private boolean hasChanged(String key, long number) {
        try {
            return run("reading", Blob.checkName(key), Sent.READ, Tables.HEAD_NUMBER, statement -> {
                statement.setString(1, key);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() && rows.getLong(1) > number;
                }
            });
        } catch (LocationException saidByTheNextRead) {
            return true;
        }
    }

    @Override
    public void close() {
        if (signals != null) {
            signals.close();
        }
        pool.close();
    }
}
