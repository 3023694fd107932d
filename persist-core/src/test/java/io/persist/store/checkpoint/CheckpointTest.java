package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static io.persist.store.checkpoint.CheckpointEntries.header;
import static io.persist.store.checkpoint.CheckpointEntries.read;
import static io.persist.store.checkpoint.CheckpointEntries.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.IndexImage;
import io.persist.index.IndexImage.Scope;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.store.state.SegmentBytes;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written to a checkpoint is read from it. */
class CheckpointTest {

    private static final long POSITION = 4160;

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).isZero();
        assertThat(storage.list()).noneMatch(CheckpointName::isTemporary);
    }

    private CheckpointWriter writer() throws IOException {
        return CheckpointWriter.create(storage, header(POSITION), bytes -> {});
    }

    private static CheckpointChain open(Storage storage) throws IOException {
        return CheckpointChain.open(storage, POSITION, damaged -> {});
    }

    @Test
    void shouldReadWhatWasWritten() {
        Seeds.run(20, seed -> {
            Random random = new Random(seed);
            int count = random.nextInt(1 << random.nextInt(13));
            List<Entry> entries = CheckpointEntries.random(random, count, 1 << random.nextInt(11));
            CrashableStorage fresh = new CrashableStorage();
            long length = write(fresh, POSITION, entries);
            assertThat(read(fresh, POSITION)).isEqualTo(entries);
            assertThat(fresh.content(CheckpointName.of(POSITION))).hasSize((int) length);
            assertThat(fresh.openHandles()).isZero();
        });
    }

    @Test
    void shouldReadAHundredThousandEntries(@TempDir Path directory) throws IOException {
        DirectoryStorage disk = DirectoryStorage.create(directory);
        List<Entry> entries = CheckpointEntries.random(new Random(Seeds.seed()), 100_000, 40);
        write(disk, POSITION, entries);
        assertThat(read(disk, POSITION)).isEqualTo(entries);
    }

    @Test
    void shouldKeepTheHeader() throws IOException {
        write(storage, POSITION, List.of());
        try (CheckpointChain chain = open(storage)) {
            assertThat(chain.header()).isEqualTo(header(POSITION));
            assertThat(chain.tree().size()).isZero();
            assertThat(chain.verify()).as("nodes: a leaf without keys").isEqualTo(1);
        }
    }

    @Test
    void shouldKeepHowMuchOfEachSegmentIsNeeded() throws IOException {
        SegmentBytes live = new SegmentBytes(new long[] {0, 4096, Long.MAX_VALUE}, new long[] {7, 0, 1L << 40});
        try (CheckpointHistory history = new CheckpointHistory(storage)) {
            history.put(entry("a", 1, 2));
            history.write(POSITION, Scope.ALL, live);
        }
        try (CheckpointChain chain = open(storage)) {
            assertThat(chain.segments()).hasToString(live.toString());
        }
    }

    /** The next changed image of an index that did not change has no node. */
    @Test
    void shouldTakeACheckpointWithoutNodes() throws IOException {
        try (CheckpointHistory history = new CheckpointHistory(storage)) {
            history.put(entry("a", 1, 2));
            history.write(64, Scope.ALL);
            history.write(POSITION, Scope.CHANGED);
            assertThat(read(storage, POSITION)).isEqualTo(history.written(64)).hasSize(1);
        }
    }

    @Test
    void shouldTakeTheShortestAndTheLongestKeys() throws IOException {
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry("\0", 0, 0));
        entries.add(new Entry("\0".repeat(KeyBuffer.MAX_LENGTH), 1, 1));
        entries.add(new Entry("\u007f", Long.MAX_VALUE, Integer.MAX_VALUE));
        entries.add(new Entry("\u0080", 2, 2));
        entries.add(new Entry("\u00ff".repeat(KeyBuffer.MAX_LENGTH), 3, 3));
        write(storage, POSITION, entries);
        assertThat(read(storage, POSITION)).isEqualTo(entries);
    }

    /** A node has what its keys begin with once. */
    @Test
    void shouldStoreWhatKeysShareOncePerNode() throws IOException {
        String start = "x".repeat(1000);
        List<Entry> entries = new ArrayList<>();
        for (int i = 10_000; i < 20_000; i++) {
            entries.add(entry(start + i, i, 0));
        }
        long length = write(storage, POSITION, entries);
        assertThat(read(storage, POSITION)).isEqualTo(entries);
        assertThat(length).isLessThan(entries.size() * 40L);
    }

    @Test
    void shouldLeaveNothingIfItIsNotFinished() throws IOException {
        try (KeyIndex index = CheckpointEntries.index(List.of(entry("a", 1, 2)));
                IndexImage image = index.image(Scope.ALL);
                CheckpointWriter writer = writer()) {
            writer.add(image);
        }
        assertThat(storage.list()).isEmpty();
    }

    @Test
    void shouldEndOnce() throws IOException {
        try (KeyIndex index = CheckpointEntries.index(List.of(entry("a", 1, 2)));
                IndexImage image = index.image(Scope.ALL)) {
            CheckpointWriter writer = writer();
            writer.add(image);
            writer.finish(image, CheckpointEntries.NO_SEGMENTS);
            assertThatIllegalStateException()
                    .isThrownBy(() -> writer.finish(image, CheckpointEntries.NO_SEGMENTS))
                    .withMessageContaining("position=" + POSITION);
            assertThatIllegalStateException().isThrownBy(() -> writer.add(image));
            writer.close();
            writer.close();
        }
        assertThat(new Checkpoints(storage).list()).containsExactly(POSITION);
    }

    /** Opening it says how large it is without reading any of its nodes. */
    @Test
    void shouldReadNoNodeWhenItIsOpened() throws IOException {
        write(storage, POSITION, CheckpointEntries.random(new Random(Seeds.seed()), 1000, 100));
        byte[] content = storage.content(CheckpointName.of(POSITION));
        Arrays.fill(content, 4096, 8192, (byte) -1);
        storage.replace(CheckpointName.of(POSITION), content);
        try (CheckpointChain chain = open(storage)) {
            assertThat(chain.tree().size()).isBetween(500L, 1000L);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(chain::verify);
        }
    }

    @Test
    void shouldTellThePaceEachByte() throws IOException {
        long[] spent = new long[2];
        List<Entry> entries = CheckpointEntries.random(new Random(Seeds.seed()), 500, 1024);
        long length = write(storage, POSITION, entries, bytes -> {
            spent[0] += bytes;
            spent[1] = Math.max(spent[1], bytes);
        });
        assertThat(spent[0]).isEqualTo(length);
        assertThat(spent[1]).isLessThanOrEqualTo(CheckpointWriter.BATCH * 4096L);
    }

    /** Otherwise the sync at the end is one long burst. */
    @Test
    void shouldSyncWhileItWrites() throws IOException {
        int[] unsynced = new int[2];
        storage.hook((number, what) -> {
            unsynced[0] = what.startsWith("sync ") ? 0 : unsynced[0] + 1;
            unsynced[1] = Math.max(unsynced[1], unsynced[0]);
        });
        List<Entry> entries = CheckpointEntries.random(new Random(Seeds.seed()), 25_000, 1024);
        long length = write(storage, POSITION, entries);
        assertThat(length).isGreaterThan(2L * CheckpointWriter.SYNC_LENGTH);
        assertThat(unsynced[1]).isLessThan(CheckpointWriter.SYNC_LENGTH / (CheckpointWriter.BATCH * 4096) + 5);
    }

    @Test
    void shouldNotMindAnInterrupt(@TempDir Path directory) throws IOException {
        DirectoryStorage disk = DirectoryStorage.create(directory);
        List<Entry> entries = CheckpointEntries.random(new Random(Seeds.seed()), 1000, 100);
        Thread.currentThread().interrupt();
        try {
            write(disk, POSITION, entries);
            assertThat(read(disk, POSITION)).isEqualTo(entries);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
