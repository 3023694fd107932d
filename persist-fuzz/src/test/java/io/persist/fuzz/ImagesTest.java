package io.persist.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.MessageLogger;
import io.persist.PacketLogger;
import io.persist.StoreLogger;
import io.persist.archive.Archive;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.read.Tailer;
import io.persist.packet.Packet;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Makes the {@link Images} anew with {@code -Drewrite=true}: a new image for a new format, never one in place of another. */
class ImagesTest {

    static final Path RESOURCES = Path.of("src", "test", "resources", "io", "persist", "fuzz");

    /** Uses a new storage; whatever is open at the end is killed if the image is to be that of a killed writer. */
    private interface Script {
        void run(Storage storage, Runnable kill);
    }

    @Test
    void shouldHaveEveryImageThatATargetNames() {
        for (Target target : Target.values()) {
            for (String image : target.images()) {
                assertThat(Images.copy(image)).as(image).hasSizeGreaterThan(1);
            }
        }
    }

    @Test
    void shouldWriteImagesThatAreMissing() throws IOException {
        assumeTrue(Boolean.getBoolean("rewrite"), "-Drewrite=true makes images that are missing");
        write("messages-closed", (storage, kill) -> messages(storage, () -> {}));
        write("messages-killed", ImagesTest::messages);
        write("packets-closed", (storage, kill) -> packets(storage, () -> {}));
        write("packets-killed", ImagesTest::packets);
        write("store-v2-closed", (storage, kill) -> store(storage, () -> {}));
        write("store-v2-killed", ImagesTest::store);
        write("archive", (storage, kill) -> archive(storage));
    }

    private static void write(String name, Script script) throws IOException {
        Path file = RESOURCES.resolve("images").resolve(name + ".zip");
        if (Files.exists(file)) {
            return;
        }
        SortedMap<String, byte[]> files = new TreeMap<>();
        CrashableStorage storage = new CrashableStorage();
        script.run(storage, () -> addFiles(storage, files));
        if (files.isEmpty()) {
            addFiles(storage, files);
        }
        Files.write(file, Images.zip(files));
    }

    private static void addFiles(CrashableStorage storage, SortedMap<String, byte[]> files) {
        storage.list().stream()
                .filter(name -> !name.endsWith(".lock"))
                .forEach(name -> files.put(name, storage.content(name)));
    }

    private static byte[] bytes(int number, int length) {
        return "%08d"
                .formatted(number)
                .repeat(length / 8 + 1)
                .substring(0, length)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void messages(Storage storage, Runnable kill) {
        try (MessageLogger logger = MessageLogger.open(Settings.PLAIN.log(), storage);
                Tailer tailer = logger.tailer(Images.CURSOR)) {
            for (int i = 1; i <= 60; i++) {
                logger.append(bytes(i, i * 37 % 240));
                if (i % 10 == 0) {
                    logger.commit(i % 20 == 0 ? Durability.SYNCED : Durability.FLUSHED);
                }
            }
            for (int i = 0; i < 30; i++) {
                tailer.next();
            }
            tailer.store();
            logger.append(bytes(61, 20));
            logger.commit(Durability.FLUSHED);
            kill.run();
        }
    }

    private static void packets(Storage storage, Runnable kill) {
        try (PacketLogger logger = PacketLogger.open(Settings.PLAIN.log(), storage)) {
            Packet packet = logger.packet();
            for (int i = 1; i <= 40; i++) {
                packet.clear();
                if (i % 2 == 0) {
                    packet.metadata().type(i).transactionId(i).markCommitStart();
                }
                for (int message = 0; message < i % 4; message++) {
                    packet.add(bytes(i, (i + message) * 13 % 90));
                }
                if (packet.isEmpty()) {
                    packet.add(bytes(i, 3));
                }
                logger.append(packet);
                if (i % 8 == 0) {
                    logger.commit(Durability.SYNCED);
                }
            }
            logger.commit(Durability.FLUSHED);
            kill.run();
        }
    }

    private static void store(Storage storage, Runnable kill) {
        StoreConfig config = StoreConfig.builder(Settings.PLAIN.log())
                .checkpointPercent(0)
                .maxSpaceRatio(1.2)
                .oldValues(OldValues.RECORD)
                .build();
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            for (int i = 1; i <= 60; i++) {
                Transaction transaction = store.begin();
                transaction.put(bytes(i % 9, 8 + i % 3), bytes(i, i * 29 % 300));
                if (i % 5 == 0) {
                    transaction.remove(bytes(i % 7, 8));
                }
                transaction.commit(Durability.SYNCED);
                if (i == 30 || i == 50) {
                    store.checkpoint();
                    store.compact(1 << 20);
                }
            }
            kill.run();
        }
    }

    /** An archive as a directory; inputs make zip files of it. */
    private static void archive(Storage storage) {
        CrashableStorage log = new CrashableStorage();
        messages(log, () -> {});
        Archive.directory(storage).pack(log);
    }
}
