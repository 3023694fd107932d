package io.persist.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cases that a run has tried. Each JVM of the run adds its lines to one file, and writes the table of all lines
 * anew: what is there after the last one is the table of the run.
 */
final class Counts {

    private static final Path DIRECTORY = Path.of("target", "matrix");

    /** The build's, so that the JVMs of one run share the file and those of the next do not. */
    static final String RUN = System.getProperty("persist.run", "local");

    private record Line(int row, String exercise, String subject, long cases, long ms) {

        static Line parse(String text) {
            String[] fields = text.split("\t", -1);
            return new Line(
                    Integer.parseInt(fields[0]),
                    fields[1],
                    fields[2],
                    Long.parseLong(fields[3]),
                    Long.parseLong(fields[4]));
        }
    }

    private Counts() {}

    static void add(Exercise exercise, Subject subject, long cases, Duration time) throws IOException {
        Files.createDirectories(DIRECTORY);
        Path lines = DIRECTORY.resolve(RUN + ".tsv");
        String line = exercise.row().number() + "\t" + exercise.getClass().getSimpleName() + "\t" + subject + "\t"
                + cases + "\t" + time.toMillis() + "\n";
        Files.writeString(lines, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Files.writeString(DIRECTORY.resolve(RUN + ".md"), table(Files.readAllLines(lines)));
    }

    private static String table(List<String> lines) {
        Map<String, List<Line>> exercises = new TreeMap<>();
        lines.stream()
                .map(Line::parse)
                .forEach(line -> exercises
                        .computeIfAbsent(String.format("%02d %s", line.row, line.exercise), key -> new ArrayList<>())
                        .add(line));
        StringBuilder table =
                new StringBuilder("| row | exercise | subjects | cases | seconds |\n|---|---|---|---|---|\n");
        for (List<Line> of : exercises.values()) {
            Line first = of.get(0);
            table.append(String.format(
                    "| %d | `%s` | %d | %,d | %,d |%n",
                    first.row,
                    first.exercise,
                    of.stream().map(Line::subject).distinct().count(),
                    of.stream().mapToLong(Line::cases).sum(),
                    of.stream().mapToLong(Line::ms).sum() / 1000));
        }
        return table.toString();
    }
}
