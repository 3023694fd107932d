package io.persist;

import static io.persist.support.Buffers.longBytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.error.RetiredException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.read.LogCursors;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/store.md says of a consumer that counts each change of a store once, run. */
@Timeout(60)
class ProjectionGuideTest {

    @TempDir
    Path directory;

    private final byte[] reached = "reached".getBytes(UTF_8); // no key of the store
    private StoreLogger results;

    private static StoreConfig config(Path directory, int segmentLength) {
        LogConfig log =
                LogConfig.builder(directory).segmentLength(segmentLength).build();
        return StoreConfig.builder(log).maxSpaceRatio(0).build();
    }

    @AfterEach
    void close() {
        results.close();
    }

    // snippet: store-changes-once
    ChangeReader follow(StoreConfig config) {
        Path directory = config.log().directory();
        TailerConfig syncedOnly =
                TailerConfig.builder().readScope(ReadScope.SYNCED).build();
        ByteBuffer kept = results.get(reached); // the position, and the id of its log
        long position = kept == null ? 0 : kept.getLong();
        try {
            ChangeReader changes = ChangeReader.open(directory, "replica", position, syncedOnly);
            if (kept != null && kept.getLong() != changes.logId()) {
                changes.close();
                throw new IllegalStateException("the results are of another log: make them anew");
            }
            return changes;
        } catch (RetiredException e) { // there are no results, or they are too old; the name holds what is to come
            return begin(config, syncedOnly);
        }
    }

    ChangeReader begin(StoreConfig config, TailerConfig syncedOnly) {
        try (StoreView view = StoreView.open(config)) {
            copyAll(view.snapshot());
            long position = view.snapshot().position();
            ChangeReader changes = ChangeReader.open(config.log().directory(), "replica", position, syncedOnly);
            changes.store(); // syncs the log up to here: no power cut takes back what the state has
            results.put(reached, longBytes(position, changes.logId()), Durability.SYNCED); // now they are whole
            return changes;
        }
    }
    // end

