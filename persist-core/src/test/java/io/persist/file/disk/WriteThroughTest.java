package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.support.ChildJvm;
import io.persist.support.Resources;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SyncFailedException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write that syncs opens the file once more, for which the process may have no descriptor left. */
@EnabledOnOs(OS.LINUX)
class WriteThroughTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(
            value = WriteThrough.class,
            names = {"DATA", "ALL"})
    void shouldWriteAndSyncWithTheDescriptorThatThereIs(WriteThrough how) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 64 && exec \"$@\"", "sh"));
        command.addAll(ChildJvm.briefly(NoDescriptor.class, directory, how));
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("written and synced");
            assertThat(child.hear()).isEqualTo("refused while another file has the name");
            assertThat(child.hear()).as("open as soon as there are descriptors").isEqualTo("2 descriptors");
        }
        assertThat(directory.resolve("file")).hasBinaryContent(new byte[] {1, 2, 0, 4});
    }

    static final class NoDescriptor {

        private static final Deque<InputStream> HOARDED = new ArrayDeque<>();

        private final StorageFile file;
        private final WriteThrough how;

        private NoDescriptor(StorageFile file, WriteThrough how) {
            this.file = file;
            this.how = how;
        }

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]).toRealPath();
            WriteThrough how = WriteThrough.valueOf(arguments[1]);
            Storage storage = DirectoryStorage.create(directory);
            try (StorageFile first = storage.create("other")) { // the classes are files too
                new NoDescriptor(first, how).write(0);
                Resources.of(directory);
            }
            try (StorageFile file = storage.create("file");
                    StorageFile device = new DiskFile(new File("/dev/zero"), Access.WRITE)) {
                file.write(0, new byte[4], 0, 4, WriteThrough.NONE);
                new NoDescriptor(file, how).run(device, directory);
            }
        }

        private void run(StorageFile device, Path directory) throws IOException {
            hoard();
            write(0);
            write(1);
            System.out.println("written and " + (isSynced(device) ? "" : "not ") + "synced");
            File path = directory.resolve("file").toFile();
            File moved = directory.resolve("moved").toFile();
            boolean isMoved =
                    path.renameTo(moved) && directory.resolve("other").toFile().renameTo(path);
            System.out.println((isRefused() && isMoved ? "" : "not ") + "refused while another file has the name");
            boolean isBack = moved.renameTo(path);
            release();
            write(3);
            System.out.println((isBack ? Resources.of(directory).descriptors().size() : 0) + " descriptors");
        }

        private void write(int offset) throws IOException {
            file.write(offset, new byte[] {(byte) (offset + 1)}, 0, 1, how);
        }

        /** A device that takes each write, and cannot be synced. */
        private boolean isSynced(StorageFile device) throws IOException {
            try {
                new NoDescriptor(device, how).write(0);
                return false;
            } catch (SyncFailedException e) {
                return true;
            }
        }

        private boolean isRefused() throws IOException {
            try {
                write(2);
                return false;
            } catch (FileNotFoundException e) {
                return true;
            }
        }

        private static void hoard() {
            try {
                while (true) {
                    HOARDED.push(new FileInputStream("/dev/null"));
                }
            } catch (IOException none) {
                // That is what was wanted.
            }
        }

        private static void release() throws IOException {
            while (!HOARDED.isEmpty()) {
                HOARDED.pop().close();
            }
        }
    }
}
