package io.persist.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory of real files, in memory where there is a place for them, which goes with all that is in it. */
public final class ScratchDirectory implements AutoCloseable {

    private final Path path;

    private ScratchDirectory(Path path) {
        this.path = path;
    }

    /** A new and empty one. */
    public static ScratchDirectory create() throws IOException {
        return new ScratchDirectory(InMemory.createDirectory().toRealPath());
    }

    /** Where it is, without links. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(path)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path one : deepestFirst) {
            Files.delete(one);
        }
    }
}
