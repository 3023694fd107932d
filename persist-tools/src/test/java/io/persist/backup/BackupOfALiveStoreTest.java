package io.persist.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is there after a backup of a store is one that opens, whenever compaction takes segments away. */
class BackupOfALiveStoreTest {

    private static final int KEPT = 10;
    private static final StoreConfig CONFIG = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(65536).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();

    private static StoreLogger open(Storage storage) {
        return StoreLogger.open(CONFIG, storage, storage);
    }

    private static void put(StoreLogger store, String key, String value) {
        Transaction transaction = store.begin();
        transaction.put(key.getBytes(UTF_8), value.getBytes(UTF_8));
        transaction.commit();
    }

    private static String kept(int number) {
        return ("kept " + number).repeat(100);
    }

    /** The kept values lie in segments that are vacated as soon as the store is compacted. */
    private static StoreLogger storeThatCanBeCompacted(Storage storage) {
        StoreLogger store = open(storage);
        for (int i = 0; i < KEPT; i++) {
            put(store, "kept-" + i, kept(i));
        }
        for (int i = 0; i < 100; i++) {
            put(store, "changing", "v".repeat(2000));
        }
        store.checkpoint();
        put(store, "changing", "v");
        store.checkpoint();
        put(store, "last", "v");
        return store;
    }

    @Test
    void shouldBeAStoreWheneverItIsCompacted() {
        int compacted = 0;
        boolean isDone = false;
        for (int at = 1; !isDone; at++) {
            CrashableStorage source = new CrashableStorage();
            CrashableStorage target = new CrashableStorage();
            CrashableStorage restored = new CrashableStorage();
            try (StoreLogger store = storeThatCanBeCompacted(source)) {
                HookedFiles files = new HookedFiles(source, at, () -> store.compact(Long.MAX_VALUE));
                Backup.directory(target).take(files, files);
                isDone = files.calls() < at;
                compacted += store.statistics().compaction().vacatedSegments() > 0 ? 1 : 0;
            }
            Backup.directory(target).restore(restored);
            try (StoreLogger store = open(restored)) {
                for (int i = 0; i < KEPT; i++) {
                    assertThat(store.getBytes(("kept-" + i).getBytes(UTF_8)))
                            .as("compacted before call %d", at)
                            .isEqualTo(kept(i).getBytes(UTF_8));
                }
            }
        }
        assertThat(compacted).isGreaterThan(10);
    }

    @Test
    void shouldAskForTheDirectoryOfTheCheckpoints() {
        CrashableStorage source = new CrashableStorage();
        try (StoreLogger store = storeThatCanBeCompacted(source)) {
            store.compact(Long.MAX_VALUE);
        }
        Backup backup = Backup.directory(new CrashableStorage());
        assertThatThrownBy(() -> backup.take(source, new CrashableStorage()))
                .isInstanceOf(RetiredException.class)
                .hasMessageContaining("name the directory of the store's checkpoints");
    }

    /** All its files can be copied, and each is whole; but it has checkpoints of another log. */
    @Test
    void shouldBeNoStoreThatDoesNotOpen() {
        CrashableStorage source = new CrashableStorage();
        CrashableStorage target = new CrashableStorage();
        Backup backup = Backup.directory(target);
        try (StoreLogger store = storeThatCanBeCompacted(source)) {
            store.compact(Long.MAX_VALUE);
        }
        BackupManifest good = backup.take(source, source).manifest();
        try (StoreLogger store = open(source)) {
            put(store, "last", "w");
        }
        source.list().stream().filter(name -> name.endsWith(".chk")).forEach(name -> {
            byte[] bytes = source.content(name);
            long position = CheckpointName.position(name).orElseThrow();
            CheckpointHeader own = CheckpointHeader.decode(bytes, name, position);
            byte[] other = new CheckpointHeader(
                            own.logId() + 1,
                            position,
                            own.sequence(),
                            own.salt(),
                            own.createdAtMs(),
                            own.predecessor(),
                            own.predecessorSalt())
                    .encode();
            System.arraycopy(other, 0, bytes, 0, other.length);
            source.replace(name, bytes);
        });
        for (Backup each : List.of(backup, Backup.zip(target, "b.zip"))) {
            assertThatThrownBy(() -> each.take(source, source))
                    .isInstanceOf(LogIOException.class)
                    .hasMessageContaining("the store would not open from this backup, which was not made: ");
        }
        assertThat(backup.verify()).isEqualTo(good);
        assertThat(target.list()).noneMatch(name -> name.endsWith(".tmp") || name.endsWith(".zip"));
    }
}
