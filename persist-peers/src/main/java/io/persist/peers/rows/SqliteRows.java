package io.persist.peers.rows;

import io.persist.bench.rows.RowEngine;
import io.persist.bench.rows.RowEngineProvider;
import io.persist.bench.rows.RowSpec;
import io.persist.bench.rows.RowTable;
import io.persist.bench.rows.promise.JournalMode;
import io.persist.bench.rows.promise.RowPromise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/** The table of sqlite-bench in SQLite: an integer key and a text, inserted by a statement of each transaction. */
public final class SqliteRows implements RowEngineProvider {

    /** For {@link java.util.ServiceLoader}. */
    public SqliteRows() {}

    @Override
    public RowEngine engine() {
        return RowEngine.of("sqlite", RowPromise::ofSqlite, SqliteTable::open);
    }

    private static final class SqliteTable implements RowTable {

        private final Connection connection;
        private final boolean hasWal;
        private byte[] lastText = new byte[0];
        private String text = "";
        private @Nullable PreparedStatement insert;

        private SqliteTable(Connection connection, boolean hasWal) {
            this.connection = connection;
            this.hasWal = hasWal;
        }

        static RowTable open(RowSpec spec) throws IOException {
            Files.createFile(spec.path()); // which SQLite takes for a database that is empty
            try {
                SQLiteConfig config = new SQLiteConfig();
                config.setGetGeneratedKeys(false);
                // As a URI it is a file whatever its name is: others than this mean memory, or end in parameters.
                Connection connection =
                        config.createConnection("jdbc:sqlite:" + spec.path().toUri());
                try {
                    pragma(connection, "journal_mode", spec.journal());
                    pragma(connection, "synchronous", spec.synchronous());
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)");
                    }
                    connection.setAutoCommit(false);
                    return new SqliteTable(connection, spec.journal() == JournalMode.WAL);
                } catch (SQLException e) {
                    connection.close();
                    throw e;
                }
            } catch (SQLException e) {
                throw failed(e);
            }
        }

        /** SQLite ignores what it cannot do, so it is asked what it has set. */
        private static void pragma(Connection connection, String name, Enum<?> value) throws SQLException {
            String wanted = value.name().toLowerCase(Locale.ROOT);
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA " + name + " = " + wanted);
                try (ResultSet set = statement.executeQuery("PRAGMA " + name)) {
                    String now = set.next() ? set.getString(1) : "";
                    if (!now.equals(wanted) && !now.equals(Integer.toString(value.ordinal()))) {
                        throw new SQLException("SQLite has set " + name + " to " + now + " and not to " + wanted);
                    }
                }
            }
        }

        private static IOException failed(SQLException e) {
            return new IOException("SQLite failed: " + e.getMessage(), e);
        }

        @Override
        public void begin() throws IOException {
            try {
                insert = connection.prepareStatement("INSERT INTO t (id, name) VALUES (?, ?)");
            } catch (SQLException e) {
                throw failed(e);
            }
        }

        @Override
        public void insert(long number, byte[] bytes) throws IOException {
            PreparedStatement statement = insert;
            if (statement == null) {
                throw new IllegalStateException("no batch was begun");
            }
            if (bytes != lastText) {
                lastText = bytes;
                text = new String(bytes, StandardCharsets.UTF_8);
            }
            try {
                statement.setLong(1, number);
                statement.setString(2, text);
                statement.executeUpdate();
            } catch (SQLException e) {
                throw failed(e);
            }
        }

        @Override
        public void commit() throws IOException {
            try (PreparedStatement statement = insert) {
                if (statement == null) {
                    throw new IllegalStateException("no batch was begun");
                }
                connection.commit();
                insert = null;
            } catch (SQLException e) {
                throw failed(e);
            }
        }

        @Override
        public void close() throws IOException {
            try (Connection closed = connection) {
                closed.setAutoCommit(true);
                if (hasWal) {
                    try (Statement statement = closed.createStatement()) {
                        statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
                    }
                }
            } catch (SQLException e) {
                throw failed(e);
            }
        }
    }
}
