package io.persist.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The documents in the root of the checkout, for tests that compare them with the code. */
public final class Docs {

    private Docs() {}

    /** The root of the checkout, wherever below it the tests run. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs").resolve("file-format.md"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError(
                        "no docs/file-format.md above " + Path.of("").toAbsolutePath());
            }
        }
        return folder;
    }

    public static String read(String name) {
        return read(root().resolve(name));
    }

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every document: README.md and its siblings, and all below docs. */
    public static List<Path> all() {
        try (Stream<Path> top = Files.list(root());
                Stream<Path> docs = Files.walk(root().resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rows of the table that follows the comment {@code <!-- table: name -->}, without its heading. */
    public static List<List<String>> table(String document, String name) {
        List<List<String>> rows = new ArrayList<>();
        for (String line : after(document, "<!-- table: " + name + " -->")) {
            if (line.startsWith("|")) {
                rows.add(cells(line));
            } else if (!rows.isEmpty()) {
                break;
            }
        }
        if (rows.size() < 3) {
            throw new AssertionError("table " + name + " of " + document + " has no rows");
        }
        return rows.subList(2, rows.size());
    }

    private static List<String> cells(String line) {
        String inner = line.substring(1, line.lastIndexOf('|'));
        return Arrays.stream(inner.split("\\|", -1))
                .map(cell -> cell.replace("`", "").strip())
                .toList();
    }

    /** The lines of the fenced block that follows the comment {@code <!-- block: name -->}. */
    public static List<String> block(String document, String name) {
        List<String> lines = after(document, "<!-- block: " + name + " -->");
        int open = indexOfFence(lines, 0);
        return List.copyOf(lines.subList(open + 1, indexOfFence(lines, open + 1)));
    }

    private static int indexOfFence(List<String> lines, int from) {
        for (int i = from; i < lines.size(); i++) {
            if (lines.get(i).startsWith("```")) {
                return i;
            }
        }
        throw new AssertionError("no fence after line " + from);
    }

    private static List<String> after(String document, String mark) {
        List<String> lines = read(document).lines().toList();
        int at = lines.indexOf(mark);
        if (at < 0) {
            throw new AssertionError(document + " has no line " + mark);
        }
        return lines.subList(at + 1, lines.size());
    }
}
