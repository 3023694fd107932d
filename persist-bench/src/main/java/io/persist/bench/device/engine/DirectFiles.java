package io.persist.bench.device.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Whether O_DIRECT means something for a file. */
public final class DirectFiles {

    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

    private DirectFiles() {}

    /**
     * New kernels open files in memory with O_DIRECT, and ignore it.
     *
     * @throws IOException if the file is in memory; the message says what to do
     */
    public static void requireDevice(Path file) throws IOException {
        String type = Files.getFileStore(file).type();
        if (IN_MEMORY.contains(type)) {
            throw new IOException(
                    "no O_DIRECT on " + type + ", which is memory and has no device to reach; name a --file on a disk");
        }
    }
}
