package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.RaftPatternTest.Entry;
import io.persist.RaftPatternTest.EntryId;
import io.persist.RaftPatternTest.RaftLog;
import io.persist.error.LogFullException;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/patterns.md says that Raft groups in a store cost. */
@Timeout(60)
class RaftPatternCostTest {

    private static final int SEGMENT = 64 << 10;
    private static final int COMMAND = 100;

    /** Bytes of a change, beside key and value; of a group's number and an index; of a term. */
    private static final int ENTRY = 24 + 12 + 8 + COMMAND;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private StoreLogger store;

    @BeforeEach
    void open() {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(SEGMENT).build();
        StoreConfig.Builder builder = StoreConfig.builder(config);
        store = StoreLogger.open(builder.checkpointPercent(0).maxSpaceRatio(0).build(), storage, storage);
        storage.hook(syncs);
    }

    @AfterEach
    void close() {
        syncs.releaseAll();
        store.close();
    }

    private static List<Entry> entries(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(new Entry(0, ByteBuffer.allocate(COMMAND)));
        }
        return entries;
    }

    private List<RaftLog> groups(int count) {
        List<RaftLog> groups = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            groups.add(new RaftLog(store, i));
        }
        return groups;
    }

    @Test
    void shouldSyncManyGroupsTogether() {
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        int before = syncs.count();
        syncs.hold();
        for (RaftLog group : groups(100)) {
            answers.add(group.propose(entries(1)));
            if (answers.size() == 1) {
                syncs.awaitHeld();
            }
        }
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        syncs.releaseAll();
        answers.forEach(answer -> assertThat(answer.join()).isEqualTo(1));
        assertThat(syncs.count() - before).isEqualTo(2);
    }

    @Test
    void shouldTakeFewBytesOfLogAndIndexForAnEntry() {
        RaftLog log = groups(1).get(0);
        for (int i = 0; i < 2000; i++) {
            log.propose(entries(10));
        }
        StoreStatistics statistics = store.statistics();
        assertThat(statistics.keys()).isEqualTo(20_000);
        assertThat(statistics.liveBytes()).isEqualTo(20_000L * ENTRY);
        assertThat(store.position()).isBetween(20_000L * ENTRY, 20_000L * (ENTRY + 7));
        assertThat(statistics.indexBytesPerKey()).isBetween(20.0, 21.0);
    }

    @Test
    void shouldTakeMoreOfTheIndexWhereGroupsHaveFewEntries() {
        List<RaftLog> groups = groups(100);
        for (int i = 0; i < 20; i++) {
            groups.forEach(group -> group.propose(entries(5)));
        }
        assertThat(store.statistics().keys()).isEqualTo(10_000);
        assertThat(store.statistics().indexBytesPerKey()).isBetween(20.0, 45.0);
    }

    /** The prefix that is cut is whole segments; of the rest little has to be copied. */
    @Test
    void shouldGiveSegmentsBackWithoutCopyingThem() {
        RaftLog log = groups(1).get(0);
        for (int i = 0; i < 2000; i++) {
            log.propose(entries(10));
        }
        log.compactTo(new EntryId(19_990, 0)).join();
        store.compact(Long.MAX_VALUE);
        StoreStatistics.Compaction compaction = store.statistics().compaction();
        assertThat(compaction.vacatedSegments()).isGreaterThan(20_000L * ENTRY / SEGMENT);
        assertThat(compaction.movedBytes()).isLessThan(20 * ENTRY);
        assertThat(log.entries(19_991, Integer.MAX_VALUE)).hasSize(10);
    }

    /** One group has its snapshot late: its entries, and no more, are copied out of the segments of all. */
    @Test
    void shouldCopyWhatALateGroupStillNeeds() {
        List<RaftLog> groups = groups(10);
        for (int i = 0; i < 60; i++) {
            groups.forEach(group -> group.propose(entries(10)));
        }
        groups.subList(1, 10)
                .forEach(group -> group.compactTo(new EntryId(600, 0)).join());
        store.compact(Long.MAX_VALUE);
        StoreStatistics.Compaction compaction = store.statistics().compaction();
        assertThat(compaction.movedBytes()).isBetween(500L * ENTRY, 700L * ENTRY);
        assertThat(groups.get(0).entries(1, Integer.MAX_VALUE)).hasSize(600);
    }

    /** What is removed may take the little along that {@code compactTo} puts. */
    @Test
    void shouldCompactOnAFullDisk() {
        RaftLog log = groups(1).get(0);
        log.propose(entries(100)).join();
        storage.fillUp();
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> {
            while (true) {
                log.propose(List.of(new Entry(0, ByteBuffer.allocate(0)))); // shorter than what compactTo puts
            }
        });
        EntryId last = log.last;
        assertThat(log.compactTo(last).join()).isEqualTo(last.index());
        assertThat(log.state.snapshot()).isEqualTo(last);
        assertThat(new RaftLog(store, 0).last).isEqualTo(last);
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> log.propose(entries(1)));
    }
}
