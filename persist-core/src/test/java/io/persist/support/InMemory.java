package io.persist.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Makes temporary directories of real files in memory, where there is a place for them: there syncs cost nothing. */
public final class InMemory implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH_BYTES = 512 << 20;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return createDirectory();
    }

    /** The same for the caller to delete. */
    public static Path createDirectory() throws IOException {
        boolean enough = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ENOUGH_BYTES;
        return enough ? Files.createTempDirectory(MEMORY, "persist") : Files.createTempDirectory("persist");
    }
}
