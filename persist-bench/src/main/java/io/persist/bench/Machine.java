package io.persist.bench;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine that the figures are from. Without it they say nothing. */
final class Machine {

    private Machine() {}

    /** One line: JVM, cores, operating system, and the file system of a directory that may not exist yet. */
    static String describe(Path directory) throws IOException {
        FileStore store = store(directory);
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.version") + ", "
                + Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", log on " + store.type()
                + " " + store + ", " + Text.bytes(store.getUsableSpace()) + " free";
    }

    /** Bytes that can still be written to the file system of the directory. */
    static long usableBytes(Path directory) throws IOException {
        return store(directory).getUsableSpace();
    }

    private static FileStore store(Path directory) throws IOException {
        Path existing = directory.toAbsolutePath().normalize();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return Files.getFileStore(existing);
    }
}
