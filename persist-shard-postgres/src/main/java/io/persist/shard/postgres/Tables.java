package io.persist.shard.postgres;

import io.persist.shard.error.DeterminateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The two tables, and the statements on them. Each statement is a transaction of its own, at READ COMMITTED: a change
 * waits for the row of its key in {@code persist_heads} and then looks at the number that is there by then.
 */
final class Tables {

    /** Parameters: key, number, data. */
    static final String FIRST = """
            WITH made AS (
                INSERT INTO persist_heads (key, number) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING key, number)
            INSERT INTO persist_versions (key, number, data) SELECT key, number, ? FROM made""";

    /** Parameters: number, key, expected, data. */
    static final String NEXT = """
            WITH moved AS (
                UPDATE persist_heads SET number = ? WHERE key = ? AND number = ? RETURNING key, number)
            INSERT INTO persist_versions (key, number, data) SELECT key, number, ? FROM moved""";

    /** Parameter: key. */
    static final String HEAD = "SELECT number, data FROM persist_versions WHERE key = ? ORDER BY number DESC LIMIT 1";

    /** Parameter: key. */
    static final String HEAD_NUMBER = "SELECT number FROM persist_heads WHERE key = ?";

    /** Parameters: key, from, limit. */
    static final String SCAN =
            "SELECT number, data FROM persist_versions WHERE key = ? AND number >= ? ORDER BY number LIMIT ?";

    static final String KEYS = "SELECT key FROM persist_heads";

    /** Parameters: key, number, key, number. A head only grows: what is below it now stays below it. */
    static final String TRUNCATE = """
            WITH head AS (SELECT 1 FROM persist_heads WHERE key = ? AND number >= ?),
                gone AS (
                    DELETE FROM persist_versions WHERE key = ? AND number < ? AND EXISTS (SELECT 1 FROM head)
                    RETURNING 1)
            SELECT (SELECT count(*) FROM head), (SELECT count(*) FROM gone)""";

    private static final String ID = "SELECT CAST(CAST(to_regclass('persist_heads') AS oid) AS bigint)";
    private static final String HEADS_LAYOUT = "key text, number bigint; PRIMARY KEY (key)";
    private static final String VERSIONS_LAYOUT = "key text, number bigint, data bytea; PRIMARY KEY (key, number)";

    /** One process at a time: CREATE TABLE IF NOT EXISTS fails if another one creates it meanwhile. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtext('io.persist.shard'))";

    /** Names are compared by their bytes. A head is changed in its page, which has room for it. */
    private static final String CREATE_HEADS = """
            CREATE TABLE IF NOT EXISTS persist_heads (
                key text COLLATE "C" NOT NULL, number bigint NOT NULL, PRIMARY KEY (key)) WITH (fillfactor = 50)""";

    private static final String CREATE_VERSIONS = """
            CREATE TABLE IF NOT EXISTS persist_versions (
                key text COLLATE "C" NOT NULL, number bigint NOT NULL, data bytea NOT NULL,
                PRIMARY KEY (key, number))""";

    /** Changes nothing, but is refused without any of the rights that are needed. */
    private static final String PROBE = """
            WITH made AS (INSERT INTO persist_heads SELECT * FROM persist_heads WHERE false),
                moved AS (UPDATE persist_heads SET number = number WHERE false),
                added AS (INSERT INTO persist_versions SELECT * FROM persist_versions WHERE false)
            DELETE FROM persist_versions WHERE false""";

    private static final String LAYOUT = """
            SELECT (SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
                    FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped)
                || '; ' || coalesce((SELECT pg_get_constraintdef(oid)
                    FROM pg_constraint WHERE conrelid = to_regclass(?) AND contype = 'p'), 'no primary key')""";

    private Tables() {}

    /**
     * Makes the tables if they are not there, and looks whether they are these and may be used.
     *
     * @throws DeterminateException if they are others
     * @throws SQLException if the server refuses
     */
    static void prepare(Connection connection, PostgresUri uri) throws SQLException {
        if (layout(connection, "persist_heads") == null || layout(connection, "persist_versions") == null) {
            create(connection);
        }
        check(connection, uri, "persist_heads", HEADS_LAYOUT);
        check(connection, uri, "persist_versions", VERSIONS_LAYOUT);
        try (Statement statement = connection.createStatement()) {
            statement.execute(PROBE);
        }
    }

    /** The number of the table of heads: no other place of the database has it. */
    static long id(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(ID)) {
            found.next();
            return found.getLong(1);
        }
    }

    private static void create(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(LOCK);
            statement.execute(CREATE_HEADS);
            statement.execute(CREATE_VERSIONS);
            connection.commit();
        }
        connection.setAutoCommit(true);
    }

    private static void check(Connection connection, PostgresUri uri, String table, String wanted) throws SQLException {
        String found = layout(connection, table);
        if (!wanted.equals(found)) {
            throw new DeterminateException(
                    uri.shown() + ": table " + table + " is (" + found + ") and not (" + wanted
                            + "): it is of something else; name another schema by ?currentSchema=, or another database",
                    null);
        }
    }

    private static @Nullable String layout(Connection connection, String table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LAYOUT)) {
            statement.setString(1, table);
            statement.setString(2, table);
            try (ResultSet found = statement.executeQuery()) {
                return found.next() ? found.getString(1) : null;
            }
        }
    }
}
