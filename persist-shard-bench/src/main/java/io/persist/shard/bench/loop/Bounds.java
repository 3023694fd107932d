package io.persist.shard.bench.loop;

import io.persist.command.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What must not grow with the time, seen now and then. One thread. */
final class Bounds {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int QUARTERS = 4;
    private static final double MIB = 1 << 20;

    /**
     * What was so at a time.
     *
     * @param lagS the greatest lag of a reader since the time before, in s; -1 if nobody reads
     * @param objectBytes of the blob, as far as this program has written it
     * @param fileBytes of all files of the place, a database's too; -1 if it has none of its own
     * @param residentBytes of this process; -1 if nobody knows
     */
    record Sample(double lagS, long objectBytes, long fileBytes, long residentBytes) {

        /** For the report: what is known. */
        Map<String, Double> levels() {
            Map<String, Double> known = new LinkedHashMap<>();
            putKnown(known, "objects MiB", objectBytes);
            putKnown(known, "files MiB", fileBytes);
            putKnown(known, "resident MiB", residentBytes);
            return known;
        }

        private static void putKnown(Map<String, Double> known, String name, long bytes) {
            if (bytes >= 0) {
                known.put(name, bytes / MIB);
            }
        }

        String text() {
            return "objects " + Text.bytes(objectBytes) + ", files " + bytes(fileBytes) + "; this process has "
                    + bytes(residentBytes) + " of memory";
        }
    }

    private final List<Sample> samples = new ArrayList<>();

    void add(Sample sample) {
        samples.add(sample);
    }

    private static String seconds(double seconds) {
        return seconds < 0 ? "-" : String.format(Locale.ROOT, "%.2f", seconds);
    }

    private static String bytes(double bytes) {
        return bytes < 0 ? "unknown" : Text.bytes((long) bytes);
    }

    /** The resident memory of this process, in bytes, as Linux says it; else -1. */
    static long residentBytes() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> line.replaceAll("[^0-9]", ""))
                    .mapToLong(kib -> Long.parseLong(kib) << 10)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException noLinux) {
            return -1;
        }
    }

    /** Whether it was seen at all. */
    boolean isKnown(ToDoubleFunction<Sample> what) {
        return most(samples, what) >= 0;
    }

    /** Whether there is something in each quarter of the run. */
    boolean hasQuarters() {
        return samples.size() >= QUARTERS;
    }

    /** The most in the last quarter of the run. */
    double mostLast(ToDoubleFunction<Sample> what) {
        return most(samples.subList(lastQuarter(), samples.size()), what);
    }

    /** The most before the last quarter. */
    double mostBefore(ToDoubleFunction<Sample> what) {
        return most(samples.subList(0, lastQuarter()), what);
    }

    private int lastQuarter() {
        return (QUARTERS - 1) * samples.size() / QUARTERS;
    }

    /** The most in each quarter of the run: what is bounded is about the same in all of them. */
    List<String> table() {
        List<String> lines = new ArrayList<>(
                List.of("| at most, in | lag s | objects | files | resident |", "|---|---|---|---|---|"));
        for (int quarter = 0; quarter < QUARTERS; quarter++) {
            List<Sample> some =
                    samples.subList(quarter * samples.size() / QUARTERS, (quarter + 1) * samples.size() / QUARTERS);
            if (!some.isEmpty()) {
                lines.add("| quarter " + (quarter + 1) + " | "
                        + seconds(most(some, Sample::lagS)) + " | "
                        + bytes(most(some, Sample::objectBytes)) + " | " + bytes(most(some, Sample::fileBytes)) + " | "
                        + bytes(most(some, Sample::residentBytes)) + " |");
            }
        }
        return lines;
    }

    private static double most(List<Sample> some, ToDoubleFunction<Sample> what) {
        return some.stream()
                .map(what::applyAsDouble)
                .max(Comparator.naturalOrder())
                .orElse(0.0);
    }
}
