package io.persist.jmh;

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
