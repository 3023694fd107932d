package io.persist.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What this process has of a directory: descriptors of its files, mappings of them, deleted ones too, and files that
 * are there only for a while.
 */
public record Resources(List<String> descriptors, List<String> mappings, List<String> temporaries) {

    public static final Resources NONE = new Resources(List.of(), List.of(), List.of());

    public static Resources of(Path directory) throws IOException {
        return new Resources(descriptors(directory), mappings(directory), temporaries(directory));
    }

    private static List<String> descriptors(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.map(Resources::target)
                    .filter(target -> target.startsWith(directory.toString()))
                    .toList();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    private static List<String> mappings(Path directory) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains(directory.toString()))
                .toList();
    }

    private static List<String> temporaries(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".tmp") || name.endsWith(".spare"))
                    .toList();
        }
    }
}