    // snippet: store-copy-all
    void copyAll(StoreSnapshot snapshot) {
        results.removeRange(KeyRange.all()); // the kept position too: a copy that is cut short begins anew
        Transaction transaction = results.begin();
        try (StoreScan scan = snapshot.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                byte[] key = scan.keyBytes();
                byte[] value = scan.valueBytes();
                if (!transaction.fits(key.length, value.length)) { // all of the state fits no transaction
                    transaction.commit(Durability.BUFFERED);
                    transaction = results.begin();
                }
                transaction.put(key, value);
            }
            transaction.commit(Durability.BUFFERED);
        } finally {
            transaction.close(); // rolls back what an error has left open
        }
    }
    // end

    // snippet: store-changes-apply
    void catchUp(ChangeReader changes) {
        while (changes.next()) {
            try (Transaction transaction = results.begin()) {
                do {
                    apply(changes, transaction);
                } while (!changes.endsTransaction() && changes.next());
                transaction.put(reached, longBytes(changes.nextPosition(), changes.logId())); // both, or none of them
                transaction.commit(Durability.BUFFERED);
            }
        }
        byte[] kept = results.getBytes(reached);
        byte[] now = longBytes(changes.nextPosition(), changes.logId());
        if (kept != null && !Arrays.equals(kept, now)) { // it has gone on, over what is no change
            results.put(reached, now, Durability.BUFFERED);
        }
        results.sync(); // first the results, then the cursor: it never passes what they lack
        changes.store();
    }

    void apply(ChangeReader change, Transaction results) {
        byte[] key = change.keyBytes();
        byte[] value = change.valueBytes();
        switch (change.type()) {
            case PUT -> results.put(key, value);
            case REMOVE -> results.remove(key);
            case REMOVE_RANGE ->
                results.removeRange(value.length == 0 ? KeyRange.from(key) : KeyRange.between(key, value));
        }
    }
    // end

    private static String text(ByteBuffer bytes) {
        return UTF_8.decode(bytes).toString();
    }

    private static void putEach(StoreLogger store, long value, String... keys) {
        for (String key : keys) {
            store.put(key.getBytes(UTF_8), longBytes(value));
        }
    }

    private static Map<String, Long> content(StoreReads store) {
        Map<String, Long> content = new LinkedHashMap<>();
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                content.put(text(scan.key()), scan.value().getLong());
            }
        }
        content.remove("reached");
        return content;
    }

    private void assertFollows(StoreConfig config) {
        try (ChangeReader changes = follow(config);
                StoreView view = StoreView.open(config)) {
            catchUp(changes);
            assertThat(content(results)).isEqualTo(content(view.snapshot()));
        }
    }

    /** From the first change on, over restarts, and from the state on where changes are gone. */
    @Test
    void shouldCountEachChangeOnce(@TempDir Path place) {
        StoreConfig config = config(directory, 64 << 10);
        results = StoreLogger.open(config(place, 1 << 20));
        try (StoreLogger store = StoreLogger.open(config)) {
            putEach(store, 1, "a", "b", "c");
            store.sync();
            assertFollows(config);
            store.removeRange(KeyRange.closed("a".getBytes(UTF_8), "b".getBytes(UTF_8)));
            store.remove("none".getBytes(UTF_8));
            putEach(store, 2, "d");
            store.sync();
            assertFollows(config);
            assertThat(content(results)).containsOnlyKeys("c", "d");
            results.remove(reached); // as if a copy had been cut short
            results.put("left".getBytes(UTF_8), longBytes(3));
            assertFollows(config);
            assertThat(content(results)).containsOnlyKeys("c", "d");
        }
    }

    /** The results have more than a log that was restored: nothing of it may count as read. */
    @Test
    void shouldNotSkipWhatARestoredLogHas(@TempDir Path place, @TempDir Path restored) throws IOException {
        StoreConfig config = config(directory, 64 << 10);
        StoreConfig other = config(restored, 64 << 10);
        results = StoreLogger.open(config(place, 1 << 20));
        try (StoreLogger store = StoreLogger.open(config)) {
            putEach(store, 1, "a");
            store.sync();
            assertFollows(config);
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.copy(file, restored.resolve(file.getFileName()));
            }
        }
        try (StoreLogger store = StoreLogger.open(config)) {
            putEach(store, 2, "b", "c", "d");
            store.sync();
            assertFollows(config);
        }
        try (StoreLogger store = StoreLogger.open(other)) {
            putEach(store, 3, "x");
            store.sync();
            LogCursors cursors = LogCursors.open(restored);
            List<LogCursors.CursorState> before = cursors.list();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> follow(other))
                    .withMessageContaining("position is beyond the end of the log");
            assertThat(cursors.list()).isEqualTo(before);
            results.removeRange(KeyRange.all());
            assertFollows(other);
            assertThat(content(results)).containsOnlyKeys("a", "x");
        }
    }

    /** Nothing was committed, and compaction has moved all values twice: there is nothing to copy. */
    @Test
    void shouldGoOnAfterARestartWhereOnlyCompactionHasWorked(@TempDir Path place) {
        StoreConfig config = config(directory, 64 << 10);
        results = StoreLogger.open(config(place, 1 << 20));
        try (StoreLogger store = StoreLogger.open(config)) {
            for (int i = 0; i < 200; i++) {
                store.put(longBytes(i), new byte[1000], Durability.BUFFERED);
            }
            store.sync();
            try (ChangeReader changes = follow(config)) {
                catchUp(changes);
                store.rewrite();
                catchUp(changes);
                store.rewrite();
            }
            results.put("mark".getBytes(UTF_8), longBytes(1)); // a copy would begin by removing it
            try (ChangeReader changes = follow(config)) {
                assertThat(changes.next()).isFalse();
            }
            assertThat(results.contains("mark".getBytes(UTF_8))).isTrue();
            assertThat(results.size()).isEqualTo(202);
        }
    }
}
