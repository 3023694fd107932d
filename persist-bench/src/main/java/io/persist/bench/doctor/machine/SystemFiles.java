package io.persist.bench.doctor.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files in which Linux tells about itself. None of them has to be there, and none has to be readable.
 *
 * @param root the folder that has {@code proc} and {@code sys}
 */
public record SystemFiles(Path root) {

    public static SystemFiles ofThisMachine() {
        return new SystemFiles(Path.of("/"));
    }

    /** The first line of a file without the blanks around it; null if there is no such file, or nothing in it. */
    @Nullable
    public String line(String path) {
        List<String> lines = lines(path);
        String line = lines.isEmpty() ? "" : lines.get(0).strip();
        return line.isEmpty() ? null : line;
    }

    /** All lines of a file; none if it cannot be read. */
    List<String> lines(String path) {
        try {
            // Not readString: a mount point need not be UTF-8.
            return new String(Files.readAllBytes(root.resolve(path)), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The first line that begins so; what is behind it is not read. Null if there is none. */
    @Nullable
    String lineFrom(String path, String begin) {
        try (BufferedReader reader = Files.newBufferedReader(root.resolve(path), StandardCharsets.ISO_8859_1)) {
            String line = reader.readLine();
            while (line != null && !line.startsWith(begin)) {
                line = reader.readLine();
            }
            return line;
        } catch (IOException e) {
            return null;
        }
    }

    /** What the file marks with brackets, as in {@code always [madvise] never}; null if it marks nothing. */
    @Nullable
    String choice(String path) {
        String line = line(path);
        if (line == null) {
            return null;
        }
        int start = line.indexOf('[');
        int end = line.indexOf(']', start);
        return start < 0 || end < 0 ? null : line.substring(start + 1, end);
    }

    /** The names in a folder in their order; none if it cannot be read. */
    List<String> names(String folder) {
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /** The name of the folder in which {@code path} really lies, once symbolic links are followed; null if unknown. */
    @Nullable
    String parentName(String path) {
        try {
            Path parent = root.resolve(path).toRealPath().getParent();
            Path name = parent == null ? null : parent.getFileName();
            return name == null ? null : name.toString();
        } catch (IOException e) {
            return null;
        }
    }
}
