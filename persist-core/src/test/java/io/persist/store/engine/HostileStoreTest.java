package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.format.TransactionLayout;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.engine.Log;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.support.NoFile;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store whose files somebody wrote, or put something else in the place of. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class HostileStoreTest {

    private static final LogConfig LOG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();
    private static final StoreConfig CONFIG =
            StoreConfig.builder(LOG).checkpointPercent(0).maxSpaceRatio(0).build();

    private static void put(StoreLogger store, String key, int length) {
        Transaction transaction = store.begin();
        transaction.put(Texts.bytes(key), new byte[length]);
        transaction.commit();
    }

    private static void fill(StoreLogger store) {
        for (int i = 0; i < 40; i++) {
            put(store, "key-" + i % 25, 300);
            if (i == 15 || i == 30) {
                store.checkpoint();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NoFile.class)
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void shouldOpenNothingThatIsNoFile(NoFile kind, @TempDir Path temporary) throws IOException {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Path victim = Files.write(elsewhere.resolve("victim"), new byte[5000]);
        Path checkpoints = temporary.resolve("checkpoints");
        StoreConfig config = StoreConfig.builder(LogConfig.builder(temporary.resolve("log"))
                        .segmentLength(4096)
                        .build())
                .checkpointDirectory(checkpoints)
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        try (StoreLogger store = StoreLogger.open(config)) {
            fill(store);
        }
        List<String> names;
        try (var files = Files.list(checkpoints)) {
            names = files.map(file -> file.getFileName().toString()).sorted().toList();
        }
        assertThat(names).hasSize(3).contains(CheckpointName.LOCK);
        for (String name : names) {
            Path file = checkpoints.resolve(name);
            Path away = temporary.resolve("away");
            Files.move(file, away);
            kind.replace(file, victim);
            Map<String, Object> before = NoFile.content(checkpoints);
            assertThatExceptionOfType(LogIOException.class)
                    .as(kind + " in place of " + name)
                    .isThrownBy(() -> StoreLogger.open(config))
                    .withMessageContaining("not a regular file: " + file);
            assertThat(NoFile.content(checkpoints)).isEqualTo(before);
            Files.delete(file);
            Files.move(away, file, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(victim).hasBinaryContent(new byte[5000]);
        try (StoreLogger store = StoreLogger.open(config)) {
            assertThat(store.size()).isEqualTo(25);
        }
    }

    /** A record with a good checksum whose bytes no store has written. */
    @Test
    void shouldMakeAnEndWithWhateverATransactionHolds() {
        Seeds.run(40, seed -> {
            Random random = new Random(seed);
            CrashableStorage storage = new CrashableStorage();
            try (StoreLogger store = StoreLogger.open(CONFIG, storage, storage)) {
                fill(store);
            }
            try (Log log = Log.open(LOG, LogContent.TRANSACTIONS, storage)) {
                for (int i = 0; i < 3; i++) {
                    byte[] record = transaction(random);
                    log.append(record, 0, record.length);
                }
                log.commit(Durability.SYNCED);
            }
            use(storage);
        });
    }

    /** The index has memory made for all entries of a transaction before the first is looked at. */
    @Test
    void shouldNotMakeRoomForEntriesThatCannotBeThere() {
        CrashableStorage storage = new CrashableStorage();
        StoreLogger.open(CONFIG, storage, storage).close();
        ByteBuffer record = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
        record.put(0, TransactionLayout.TYPE_CHANGES).putInt(4, Integer.MAX_VALUE);
        try (Log log = Log.open(LOG, LogContent.TRANSACTIONS, storage)) {
            log.append(record.array(), 0, record.capacity());
            log.commit(Durability.SYNCED);
        }
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> StoreLogger.open(CONFIG, storage, storage))
                .withMessageContaining("count=" + Integer.MAX_VALUE);
    }

    private static byte[] transaction(Random random) {
        byte[] record = new byte[TransactionLayout.HEADER_LENGTH + random.nextInt(200)];
        random.nextBytes(record);
        ByteBuffer buffer = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i + 4 <= record.length; i += 4) {
            if (random.nextBoolean()) {
                buffer.putInt(i, random.nextInt(3) == 0 ? -1 >>> random.nextInt(32) : random.nextInt(3));
            }
        }
        return record;
    }

    /** Checkpoints with good checksums and other nodes, numbers and totals. */
    @Test
    void shouldMakeAnEndWithWhateverACheckpointHolds() {
        CrashableStorage good = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(CONFIG, good, good)) {
            fill(store);
        }
        Map<String, byte[]> files = new TreeMap<>();
        good.list().forEach(name -> files.put(name, good.content(name)));
        Seeds.run(50, seed -> {
            Random random = new Random(seed);
            CrashableStorage storage = new CrashableStorage();
            files.forEach((name, bytes) -> {
                boolean isCheckpoint = CheckpointName.position(name).isPresent();
                storage.replace(name, isCheckpoint ? changed(bytes.clone(), random) : bytes);
            });
            use(storage);
        });
    }

    private static byte[] changed(byte[] bytes, Random random) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long salt = buffer.getLong(CheckpointHeader.SALT_OFFSET);
        int footerAt = bytes.length - CheckpointFooter.LENGTH;
        CheckpointFooter footer =
                CheckpointFooter.decode(Arrays.copyOfRange(bytes, footerAt, bytes.length), "a", bytes.length, salt);
        int directory = (int) CheckpointDirectory.nodeOffset(footer.nodes());
        int node = (int) CheckpointDirectory.nodeOffset(random.nextInt(footer.nodes()));
        switch (random.nextInt(5)) {
            case 0 -> bytes[node + random.nextInt(CheckpointDirectory.NODE_LENGTH)] = (byte) random.nextInt();
            case 1 -> bytes[node + random.nextInt(100)] = (byte) random.nextInt(); // its header and first entries
            case 2 -> bytes[directory + random.nextInt(footerAt - directory)] = (byte) random.nextInt(4);
            case 3 -> footer = changed(footer, random);
            default -> buffer.putLong(CheckpointHeader.SEQUENCE_OFFSET, random.nextLong() >>> random.nextInt(64));
        }
        sign(buffer, salt, footer, directory, footerAt);
        return bytes;
    }

    private static CheckpointFooter changed(CheckpointFooter footer, Random random) {
        return new CheckpointFooter(
                footer.nodes(),
                footer.words(),
                footer.segments(),
                random.nextInt(footer.idLimit()),
                1 + random.nextInt(5),
                footer.idLimit(),
                random.nextLong() >>> random.nextInt(64),
                random.nextLong() >>> 1 + random.nextInt(60),
                0);
    }

    private static void sign(ByteBuffer file, long salt, CheckpointFooter footer, int directory, int footerAt) {
        for (int number = 0; number < footer.nodes(); number++) {
            int entry = directory + number * CheckpointDirectory.ENTRY_LENGTH;
            int node = (int) CheckpointDirectory.nodeOffset(number);
            file.putInt(entry + Integer.BYTES, CheckpointDirectory.nodeChecksum(file, node, salt, file.getInt(entry)));
        }
        int checksum = CheckpointDirectory.checksum(Arrays.copyOfRange(file.array(), directory, footerAt), salt);
        file.put(
                footerAt,
                new CheckpointFooter(
                                footer.nodes(),
                                footer.words(),
                                footer.segments(),
                                footer.root(),
                                footer.height(),
                                footer.idLimit(),
                                footer.keys(),
                                footer.version(),
                                checksum)
                        .encode(salt));
        CRC32C crc = new CRC32C();
        crc.update(file.array(), 0, CheckpointHeader.CHECKSUM_OFFSET);
        file.putInt(CheckpointHeader.CHECKSUM_OFFSET, (int) crc.getValue());
    }

    /** A segment that reaches into the next one: no writer makes such. */
    @Test
    void shouldRefuseSegmentsThatOverlap() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(CONFIG, storage, storage)) {
            fill(store);
        }
        String second = LogFileName.segment(4096);
        byte[] between = storage.content(second);
        ByteBuffer header = ByteBuffer.wrap(between).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(16, 4096 + 8);
        CRC32C crc = new CRC32C();
        crc.update(between, 0, 60);
        header.putInt(60, (int) crc.getValue());
        storage.replace(LogFileName.segment(4096 + 8), between);
        use(storage);
    }

    private static void use(CrashableStorage storage) {
        for (int i = 0; i < 2; i++) {
            try (StoreView view = StoreView.open(storage, storage)) {
                read(view.snapshot());
            } catch (PersistException typed) {
                assertThat(typed).hasMessageNotContaining("\n");
            }
            try (StoreLogger store = StoreLogger.open(CONFIG, storage, storage)) {
                try (StoreSnapshot snapshot = store.snapshot()) {
                    read(snapshot);
                }
                put(store, "another", 10);
                store.checkpoint();
                store.compact(Long.MAX_VALUE);
            } catch (PersistException typed) {
                assertThat(typed).hasMessageNotContaining("\n");
            }
        }
        assertThat(storage.openHandles()).isZero();
    }

    private static void read(StoreSnapshot snapshot) {
        try (StoreScan scan = snapshot.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                try {
                    assertThat(scan.value().remaining()).isNotNegative();
                } catch (PersistException damagedValue) {
                    assertThat(damagedValue).hasMessageNotContaining("\n");
                }
            }
        }
    }
}
