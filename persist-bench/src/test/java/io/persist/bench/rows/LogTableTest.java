package io.persist.bench.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.LogMonitor;
import io.persist.bench.rows.promise.JournalMode;
import io.persist.bench.rows.promise.RowPromise;
import io.persist.bench.rows.promise.Synchronous;
import io.persist.log.LogConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTableTest {

    private static final int MOST_COMMITS = 1000;

    @TempDir
    Path directory;

    /** Else a power cut takes more of it than of SQLite, and its rows per second are beside SQLite's all the same. */
    @Test
    void shouldSyncRowsThatAreCommittedAloneAsOftenAsSqlite() throws Exception {
        assertThat(commitsUntilASync(LogTable::message)).isBetween(900, MOST_COMMITS);
        assertThat(commitsUntilASync(LogTable::store)).isBetween(900, MOST_COMMITS);
    }

    private int commitsUntilASync(RowEngine.Opener opener) throws Exception {
        RowPromise promise = RowPromise.ofPersist(JournalMode.WAL, Synchronous.NORMAL);
        Path path = directory.resolve("rows-" + opener.hashCode());
        byte[] text = new byte[100];
        try (RowTable table = opener.open(new RowSpec(
                path, JournalMode.WAL, Synchronous.NORMAL, promise, LogConfig.DEFAULT_SEGMENT_LENGTH, null))) {
            LogMonitor monitor = LogMonitor.open(path);
            for (int commit = 1; commit <= MOST_COMMITS; commit++) {
                table.begin();
                table.insert(commit, text);
                table.commit();
                if (monitor.read().unsyncedBytes() == 0) {
                    return commit;
                }
            }
            return Integer.MAX_VALUE;
        }
    }
}
