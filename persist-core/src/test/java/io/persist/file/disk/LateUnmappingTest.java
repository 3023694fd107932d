package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.memory.MissingPage;
import io.persist.support.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file is cut under a mapping, which is used once more and then closed. The JVM may hold the error of that use back
 * until the JDK unmaps: whose code, when it throws, ends the JVM.
 */
@EnabledOnOs(OS.LINUX)
class LateUnmappingTest {

    private static final String END = "END";

    @TempDir
    Path directory;

    @Test
    void shouldNotEndTheJvmThatHasUsedAMissingPage() throws Exception {
        Path errors = directory.resolve("errors");
        try (ChildJvm child = ChildJvm.startWithErrors(errors, Closer.class, directory)) {
            assertThat(child.hear()).isEqualTo(END);
            assertThat(child.awaitEnd()).as("exit code").isZero();
        }
        assertThat(errors).isEmptyFile();
    }

    /** Maps a file, stores into it until that is compiled, has it cut, stores once more, and closes the mapping. */
    static final class Closer {

        private static final String FILE = "file";
        private static final int LENGTH = 1 << 16;
        private static final int STORES = 20_000;
        private static final int ROUNDS = 5;

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            Storage storage = DirectoryStorage.open(directory);
            storage.create(FILE).close();
            for (int round = 0; round < ROUNDS; round++) {
                setLength(directory, LENGTH);
                try (StorageFile file = storage.open(FILE, Storage.Access.WRITE)) {
                    useAndClose(file.map(LENGTH), directory);
                }
            }
            System.out.println(END);
            try (BufferedReader end = ChildJvm.questions()) {
                end.readLine();
            }
        }

        private static void useAndClose(Mapping mapping, Path directory) throws IOException {
            ByteBuffer buffer = mapping.buffer();
            for (int i = 0; i < STORES; i++) {
                store(buffer, i);
            }
            setLength(directory, 0);
            try {
                store(buffer, STORES);
                mapping.close();
            } catch (InternalError inTime) {
                mapping.close();
            } finally {
                MissingPage.dropHeld();
            }
        }

        private static void store(ByteBuffer buffer, int number) {
            buffer.putLong(number % (LENGTH / Long.BYTES) * Long.BYTES, number);
        }

        private static void setLength(Path directory, long length) throws IOException {
            try (RandomAccessFile file =
                    new RandomAccessFile(directory.resolve(FILE).toFile(), "rw")) {
                file.setLength(length);
            }
        }
    }
}
