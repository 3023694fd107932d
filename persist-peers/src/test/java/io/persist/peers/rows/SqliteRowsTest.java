package io.persist.peers.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.rows.RowsCommand;
import io.persist.bench.rows.promise.JournalMode;
import io.persist.bench.rows.promise.Synchronous;
import io.persist.bench.rows.promise.WalPages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Locale;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteRowsTest {

    @TempDir
    private Path directory;

    private String run(String arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        int code = new RowsCommand().run(("--warmup 0 " + arguments).split(" "), stream, stream);
        assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldMakeTheTableOfSqliteBench() throws Exception {
        Path file = directory.resolve("bench.db");
        String out = run("--engine sqlite -batch-count 7 -batch-size 11 -row-size 100 -journal-mode wal"
                + " -synchronous normal --keep " + file);

        assertThat(out).startsWith("Inserts:   77 rows\nElapsed:   ").contains("\nRate:      ", " insert/sec\n");
        assertThat(out).contains("File size: " + Files.size(file) + " bytes", "not durable at commit");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("SELECT count(*), max(id), min(length(name)), max(name) FROM t")) {
            assertThat(rows.getInt(1)).isEqualTo(77);
            assertThat(rows.getInt(2)).isEqualTo(77);
            assertThat(rows.getInt(3)).isEqualTo(100);
            assertThat(rows.getString(4)).matches("x{100}");
        }
    }

    /** SQLite is asked whether it has set each of them. */
    @Test
    void shouldTakeEachModeAndLeaveNothing() throws IOException {
        for (JournalMode journal : JournalMode.values()) {
            for (Synchronous synchronous : Synchronous.values()) {
                String modes = (" -journal-mode " + journal + " -synchronous " + synchronous).toLowerCase(Locale.ROOT);
                assertThat(run("--engine sqlite -batch-count 2 -batch-size 3" + modes + " " + directory.resolve("t")))
                        .contains("Inserts:   6 rows");
            }
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    /** At "normal" the others sync where SQLite's checkpoint would. So their count of its pages is SQLite's own. */
    @ParameterizedTest
    @CsvSource({"100, 1, 2000", "1000, 1, 1000", "1000, 7, 300", "1000, 500, 8", "5000, 3, 200", "40000, 1, 60"})
    void shouldCountThePagesOfSqlite(int rowBytes, int batchRows, int batches) throws Exception {
        Path file = directory.resolve("pages.db");
        byte[] text = "x".repeat(rowBytes).getBytes(StandardCharsets.UTF_8);
        WalPages counted = new WalPages(0);
        long before;
        long after;
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA journal_mode = wal");
                statement.execute("PRAGMA wal_autocheckpoint = 0"); // all of its pages stay in the WAL
                statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)");
            }
            connection.setAutoCommit(false);
            before = Files.size(directory.resolve("pages.db-wal"));
            long number = 0;
            for (int batch = 0; batch < batches; batch++) {
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
                    for (int row = 0; row < batchRows; row++) {
                        insert.setLong(1, ++number);
                        insert.setString(2, new String(text, StandardCharsets.UTF_8));
                        insert.executeUpdate();
                        counted.add(text.length);
                    }
                }
                connection.commit();
                counted.commit();
            }
            after = Files.size(directory.resolve("pages.db-wal"));
        }
        long pages = (after - before) / (24 + 4096); // each with the header of its frame
        assertThat((double) counted.pages()).isCloseTo(pages, Percentage.withPercentage(5));
    }

    /** Which could mean something else to SQLite. */
    @ParameterizedTest
    @ValueSource(strings = {":memory:", "a?cache_size=10", "a%41#"})
    void shouldMakeTheFileOfAnyName(String name) throws IOException {
        Path file = directory.resolve(name);
        // The name alone, in the working directory, where nothing is left.
        assertThat(run("--engine sqlite -batch-count 2 " + name)).doesNotContain("File size: 0 bytes");
        run("--engine sqlite -batch-count 2 --keep " + file);
        assertThat(file).isNotEmptyFile();
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }
}
