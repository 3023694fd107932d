package io.persist.jmh;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A new directory for the files of one benchmark, deleted with all that is in it. */
final class ScratchDirectory implements AutoCloseable {

    /** The system property that says where the directories are made. */
    static final String PARENT_PROPERTY = "persist.jmh.dir";

    private static final String DEFAULT_PARENT = "target/jmh-logs";

    private final Path path;

    private ScratchDirectory(Path path) {
        this.path = path;
    }

    static ScratchDirectory create() throws IOException {
        Path parent = Path.of(System.getProperty(PARENT_PROPERTY, DEFAULT_PARENT));
        Files.createDirectories(parent);
        return new ScratchDirectory(Files.createTempDirectory(parent.toAbsolutePath(), "log-"));
    }

    Path path() {
        return path;
    }

    /** The lengths of the files in {@code folder} and below; others may add and delete some meanwhile. */
    static long bytesBelow(Path folder) {
        File[] files = folder.toFile().listFiles();
        long bytes = 0;
        for (File file : files == null ? new File[0] : files) {
            bytes += file.isDirectory() ? bytesBelow(file.toPath()) : file.length(); // 0 if it is gone
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(path)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.delete(file);
        }
    }
}
