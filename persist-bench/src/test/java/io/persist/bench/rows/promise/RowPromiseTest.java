package io.persist.bench.rows.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import org.junit.jupiter.api.Test;

/** Nothing is called durable that is not. */
class RowPromiseTest {

    @Test
    void shouldNotCallTheWalWithNormalDurable() {
        RowPromise sqlite = RowPromise.ofSqlite(JournalMode.WAL, Synchronous.NORMAL);
        RowPromise persist = RowPromise.ofPersist(JournalMode.WAL, Synchronous.NORMAL);
        assertThat(sqlite.level()).isEqualTo(Durability.FLUSHED);
        assertThat(sqlite.words()).startsWith("not durable at commit");
        assertThat(persist.level()).isEqualTo(Durability.FLUSHED);
        assertThat(persist.syncPages()).isEqualTo(sqlite.syncPages()).isEqualTo(1000);
    }

    @Test
    void shouldGiveTheOtherEnginesTheLevelOfSqlite() {
        for (JournalMode journal : JournalMode.values()) {
            for (Synchronous synchronous : Synchronous.values()) {
                assertThat(RowPromise.ofPersist(journal, synchronous).level())
                        .as("%s %s", journal, synchronous)
                        .isEqualTo(RowPromise.ofSqlite(journal, synchronous).level());
            }
            assertThat(RowPromise.ofSqlite(journal, Synchronous.OFF).words()).contains("may damage the file");
        }
    }

    @Test
    void shouldSayWhatElseMayHappen() {
        assertThat(RowPromise.ofSqlite(JournalMode.DELETE, Synchronous.FULL).words())
                .contains("may roll back the last commit");
        assertThat(RowPromise.ofSqlite(JournalMode.DELETE, Synchronous.EXTRA).words())
                .isEqualTo("synced: survives a power cut");
        assertThat(RowPromise.ofSqlite(JournalMode.WAL, Synchronous.FULL).words())
                .isEqualTo("synced: survives a power cut");
        assertThat(RowPromise.ofSqlite(JournalMode.MEMORY, Synchronous.FULL).words())
                .contains("not atomic");
    }
}
