package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A part of a real file is synced by a mapping, which has to be that of this file. */
@EnabledOnOs(OS.LINUX)
class RangeSyncTest {

    private static final int LENGTH = 1 << 16;

    @TempDir
    Path directory;

    private Storage storage;

    @BeforeEach
    void create() throws IOException {
        storage = DirectoryStorage.create(directory);
        try (StorageFile file = storage.create("range")) {
            write(file);
        }
    }

    private static void write(StorageFile file) throws IOException {
        file.write(0, new byte[LENGTH], 0, LENGTH, WriteThrough.NONE);
    }

    private long timesMapped() throws IOException {
        return timesMapped("range");
    }

    private long timesMapped(String name) throws IOException {
        String path = directory.toRealPath().resolve(name).toString();
        return Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).stream()
                .filter(line -> line.contains(path))
                .count();
    }

    @Test
    void shouldMapTheFileOnceUntilItIsClosed() throws IOException {
        try (StorageFile file = storage.open("range", Access.WRITE)) {
            file.sync();
            file.sync(0, 100);
            assertThat(timesMapped()).isZero();
            file.beginRangeSyncs();
            for (int i = 0; i < 3; i++) {
                write(file);
                file.sync(i * 100, LENGTH - i);
                assertThat(timesMapped()).isEqualTo(1);
            }
        }
        assertThat(timesMapped()).isZero();
    }

    @Test
    void shouldSyncAllOfAFileWhoseNameAnotherOneHas() throws IOException {
        try (StorageFile file = storage.open("range", Access.WRITE)) {
            Files.move(directory.resolve("range"), directory.resolve("moved"));
            Files.write(directory.resolve("range"), new byte[LENGTH]);
            file.beginRangeSyncs();
            write(file);
            file.sync(0, 100);
            assertThat(timesMapped()).isZero();
        }
    }

    @Test
    void shouldSyncAllOfAFileThatHasNoName() throws IOException {
        try (StorageFile file = storage.open("range", Access.WRITE)) {
            storage.delete("range");
            file.beginRangeSyncs();
            write(file);
            file.sync(0, 100);
            file.sync(100, 200);
            assertThat(timesMapped()).isZero();
        }
    }

    @Test
    void shouldSyncWhatIsBehindTheLengthThatItHad() throws IOException {
        try (StorageFile file = storage.open("range", Access.WRITE)) {
            file.beginRangeSyncs();
            file.write(LENGTH, new byte[100], 0, 100, WriteThrough.NONE);
            file.sync(0, LENGTH + 100);
        }
    }

    /**
     * Linux tells a failed write-back once: a mapping that is opened behind that, and behind another process that was
     * told, would be synced without an error.
     */
    @Test
    void shouldBeThereBeforeALogWritesARecord() throws IOException {
        LogConfig config = LogConfig.builder(directory.resolve("log"))
                .writeMode(WriteMode.FILE)
                .segmentLength(1 << 20)
                .build();
        String first = LogFileName.segment(0);
        for (int opening = 0; opening < 2; opening++) {
            try (Log log = Log.open(config)) {
                assertThat(timesMapped("log/" + first)).isEqualTo(1);
                Records.append(log, 3);
                log.commit(Durability.FLUSHED);
                assertThat(timesMapped("log/" + first)).isEqualTo(1);
                log.commit(Durability.SYNCED);
            }
        }
        assertThat(timesMapped("log/" + first)).isZero();
    }
}
