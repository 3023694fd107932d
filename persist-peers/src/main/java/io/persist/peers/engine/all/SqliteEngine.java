package io.persist.peers.engine.all;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.LibraryVersion;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Survival;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * SQLite by sqlite-jdbc, with a write-ahead log: a table of sequence and blob, filled by a prepared statement.
 *
 * <ul>
 *   <li>{@code BUFFERED}: auto-commit, hence a transaction for each message, with {@code synchronous=NORMAL}, which is
 *       what SQLite recommends together with its write-ahead log: commits write to the operating system, checkpoints
 *       sync. {@code kill -9} takes nothing away, and a power cut takes only the end, as with the other logs; with
 *       {@code OFF} it could take all.
 *   <li>{@code SYNCED}: a transaction for each commit, with {@code synchronous=FULL}: one {@code fsync} of the
 *       write-ahead log.
 * </ul>
 *
 * <p>Producers share one connection, the second one waiting until the first has committed: with a connection of each
 * they would sleep for milliseconds whenever they meet. A reader has a connection of its own.
 */
final class SqliteEngine implements Engine {

    static final EngineKind KIND = EngineKind.of(
            "sqlite",
            "SQLite by sqlite-jdbc " + LibraryVersion.of("org.xerial", "sqlite-jdbc"),
            Survival.KILL,
            EngineKind.Reading.ANY_PROCESS,
            SqliteEngine::new);

    private static final int BUSY_TIMEOUT_MS = 10_000;

    private final Path file;
    private final int messageLength;
    private final boolean synced;
    private final Connection connection;
    /**
     * Held for a message or, at SYNCED, from the first message of a transaction to its commit, which another thread may
     * do when it drains.
     */
    private final Semaphore transaction = new Semaphore(1);

    private final List<SqliteProducer> producers = new CopyOnWriteArrayList<>();

    SqliteEngine(EngineConfig config) throws IOException {
        file = config.directory().resolve("log.db");
        messageLength = config.messageLength();
        synced = config.durability() == Durability.SYNCED;
        try {
            connection = connect();
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(
                        "CREATE TABLE IF NOT EXISTS log (sequence INTEGER PRIMARY KEY, message BLOB NOT NULL)");
            }
            connection.setAutoCommit(!synced);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(synced ? SynchronousMode.FULL : SynchronousMode.NORMAL);
        config.setBusyTimeout(BUSY_TIMEOUT_MS);
        config.setGetGeneratedKeys(false);
        return config.createConnection("jdbc:sqlite:" + file);
    }

    private static IOException failed(SQLException e) {
        return new IOException("SQLite failed: " + e.getMessage(), e);
    }

    @Override
    public Producer producer() throws IOException {
        try {
            SqliteProducer producer = new SqliteProducer();
            producers.add(producer);
            return producer;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public MessageReader reader() throws IOException {
        try {
            return new SqliteReader();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public void drain() throws IOException {
        for (SqliteProducer producer : producers) {
            producer.commit();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            drain();
            connection.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private final class SqliteProducer implements Producer {

        private final byte[] bytes = new byte[messageLength];
        private final ByteBuffer message = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        private final PreparedStatement insert = connection.prepareStatement("INSERT INTO log (message) VALUES (?)");
        private boolean inTransaction;

        SqliteProducer() throws SQLException {}

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() throws IOException {
            if (!inTransaction) {
                transaction.acquireUninterruptibly();
                inTransaction = true;
            }
            try {
                insert.setBytes(1, bytes);
                insert.executeUpdate();
            } catch (SQLException e) {
                throw failed(e);
            } finally {
                if (!synced) {
                    inTransaction = false;
                    transaction.release();
                }
            }
        }

        @Override
        public void commit() throws IOException {
            if (!inTransaction) {
                return;
            }
            try {
                connection.commit();
            } catch (SQLException e) {
                throw failed(e);
            } finally {
                inTransaction = false;
                transaction.release();
            }
        }

        @Override
        public void close() throws IOException {
            commit();
        }
    }

    private final class SqliteReader implements MessageReader {

        private final Connection connection = connect();
        private final PreparedStatement select =
                connection.prepareStatement("SELECT sequence, message FROM log WHERE sequence > ? ORDER BY sequence");
        /** Open only as long as there is more to read: meanwhile no checkpoint gets past it. */
        private @Nullable ResultSet rows;

        private long last;

        SqliteReader() throws SQLException {}

        @Override
        public int poll(Handler handler, int limit) throws IOException {
            try {
                ResultSet rows = this.rows;
                if (rows == null) {
                    select.setLong(1, last);
                    rows = select.executeQuery();
                }
                int count = 0;
                while (count < limit) {
                    if (!rows.next()) {
                        rows.close();
                        rows = null;
                        break;
                    }
                    last = rows.getLong(1);
                    byte[] bytes = rows.getBytes(2);
                    handler.onMessage(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, bytes.length);
                    count++;
                }
                this.rows = rows;
                return count;
            } catch (SQLException e) {
                throw failed(e);
            }
        }

        @Override
        public void close() throws IOException {
            try {
                connection.close();
            } catch (SQLException e) {
                throw failed(e);
            }
        }
    }
}
