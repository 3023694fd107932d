package io.persist.matrix.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A real directory, empty at first, that goes with all that is in it. */
record ScratchDirectory(Path path) implements AutoCloseable {

    static ScratchDirectory create() throws IOException {
        return new ScratchDirectory(Files.createTempDirectory("persist-control").toRealPath());
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> below = Files.walk(path)) {
            all = below.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }
}
