package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.backup.BackupOptions.Reading;
import io.persist.file.ForwardingStorage;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.engine.Log;
import io.persist.support.ForwardingFile;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A run reads and writes what has changed since the one before, and little of all that was there. */
class CostOfARunTest {

    private static final int SEGMENTS = 40;

    /** Counts the bytes that are read, by file, and written; what is mapped counts as read. */
    private static final class Counting implements ForwardingStorage {

        private final CrashableStorage storage = new CrashableStorage();
        private final Map<String, Long> read = new TreeMap<>();
        private long written;

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            return counted(name, storage.open(name, access));
        }

        @Override
        public StorageFile create(String name) throws IOException {
            return counted(name, storage.create(name));
        }

        private StorageFile counted(String opened, StorageFile file) {
            String name = opened.replaceFirst("\\.tmp$", ""); // a new one is read back before it has its name
            return new ForwardingFile() {
                @Override
                public StorageFile file() {
                    return file;
                }

                @Override
                public int read(long offset, byte[] target, int from, int length) throws IOException {
                    int count = file.read(offset, target, from, length);
                    read.merge(name, (long) count, Long::sum);
                    return count;
                }

                @Override
                public Mapping map(int length) throws IOException {
                    read.merge(name, (long) length, Long::sum);
                    return file.map(length);
                }

                @Override
                public void write(long offset, byte[] source, int from, int length, WriteThrough through)
                        throws IOException {
                    written += length;
                    file.write(offset, source, from, length, through);
                }
            };
        }

        private void forget() {
            read.clear();
            written = 0;
        }

        private long read(Predicate<String> names) {
            return read.entrySet().stream()
                    .filter(file -> names.test(file.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    private final Counting source = new Counting();
    private final Counting place = new Counting();
    private final Backup backup = Backup.directory(place);

    private void run() {
        source.forget();
        place.forget();
        backup.take(source, source);
    }

    private static boolean isSegment(String name) {
        return LogFileName.basePosition(name).isPresent();
    }

    private static boolean isCheckpoint(String name) {
        return CheckpointName.position(name).isPresent();
    }

    /** Of each settled segment its ends, and of what is written nothing but the segment with the new record. */
    @Test
    void shouldReadOfALogWhatIsNew() {
        ToolLog.closedBehind(source, SEGMENTS * (long) ToolLog.SEGMENT_LENGTH);
        run();
        long all = place.read(CostOfARunTest::isSegment);
        assertThat(all).as("what was written is read back").isGreaterThan((long) SEGMENTS * ToolLog.SEGMENT_LENGTH);
        long ends = (SEGMENTS + 1) * (long) (SegmentHeader.LENGTH + Frame.SEAL_LENGTH);
        run();
        assertThat(place.read(CostOfARunTest::isSegment)).isBetween(1L, ends);
        assertThat(place.written).as("control block").isLessThanOrEqualTo(4096);
        try (Log log = ToolLog.open(source)) {
            ToolLog.append(log, 1);
        }
        run();
        assertThat(place.read(CostOfARunTest::isSegment)).isBetween(1L, ends + ToolLog.SEGMENT_LENGTH);
        assertThat(place.written).as("segment, control block, manifest").isLessThan(4 * 4096);
        place.forget();
        backup.with(BackupOptions.DEFAULT.with(Reading.ALL)).take(source, source);
        assertThat(place.read(CostOfARunTest::isSegment)).isGreaterThan((long) SEGMENTS * ToolLog.SEGMENT_LENGTH);
    }

    /** No checkpoint that was there, unless a new one builds on it. */
    @Test
    void shouldReadOfAStoreWhatIsNew() {
        try (StoreLogger store = ToolStore.open(source.storage)) {
            for (int key = 0; key < 2000; key++) {
                ToolStore.put(store, "key " + key, "value " + key);
            }
            store.checkpoint();
            run();
            long whole = place.storage.list().stream()
                    .filter(CostOfARunTest::isCheckpoint)
                    .mapToLong(name -> place.storage.content(name).length)
                    .sum();
            ToolStore.put(store, "key", "value");
            run();
            long ends = 16 * (CheckpointHeader.LENGTH + CheckpointFooter.LENGTH);
            assertThat(source.read(CostOfARunTest::isCheckpoint)).isBetween(1L, ends);
            assertThat(place.read(CostOfARunTest::isCheckpoint))
                    .as("what opening reads")
                    .isBetween(1L, whole / 4);
            run();
            assertThat(place.read(CostOfARunTest::isCheckpoint))
                    .as("nothing is tried")
                    .isBetween(1L, ends);
            store.checkpoint(); // which builds on the one before
            run();
            assertThat(place.read(CostOfARunTest::isCheckpoint)).as("its tree").isBetween(whole / 2, 2 * whole);
            assertThat(place.written).isLessThan(whole / 2);
        }
    }
}
