package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.support.InMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading into direct memory gives what the file has, whatever becomes of the channel and of the file's name. */
class ChannelReadsTest {

    private static final int LENGTH = 20_000;
    private static final int FROM = 16;
    private static final int READS = 5000;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final ByteBuffer target = ByteBuffer.allocateDirect(LENGTH + FROM);
    private StorageFile file;

    @BeforeEach
    void open() throws IOException {
        byte[] bytes = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            bytes[i] = (byte) (i * 31 >> 3);
        }
        Files.write(directory.resolve("file"), bytes);
        file = DirectoryStorage.open(directory).open("file", Storage.Access.READ);
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        file.close();
    }

    private void readAt(int offset) throws IOException {
        target.position(3);
        int expected = LENGTH - offset;
        assertThat(file.read(offset, target, FROM, LENGTH)).isEqualTo(expected);
        assertThat(target.position()).isEqualTo(3);
        for (int i = 0; i < expected; i += 997) {
            assertThat(target.get(FROM + i)).isEqualTo((byte) ((offset + i) * 31 >> 3));
        }
    }

    @Test
    void shouldReadWhereItIsTold() throws IOException {
        readAt(0);
        readAt(5000);
        readAt(LENGTH - 1);
        readAt(LENGTH);
        assertThat(file.readFully(1, target, LENGTH)).isEqualTo(LENGTH - 1);
        assertThat(target.get(0)).isEqualTo((byte) (31 >> 3));
    }

    @Test
    void shouldReadWithTheInterruptFlagUp() throws IOException {
        for (int i = 0; i < 3; i++) {
            Thread.currentThread().interrupt();
            readAt(i);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** Some of them come while the channel reads, and close it. */
    @Test
    void shouldReadWhileInterruptsCome() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread reader = Thread.currentThread();
        Thread tormentor = new Thread(() -> {
            while (!over.get()) {
                reader.interrupt();
            }
        });
        tormentor.start();
        try {
            for (int i = 0; i < READS; i++) {
                readAt(i % 100);
            }
        } finally {
            over.set(true);
            while (tormentor.isAlive()) {
                Thread.interrupted();
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldReadAFileThatHasNoNameAnyMore() throws IOException {
        Files.delete(directory.resolve("file"));
        readAt(0);
    }
}
