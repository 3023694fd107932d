package io.persist.peers.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.rows.RowsCommand;
import io.persist.bench.rows.promise.JournalMode;
import io.persist.bench.rows.promise.Synchronous;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
