package io.persist.bench.rows.promise;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beside SQLite itself it is tested in {@code persist-peers}. */
class WalPagesTest {

    /** By runs of SQLite, at each of whose commits it was seen whether its file had grown. */
    @ParameterizedTest
    @CsvSource({"1000, 1, 667", "100, 1, 949"})
    void shouldMakeACheckpointWhereSqliteDoes(int rowBytes, int batchRows, int commits) {
        WalPages wal = new WalPages(1000);
        for (int turn = 0; turn < 2; turn++) {
            assertThat(commitsUntilACheckpoint(wal, rowBytes, batchRows)).isBetween(commits - 2, commits + 2);
        }
    }

    private static int commitsUntilACheckpoint(WalPages wal, int rowBytes, int batchRows) {
        int commits = 0;
        boolean isCheckpoint = false;
        while (!isCheckpoint) {
            for (int row = 0; row < batchRows; row++) {
                wal.add(rowBytes);
            }
            isCheckpoint = wal.commit();
            commits++;
        }
        return commits;
    }
}
