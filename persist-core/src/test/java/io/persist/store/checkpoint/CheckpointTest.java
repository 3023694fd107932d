package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static io.persist.store.checkpoint.CheckpointEntries.header;
import static io.persist.store.checkpoint.CheckpointEntries.read;
import static io.persist.store.checkpoint.CheckpointEntries.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.file.DirectoryStorage;
import io.persist.format.CheckpointBlock;
import io.persist.format.CheckpointEntry;
import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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

    private static void add(CheckpointWriter writer, byte... key) throws IOException {
        writer.add(key, key.length, 0, 0);
    }

    @Test
    void shouldReadWhatWasWritten() {
        Seeds.run(40, seed -> {
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
        try (CheckpointReader reader = CheckpointReader.open(storage, POSITION)) {
            assertThat(reader.header()).isEqualTo(header(POSITION));
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void shouldTakeTheShortestAndTheLongestKeys() throws IOException {
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry("00", 0, 0));
        entries.add(new Entry("00".repeat(CheckpointEntry.MAX_KEY_LENGTH), 1, 1));
        entries.add(new Entry("7f", Long.MAX_VALUE, Integer.MAX_VALUE));
        entries.add(new Entry("80", 2, 2));
        entries.add(new Entry("ff".repeat(CheckpointEntry.MAX_KEY_LENGTH), 3, 3));
        write(storage, POSITION, entries);
        assertThat(read(storage, POSITION)).isEqualTo(entries);
    }

    /** The keys of a block cannot be read without its first one, which is therefore whole. */
    @Test
    void shouldStoreWhatKeysShareOncePerBlock() throws IOException {
        String start = "x".repeat(1000);
        List<Entry> entries = new ArrayList<>();
        for (int i = 10_000; i < 20_000; i++) {
            entries.add(entry(start + i, i, 0));
        }
        long length = write(storage, POSITION, entries);
        assertThat(read(storage, POSITION)).isEqualTo(entries);
        int suffixes = entries.size() * (CheckpointEntry.HEADER_LENGTH + 5);
        int blocks = suffixes / CheckpointBlock.MAX_LENGTH + 1;
        assertThat(length).isLessThan(CheckpointHeader.LENGTH + suffixes + (blocks + 1) * 1040L);
    }

    @Test
    void shouldRefuseWhatIsNoEntry() throws IOException {
        byte[] key = new byte[2000];
        try (CheckpointWriter writer = writer()) {
            for (int length : new int[] {-1, 0, CheckpointEntry.MAX_KEY_LENGTH + 1}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.add(key, length, 0, 0))
                        .withMessageContaining("keyLength=" + length);
            }
            assertThatIllegalArgumentException().isThrownBy(() -> writer.add(new byte[3], 4, 0, 0));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> writer.add(key, 1, -1, 0))
                    .withMessageContaining("position=-1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> writer.add(key, 1, 0, -1))
                    .withMessageContaining("length=-1");
        }
    }

    @Test
    void shouldRefuseKeysThatDoNotAscend() throws IOException {
        try (CheckpointWriter writer = writer()) {
            add(writer, (byte) 1, (byte) 0x7F);
            for (byte[] key : new byte[][] {{0}, {1}, {1, 0x7E}, {1, 0x7F}, {1, 0x7E, 0x7F}, {0, (byte) 0xFF}}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> add(writer, key))
                        .withMessageContaining("entry=2");
            }
            add(writer, (byte) 1, (byte) 0x80); // bytes are unsigned; and nothing was spoilt
            writer.finish();
        }
        assertThat(read(storage, POSITION)).extracting(Entry::key).containsExactly("017f", "0180");
    }

    @Test
    void shouldLeaveNothingIfItIsNotFinished() throws IOException {
        try (CheckpointWriter writer = writer()) {
            add(writer, (byte) 1);
        }
        assertThat(storage.list()).isEmpty();
    }

    @Test
    void shouldEndOnce() throws IOException {
        CheckpointWriter writer = writer();
        writer.finish();
        assertThatIllegalStateException().isThrownBy(writer::finish);
        assertThatIllegalStateException().isThrownBy(() -> add(writer, (byte) 1));
        writer.close();
        writer.close();
        assertThat(new Checkpoints(storage).list()).containsExactly(POSITION);
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
        assertThat(spent[1]).isLessThanOrEqualTo(CheckpointBlock.MAX_LENGTH);
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
        assertThat(unsynced[1]).isLessThan(CheckpointWriter.SYNC_LENGTH / (CheckpointBlock.MAX_LENGTH - 2048) + 5);
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
